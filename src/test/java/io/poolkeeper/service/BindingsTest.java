package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.listing;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Services that are bound to pools of load balancers that the cloud provider does not manage. */
class BindingsTest {
  /** A Service of the kind whose pools the cloud provider does not make, on n4, and another. */
  private static final String FILLED =
      """
      node n4 n5
      cluster api
      local web
      slice api-1 api n4
      slice web-1 web n4
      all synced
      """;

  private static final String SHOWN = "list gateway/.blue[]{} lb-1/web";
  private static final String READY = FILLED + SHOWN + "\n";
  private static final String BOUND = FILLED + "bind gateway/.blue api ->\n" + SHOWN + "\n";
  private static final PoolView ELSEWHERE = MapWords.view("other:edge/.blue[]{}");
  private static final ArmFailure REFUSED =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Forbidden", "no");

  private Story story = new Story();

  /** Of our group, unless it cannot be read, and of another. */
  private String listed(Optional<ArmFailure> failure, String... own) {
    List<LoadBalancerView> others =
        List.of(new LoadBalancerView(ELSEWHERE.id().loadBalancer(), List.of(ELSEWHERE)));
    PoolView[] views = Set.of(own).stream().map(MapWords::view).toArray(PoolView[]::new);
    Set<String> groups = failure.isPresent() ? Set.of("other") : Set.of("rg", "other");
    Map<String, ArmFailure> unread = failure.map(why -> Map.of("rg", why)).orElse(Map.of());
    return listed(new Listing("rg", listing(views).loadBalancers(), others, groups, unread));
  }

  private String listed(Listing listing) {
    story.map.startListing();
    return new MapWords(story.map.now()).all(story.map.listed(listing));
  }

  @Test
  void boundPool_getsWhatItsServiceWants_whateverTheTrafficPolicy() {
    story.plays(
        FILLED
            + "bind gateway/.blue api ->\n"
            + SHOWN
            + """
             ~> gateway/.blue bound to api; gateway/.blue shown []; gateway/.blue bound api#1 [n4]
            slice api-1 api n5 -> gateway/.blue bound api#1 [n5]
            gone api -> gateway/.blue -api; gateway/.blue bound api()#3 [?]
            """);
  }

  @Test
  void updaterIsOff_boundPoolGetsWhatItsServiceWants_andNoOtherIsOwned() {
    story = new Story(ServiceMapDriver.withoutOwners());

    story.plays(
        FILLED
            + "bind gateway/.blue api ->\n"
            + SHOWN
            + " -> bound: missing [], unread [], out []; gateway/.blue bound to api;"
            + " gateway/.blue shown []; gateway/.blue bound api#1 [n4]");
  }

  /** Not even if a pool there has the name of the Service's. */
  @Test
  void loadBalancerThatIsNotTheProviders_isNoneOfOurs_butForBoundPools() {
    story.plays(
        FILLED
            + """
            list gateway/.blue[]{} lb-1/web -> lb-1/web shown [n4]; lb-1/web web#1 [n4]
            bind gateway/.blue api -> gateway/.blue bound to api; gateway/.blue shown []; gateway/.blue bound api#2 [n4]
            wakes 35s
            list gateway/.blue[]{} gateway/web ~> lb-1/web -web
            """);
  }

  @Test
  void pool_thatIsNotThere_isMissingOnlyWhereItsGroupWasListed() {
    story.plays(
        READY
            + """
            list lb-1/web
            bind gateway/.blue api ->
            bind other:edge/.blue api ->
            list gateway/.green{} -> bound: missing [gateway/.blue], unread [], out []; lb-1/web -web; lb-1/web forgotten
            """);
  }

  @Test
  void group_thatCannotBeRead_keepsItsPoolsAndShowsNothing() {
    bindElsewhere();

    assertThat(listed(OTHER_UNREAD))
        .startsWith("bound: missing [], unread [other:edge/.blue], out []; lb-1/web -web")
        .doesNotContain("other:edge/.blue ");
    story.plays("slice api-1 api n5 -> other:edge/.blue bound api#2 [n5]");
  }

  private static final Listing OTHER_UNREAD =
      new Listing("rg", List.of(), List.of(), Set.of("rg"), Map.of("other", REFUSED));

  /** Its pool may have the node that leaves, and has no actor that would write it. */
  @Test
  void group_thatWasNeverRead_noDrainIsSaidToBeInAllPools() {
    story.plays(FILLED + "bind other:edge/.blue api ->\nnodes 1 n4");

    assertThat(listed(OTHER_UNREAD)).doesNotContain("all shown");
    assertThat(listed(Optional.empty(), "lb-1/web")).contains("all shown v1");
  }

