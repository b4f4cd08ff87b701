package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.rule;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.SliceView;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which pool is told what, and when. */
class ServiceMapCoreTest {
  private static final String FILLED =
      """
      node n4 n5
      slice s1 web n4
      local web
      """;
  private static final String READY = FILLED + "all synced\nlist lb-1/web\n";

  private final Story story = new Story();

  @ParameterizedTest
  @EnumSource(CacheKind.class)
  void nothingIsToldBeforeEveryCacheIsSynced(CacheKind last) {
    story.plays(FILLED + "list lb-1/web ->");
    for (CacheKind kind : CacheKind.values()) {
      if (kind != last) {
        story.plays("synced " + kind + " ->");
      }
    }

    story.plays("slice s1 web n4 n5 ->");
    story.plays("synced " + last + " -> lb-1/web shown [n4]; lb-1/web web#1 [n4, n5]");
  }

  @Test
  void ignoredEndpoints_ofADualStackService_areWarnedOfOncePerChange() {
    ServiceMapDriver map = new ServiceMapDriver();
    map.change(local("default/web", "uid-web", IpFamily.IPV4, IpFamily.IPV6));
    map.change(nodeless(1));
    map.sync(CacheKind.values());
    PoolView ipv6 = pool("lb-1", "default-web-IPv6", Set.of(rule("uid-web") + "-IPv6"));

    assertThat(warnings(map.list(webPool("lb-1"), ipv6)))
        .containsExactly("Endpoints have no entry in the backend pools: 1 endpoint names no node");
    assertThat(warnings(map.list(webPool("lb-1"), ipv6))).isEmpty();
    assertThat(warnings(map.change(nodeless(1)))).isEmpty();
    assertThat(warnings(map.change(nodeless(2)))).hasSize(1);
    assertThat(warnings(map.change(nodeless(0)))).isEmpty();
  }

  private static SliceView nodeless(int endpoints) {
    SliceView.Key slice = new SliceView.Key("default", "s1");
    return new SliceView(slice, key("default/web"), Set.of(), endpoints);
  }

  private static List<String> warnings(List<ServiceMapEffect> effects) {
    return effects.stream()
        .flatMap(of -> of instanceof ServiceMapEffect.Emit emit ? Stream.of(emit) : Stream.empty())
        .map(emit -> emit.event().message())
        .toList();
  }

  @Test
  void nothingIsToldBeforeLoadBalancersWereListed() {
    story.plays(FILLED + "all synced");

    story.plays(
        """
        start
        failed ->
        failure 403
        slice s1 web n5 ->
        list lb-1/web -> lb-1/web shown [n4]; lb-1/web web#1 [n5]!
        failure none
        """);
  }

  @Test
  void changes_tellThePoolsThatTheyConcern_andNoOther() {
    story.plays(
        READY
            + """
            synced NODES ->
            slice s1 web n5 -> lb-1/web web#1 [n5]
            slice s1 web n5 ->
            slice s2 web n5 ->
            noslice s1 ->
            noslice s2 -> lb-1/web web#1 [?]
            slice s1 web n4 -> lb-1/web web#1 [n4]
            node n4=10.0.0.44 -> lb-1/web web#1 [n4=10.0.0.44]
            node n4= -> lb-1/web web#1 [] knows [10.0.0.5, n5]
            node n4 -> lb-1/web web#1 [n4]
            node n4 ->
            node n5=10.0.0.55 n6 ->
            nonode n5 ->
            nonode n4 -> lb-1/web web#1 [] knows [10.0.0.6, n6]
            node n7 -> lb-1/web web#1 [] knows [10.0.0.6, 10.0.0.7, n6, n7]
            """);
  }

  @Test
  void sliceThatMovesToAnotherService_tellsBoth() {
    story.plays(
        READY
            + """
            local api
            list lb-1/web lb-1/api
            slice s1 api n4 -> lb-1/api api#2 [n4]; lb-1/web web#1 [?]
            """);
  }

  @Test
  void serviceThatLosesItsPool_isReleased() {
    story.plays(
        READY
            + """
            cluster web -> lb-1/web -web
            local web -> lb-1/web web#2 [n4]
            internal web ->
            slice s1 web n5 -> lb-1/web web#2 [n5]
            list lb-1/web{} -> lb-1/web -web; lb-1/web forgotten
            list ->
            local web
            list lb-1/web -> lb-1/web shown [n4]; lb-1/web web#3 [n5]
            gone web -> lb-1/web -web
            slice s1 web n4 ->
            """);
  }

  @Test
  void serviceThatIsCreatedAgain_isReleasedAndAssignedAnew() {
    story.plays(
        READY
            + """
            list lb-1/web{uid-web uid-reborn}
            local web uid=uid-reborn -> lb-1/web -web; lb-1/web web(uid-reborn)#2 [n4]
            """);
  }

  @Test
  void listing_movesServices_andShowsEveryLivePoolFromItsStart() {
    story.plays(
        READY
            + """
            list lb-2/web -> lb-1/web -web; lb-2/web shown [n4]; lb-2/web web#2 [n4]; lb-1/web forgotten
            start
            after 1s
            listed lb-2/web[n4 x=10.0.0.9] -> lb-2/web shown [n4, x=10.0.0.9] -1s
            start
            failed ->
            slice s1 web n5 -> lb-2/web web#2 [n5]
            """);
  }

  @Test
  void listing_ofAPoolOfSeveralServices_orOfBothFamilies_tellsEachItsOwn() {
    story.plays(
        """
        node n4=10.0.0.4,fd00::4 n5
        local a/b-c uid=uid-1
        local a-b/c uid=uid-2
        local web ip=46
        slice s1 a/b-c n4
        slice s2 a-b/c n5
        slice s3 web n4
        all synced
        list lb-1/.a-b-c{uid-1 uid-2} -> lb-1/.a-b-c shown [n4]; lb-1/.a-b-c a/b-c(uid-1)#1 [n4]; lb-1/.a-b-c a-b/c(uid-2)#2 [n5]
        list lb-1/web lb-1/web-ipv6{auidweb-TCP-80-IPv6} ~> lb-1/web-ipv6 web#4 [n4=fd00::4]
        """);
  }

  @Test
  void whatAnEventDoesNotConcern_isNotCopied() {
    story.plays(READY + "slice s2 api n4");
    ServiceMapState before = story.map.state();

    story.plays("list lb-1/web");

    assertThat(story.map.state().cluster()).isSameAs(before.cluster());
    assertThat(story.map.state().sent().owned()).isSameAs(before.sent().owned());
    assertThat(story.map.state().pools().all()).isSameAs(before.pools().all());
    ServiceMapState listed = story.map.state();

    story.plays("slice s1 web n5");

    Cluster after = story.map.state().cluster();
    assertThat(after.services()).isSameAs(before.cluster().services());
    assertThat(after.nodes()).isSameAs(before.cluster().nodes());
    assertThat(after.known()).isSameAs(before.cluster().known());
    assertThat(after.slices().byService().get(key("default/api")))
        .isSameAs(before.cluster().slices().byService().get(key("default/api")));
    assertThat(story.map.state().index()).isSameAs(listed.index());
    assertThat(story.map.state().pools().all()).isSameAs(before.pools().all());
  }
}
