package io.poolkeeper.service;

import org.junit.jupiter.api.Test;

/** Pools that are not touched: they have no actor, whatever their Services want. */
class ServiceMapScopeTest {
  private static final String LISTED =
      "list lb-1/web lb-1/api lb-1/.kubernetes{uid-plain} gateway/.blue{}";

  private Story story = new Story();

  /** Two local Services and one of the policy Cluster, all on n4. */
  private void ready(String... changed) {
    story.plays("node n4\nlocal web\nlocal api\ncluster plain\n" + String.join("\n", changed));
    story.plays("slice web-1 web n4\nslice api-1 api n4\nslice plain-1 plain n4");
    story.plays("all synced\nnodes 1\n" + LISTED);
  }

  @Test
  void nothingIsMarked_everyPoolIsFollowed() {
    ready();

    story.plays(
        """
        out
        nodes 2 -> lb-1/api nodes v2[]; lb-1/web nodes v2[]; lb-1/.kubernetes nodes v2[]
        """);
  }

  @Test
  void refused_whileItIsFollowed_isReleasedAndForgotten_untilItIsAllowedAgain() {
    ready();

    story.plays(
        """
        local web manage=false -> lb-1/web -web; lb-1/web forgotten
        out lb-1/web
        nodes 2 -> lb-1/api nodes v2[]; lb-1/.kubernetes nodes v2[]
        slice web-1 web n4 n5 ->
        """);
    story.plays(LISTED + " -> lb-1/api shown [n4]; lb-1/.kubernetes shown [n4]; all shown v2");
    story.plays("after 10m\n" + LISTED);
    story.plays(
        """
        slice web-1 web n4 ->
        wakes 10m
        local web digest=9 -> lb-1/web nodes v2[] -601s; lb-1/web shown [n4]; lb-1/web web#3 [n4]
        out
        """);
  }

  @Test
  void refused_beforeAnythingIsKnown_isSentNothing() {
    story.plays("node n4\nlocal web manage=false\nslice web-1 web n4\nlist lb-1/web ->");

    story.plays("synced NODES ->\nsynced SERVICES ->\nsynced NAMESPACES ->");
    story.plays("synced ENDPOINT_SLICES ->\nout lb-1/web");
  }

  @Test
  void label_refuses_allPoolsOfTheNamespaceButThoseOfAnnotatedServices() {
    ready("local api manage=true");

    story.plays(
        """
        label false -> lb-1/web -web; lb-1/web forgotten
        out lb-1/web
        wakes 1s
        unlabel ~> lb-1/web web#3 [n4]
        out
        """);
  }

  /** Names collide: a Service of another Namespace may share the pool, and must not opt it out. */
  @Test
  void refused_byOneOfTwoServicesOfAPool_isManaged_withAWarningOnBoth_untilBothAgree() {
    ready();
    story.plays("list lb-1/web{uid-web uid-plain} ~> lb-1/web shown [n4]");
    String said =
        "The backend pool lb-1/default-web is managed: the Services"
            + " [default/plain, default/web] share it, and not all of them say"
            + " poolkeeper.io/manage: \"false\"";

    story.plays(
        "local web manage=false -> says ManageIgnored of default/plain: %1$s; says ManageIgnored of default/web: %1$s"
            .formatted(said));
    story.plays("list lb-1/web{uid-web uid-plain} ~> lb-1/web shown [n4]\nout");
    story.plays("cluster plain manage=false ~> lb-1/web -web; lb-1/web forgotten\nout lb-1/web");
    story.plays("cluster plain ~> lb-1/web web#3 [n4]");
    story.plays("local web -> ");
  }

  @Test
  void optIn_oneMarkedService_isTheOnlyOneThatIsTouched() {
    story = new Story(ServiceMapDriver.optIn());

    ready("local web manage=true");

    story.plays("nodes 2 -> lb-1/web nodes v2[]\nout lb-1/.kubernetes lb-1/api");
    // Somebody unknown has a rule there, too.
    story.plays(
        "list lb-1/web{uid-web a0-TCP-80} -> lb-1/web -web; lb-1/web forgotten; all shown v2");
  }

  @Test
  void optIn_serviceIsMarkedAndUnmarked_comesAndGoes() {
    story = new Story(ServiceMapDriver.optIn());
    ready();

    story.plays(
        """
        nodes 2 ->
        label true ~> lb-1/api api#1 [n4]
        nodes 3 -> lb-1/api nodes v3[]; lb-1/web nodes v3[]
        gone api -> lb-1/api -api; lb-1/api forgotten
        nodes 4 -> lb-1/web nodes v4[]
        unlabel -> lb-1/web -web; lb-1/web forgotten
        """);
  }

  @Test
  void binding_ofARefusingService_makesNothing_andCleansUpWhenItIsDeleted() {
    ready("cluster plain manage=false");

    story.plays("bind gateway/.blue plain ->");
    story.plays(
        LISTED
            + """
             ~> bound: missing [], unread [], out [gateway/.blue: the annotation \
            poolkeeper.io/manage of the Service default/plain is "false"]
            leave gateway/.blue -> gateway/.blue leaving; gateway/.blue shown [n4]
            nodes 2 -> lb-1/api nodes v2[]; lb-1/web nodes v2[]; lb-1/.kubernetes nodes v2[]
            """);
  }

  @Test
  void optIn_bindingOfAMarkedService_isFollowed_andCleansUpWhenItIsDeleted() {
    story = new Story(ServiceMapDriver.optIn());
    ready("cluster plain manage=true");

    story.plays(
        """
        bind gateway/.blue plain ~> gateway/.blue bound plain#1 [n4]
        nodes 2 -> gateway/.blue nodes v2[]
        leave gateway/.blue -> gateway/.blue leaving; gateway/.blue -plain
        """);
  }

  @Test
  void annotation_thatDoesNothingOrIsBad_isSaidOnce() {
    ready();

    story.plays(
        """
        cluster plain manage=false ~> The annotation poolkeeper.io/manage does nothing but for pools of bindings
        cluster plain manage=false digest=8 ->
        local web manage=no -> says ManageIgnored of default/web: The annotation poolkeeper.io/manage is ignored: found "no"; allowed: "true" or "false"
        local web manage=false -> lb-1/web -web; lb-1/web forgotten
        """);
  }

  @Test
  void label_thatIsBad_isSaidOfTheNamespace_alsoByAReplicaThatLeadsOnlyThen() {
    story = new Story(ServiceMapDriver.standby());
    String said =
        " -> says ManageIgnored of default: The label poolkeeper.io/manage is ignored: found"
            + " \"off\"; allowed: \"true\" or \"false\"\n";

    story.plays("label off ->\nlead" + said + "label off ->\nunlabel ->\nlabel off" + said);
  }
}