  /** One mistyped group is not to leave every drain open. */
  @Test
  void group_thatWasNeverRead_isWaitedForAMinute_thenDrainsAreSaidToBeInAllButItsPools() {
    story.plays(FILLED + "bind other:edge/.blue api ->\nnodes 1 n4");
    listed(OTHER_UNREAD);

    story.plays("after 59s");
    assertThat(listed(OTHER_UNREAD)).doesNotContain("all shown");
    story.plays("after 1s");
    assertThat(listed(OTHER_UNREAD)).contains("all shown v1 without [other]");
    assertThat(listed(Optional.empty(), "lb-1/web")).endsWith("all shown v1");
  }

  /** Nothing is known without it: to list another group helps nobody. */
  @Test
  void configuredGroup_thatCannotBeRead_isWaitedForUntilItIs() {
    bindElsewhere();
    story.plays("nodes 1 n4");
    assertThat(listed(Optional.of(REFUSED))).doesNotContain("all shown");

    story.plays("after 10m");
    assertThat(listed(Optional.of(REFUSED))).doesNotContain("all shown");
    assertThat(listed(Optional.empty(), "lb-1/web")).endsWith("all shown v1");
  }

  /** No binding names a pool of it, so that nothing there waits for a drain. */
  @Test
  void group_thatNoBindingNames_isNotWaitedFor() {
    story.plays(READY + "nodes 1 n4");

    assertThat(listed(OTHER_UNREAD)).contains("all shown v1").doesNotContain("without");
  }

  /** Its pool had n4, and not n5. What it has to write it reports by itself. */
  @Test
  void group_thatCannotBeReadAnyMore_itsPoolIsNotWaitedForWhereItHadNothingToDo() {
    story.plays(FILLED + "bind other:edge/.blue api ->\nnodes 1");
    PoolView had = MapWords.view("other:edge/.blue{rule}");
    LoadBalancerView edge = new LoadBalancerView(had.id().loadBalancer(), List.of(had));
    Set<String> groups = Set.of("rg", "other");
    listed(new Listing("rg", List.of(), List.of(edge), groups, Map.of()));

    story.plays("nodes 2 n5");
    assertThat(listed(OTHER_UNREAD)).contains("all shown v2 but other:edge/.blue []");
    story.plays("nodes 3 n4 n5");
    assertThat(listed(OTHER_UNREAD)).contains("all shown v3 but other:edge/.blue [n4]");
  }

  @Test
  void group_thatCannotBeRead_isReadAgainSoon() {
    story.plays(FILLED + "bind other:edge/.blue api ->");

    listed(OTHER_UNREAD);

    story.plays("wakes 1s");
  }

  /** A group that hangs delays no listing before its own retry, which comes ever more rarely. */
  @Test
  void group_thatCannotBeRead_isLeftOutUntilItsRetry_andIsUnreadMeanwhile() {
    story.plays(FILLED + "bind other:edge/.blue api ->");
    listed(OTHER_UNREAD);
    listed(OTHER_UNREAD);

    story.plays(
        """
        after 1s
        granted -> lists without [other] until +60s
        """);
    assertThat(listed(new Listing("rg", List.of(), List.of(), Set.of("rg"), Map.of())))
        .contains("bound: missing [], unread [other:edge/.blue], out []");
    story.plays(
        """
        granted -> lists until +60s
        failure 403
        """);
    listed(Optional.empty());
    story.plays("failure none");
  }

  /** A standby has waited for it long; the leader asks for it at once, and then waits anew. */
  @Test
  void group_thatAStandbyCouldNotRead_isInTheFirstListingOfALeader() {
    story = new Story(ServiceMapDriver.standby());
    story.plays(FILLED + "bind other:edge/.blue api ->");
    listed(OTHER_UNREAD);
    story.plays("after 2m\nnodes 1 n4");
    listed(OTHER_UNREAD);

    story.plays("lead\ngranted -> lists until +60s");

    assertThat(listed(OTHER_UNREAD)).doesNotContain("all shown");
  }

  /** Its retries put off no listing that a new Service asks for. */
  @Test
  void group_thatCannotBeRead_delaysNoListingThatIsAskedFor() {
    story.plays(FILLED + "bind other:edge/.blue api ->");
    for (int i = 0; i < 8; i++) {
      listed(OTHER_UNREAD);
    }

    story.plays("after 5s\nlocal new\nwakes 1s");
  }

  @Test
  void noGroup_canBeListed_bindingsHearIt_andNoPoolChanges() {
    bindElsewhere();
    Listing none =
        new Listing("rg", List.of(), List.of(), Set.of(), Map.of("rg", REFUSED, "other", REFUSED));

    assertThat(listed(none)).isEqualTo("bound: missing [], unread [other:edge/.blue], out []");
    story.plays("slice api-1 api n5 -> other:edge/.blue bound api#2 [n5]\nwakes 1s");
  }

  @Test
  void configuredGroup_thatCannotBeRead_keepsItsPools_andOthersAreShown() {
    bindElsewhere();

    assertThat(listed(Optional.of(REFUSED)))
        .isEqualTo("bound: missing [], unread [], out []; other:edge/.blue shown []");
    story.plays(
        """
        failure 403
        wakes 1s
        slice api-1 api n5 -> other:edge/.blue bound api#2 [n5]
        slice web-1 web n5 -> lb-1/web web#1 [n5]
        """);
  }

  @Test
  void configuredGroup_thatCannotBeReadSinceTheStart_boundPoolsElsewhereAreWritten() {
    story.plays(FILLED + "bind other:edge/.blue api ->");

    assertThat(listed(Optional.of(REFUSED))).contains("other:edge/.blue bound api#1 [n4]");
  }

  /** What a standby was shown before it led counts for nothing, as for any other leader. */
  @Test
  void configuredGroup_thatCannotBeReadSinceTheReplicaLeads_itsPoolsAreNotWritten() {
    story = new Story(ServiceMapDriver.standby());
    story.plays(FILLED + "list lb-1/web ->\nafter 1s\nlead");

    assertThat(listed(Optional.of(REFUSED))).isEmpty();
  }

  /** A pool of another group that is bound, and was listed. */
  private void bindElsewhere() {
    story.plays(READY + "bind other:edge/.blue api ->");
    assertThat(listed(Optional.empty(), "lb-1/web")).contains("other:edge/.blue bound api#2 [n4]");
  }

  @Test
  void nodesInAPool_thatIsNotBoundAnyMore_areNoneOfOurs() {
    story.plays(
        BOUND
            + """
            nodes 1
            list gateway/.blue{rule} lb-1/web
            nodes 2 -> gateway/.blue nodes v2[]; lb-1/web nodes v2[]
            unbind gateway/.blue ~> gateway/.blue forgotten
            """);
  }

  /** Many pools of one Service cost no more than as many of others. */
  @Test
  void bind_comesBeforeWhatIsDesired_andConcernsItsPoolAlone() {
    story.plays(
        BOUND
            + """
            bind gateway/.blue api check -> gateway/.blue bound to api, held by check
            list gateway/.blue[]{} gateway/.green[]{} lb-1/web
            """);
    Object before = blueOfApi();

    story.plays(
        """
        bind gateway/.green api -> gateway/.green bound to api; gateway/.green shown []; \
        gateway/.green bound api#3 [n4]
        """);

    assertThat(blueOfApi()).isSameAs(before);
  }

  private Object blueOfApi() {
    return story
        .map
        .state()
        .sent()
        .owned()
        .get(MapWords.service("api"))
        .get(MapWords.pool("gateway/.blue"));
  }

  @Test
  void crashedPool_hearsOfItsBindingFirst() {
    story.plays(
        BOUND
            + """
            crash gateway/.blue
            due 1s ~> gateway/.blue bound to api; gateway/.blue shown [] -1s; gateway/.blue bound api#1 [n4]
            """);
    new Story()
        .plays(
            FILLED
                + "leave gateway/.blue\n"
                + SHOWN
                + "\n"
                + "crash gateway/.blue\n"
                + "due 1s ~> gateway/.blue leaving -1s; gateway/.blue shown []");
  }

  /** Somebody's binding of a pool that is not there, and a check that flaps. */
  @Test
  void binding_ofAnUnknownPool_asksForAListingOnce_andDelaysNone() {
    story.plays(
        READY
            + """
            list lb-1/web
            after 20s
            bind gateway/.blue api
            wakes 1s
            list lb-1/web
            bind gateway/.blue api check
            bind gateway/.blue api
            wakes 64s
            bind other:edge/.blue api
            wakes 10s
            local new
            wakes 1s
            """);
    new Story().plays("all synced\nstart\nbind gateway/.blue api\nlisted\nwakes 35s");
  }

  @Test
  void leaving_releasesTheService_andNeedsNone_untilAnotherBindingFollows() {
    story.plays(
        BOUND
            + """
            leave gateway/.blue -> gateway/.blue leaving; gateway/.blue -api
            bind gateway/.blue api -> gateway/.blue bound to api; gateway/.blue bound api#3 [n4]
            leave gateway/.blue
            unbind gateway/.blue -> gateway/.blue unbound; gateway/.blue forgotten
            """);
  }

  @Test
  void leaving_ofAPoolThatNoListingShows_getsAnActor_onceAnythingMayBeWritten() {
    story.plays(
        """
        all synced
        leave other:edge/.blue ->
        list ~> other:edge/.blue leaving
        leave gateway/.blue -> gateway/.blue leaving
        """);
  }
}
