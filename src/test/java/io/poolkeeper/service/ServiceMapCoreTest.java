package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.T0;
import static io.poolkeeper.service.ServiceFixtures.cluster;
import static io.poolkeeper.service.ServiceFixtures.exactly;
import static io.poolkeeper.service.ServiceFixtures.internal;
import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.lb;
import static io.poolkeeper.service.ServiceFixtures.listing;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.nodeGone;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.rule;
import static io.poolkeeper.service.ServiceFixtures.sent;
import static io.poolkeeper.service.ServiceFixtures.serviceGone;
import static io.poolkeeper.service.ServiceFixtures.show;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.sliceGone;
import static io.poolkeeper.service.ServiceFixtures.waiting;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.PoolEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which pool is told what, and when. */
class ServiceMapCoreTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final PoolId LB1 = webPoolId("lb-1");
  private static final PoolId LB2 = webPoolId("lb-2");
  private static final PoolView ON_LB1 = webPool("lb-1", "n4=10.0.0.4");
  private static final PoolView ON_LB2 = webPool("lb-2", "n4=10.0.0.4");

  private final ServiceMapDriver map = new ServiceMapDriver();

  private static Assignment web(long number) {
    return new Assignment(key("default/web"), "uid-web", number, "auidweb");
  }

  private static ServiceMapEffect desire(PoolId pool, Assignment assignment, Level level) {
    return new ServiceMapEffect.Send(pool, new PoolEvent.Desire(assignment, level));
  }

  private static ServiceMapEffect release(PoolId pool) {
    return new ServiceMapEffect.Send(pool, new PoolEvent.Release(key("default/web")));
  }

  /** Nodes n4 and n5, one slice of default/web that names n4, and the Service itself. */
  private void fill() {
    map.change(node("n4=10.0.0.4"), node("n5=10.0.0.5"));
    map.change(slice("s1", "default/web", "n4"));
    map.change(local("default/web"));
  }

  /** As {@link #fill}, and all of it is known; its pool is on lb-1. */
  private void ready() {
    fill();
    map.sync(CacheKind.values());
    map.list(ON_LB1);
  }

  @ParameterizedTest
  @EnumSource(CacheKind.class)
  void nothingIsToldBeforeEveryCacheIsSynced(CacheKind last) {
    fill();
    assertThat(map.list(ON_LB1)).isEmpty();
    for (CacheKind kind : CacheKind.values()) {
      if (kind != last) {
        assertThat(map.send(new ServiceMapEvent.CacheSynced(kind))).isEmpty();
      }
    }
    assertThat(map.change(slice("s1", "default/web", "n4", "n5"))).isEmpty();

    assertThat(map.send(new ServiceMapEvent.CacheSynced(last)))
        .containsExactly(
            show(LB1, ON_LB1, T0), desire(LB1, web(1), exactly("n4=10.0.0.4", "n5=10.0.0.5")));
  }

  @Test
  void nothingIsToldBeforeLoadBalancersWereListed() {
    fill();
    map.sync(CacheKind.values());
    map.startListing();
    assertThat(map.send(new ServiceMapEvent.ListingFailed(ServiceFixtures.FORBIDDEN))).isEmpty();
    assertThat(map.change(slice("s1", "default/web", "n5"))).isEmpty();
    assertThat(map.state().schedule().failure()).contains(ServiceFixtures.FORBIDDEN);

    assertThat(map.list(ON_LB1))
        .containsExactly(
            show(LB1, ON_LB1, T0.plus(SECOND)),
            new ServiceMapEffect.Send(
                LB1, new PoolEvent.Desire(web(1), exactly("n5=10.0.0.5"), true)));
    assertThat(map.state().schedule().failure()).isEmpty();
  }

  @Test
  void cacheSynced_again_tellsNothing() {
    ready();

    assertThat(map.send(new ServiceMapEvent.CacheSynced(CacheKind.NODES))).isEmpty();
  }

  @Test
  void slicesChanged_levelDiffers_tellsTheSameAssignment() {
    ready();

    assertThat(map.change(slice("s1", "default/web", "n5")))
        .containsExactly(desire(LB1, web(1), exactly("n5=10.0.0.5")));
  }

  @Test
  void slicesChanged_unionIsTheSame_tellsNothing() {
    ready();

    assertThat(map.change(slice("s1", "default/web", "n4"))).isEmpty();
    assertThat(map.change(slice("s2", "default/web", "n4"))).isEmpty();
    assertThat(map.send(new ServiceMapEvent.SlicesChanged(sliceGone("s1")))).isEmpty();
  }

  @Test
  void slicesChanged_lastOneGone_isUnknown() {
    ready();

    assertThat(map.send(new ServiceMapEvent.SlicesChanged(sliceGone("s1"))))
        .containsExactly(desire(LB1, web(1), new Level.Unknown()));
  }

  @Test
  void slicesChanged_movesToAnotherService_tellsBoth() {
    ready();
    map.change(local("default/api"));
    PoolView api = pool("lb-1", "default-api", Set.of(rule("uid-api")));
    map.list(ON_LB1, api);

    assertThat(map.change(slice("s1", "default/api", "n4")))
        .containsExactlyInAnyOrder(
            desire(LB1, web(1), new Level.Unknown()),
            desire(
                api.id(),
                new Assignment(key("default/api"), "uid-api", 2, "auidapi"),
                exactly("n4=10.0.0.4")));
  }

  @Test
  void nodesChanged_addressAppearsChangesOrVanishes_isTold() {
    ready();

    assertThat(map.change(node("n4=10.0.0.44")))
        .containsExactly(desire(LB1, web(1), exactly("n4=10.0.0.44")));
    assertThat(map.change(node("n4=")))
        .containsExactly(desire(LB1, web(1), waiting(List.of("n4=", "n5=10.0.0.5"))));
    assertThat(map.change(node("n4=10.0.0.4")))
        .containsExactly(desire(LB1, web(1), exactly("n4=10.0.0.4")));
  }

  @Test
  void nodesChanged_sameOrUnconcerned_tellsNothing() {
    ready();

    assertThat(map.change(node("n4=10.0.0.4"))).isEmpty();
    assertThat(map.change(node("n5=10.0.0.55"), node("n6=10.0.0.6"))).isEmpty();
    assertThat(map.send(new ServiceMapEvent.NodesChanged(nodeGone("n5")))).isEmpty();
  }

  @Test
  void nodesChanged_whileAServiceWaitsForANode_tellsItWhichNodesAreKnown() {
    ready();
    assertThat(map.send(new ServiceMapEvent.NodesChanged(nodeGone("n4"))))
        .containsExactly(desire(LB1, web(1), waiting(List.of("n5=10.0.0.5"))));

    assertThat(map.change(node("n6=10.0.0.6")))
        .containsExactly(desire(LB1, web(1), waiting(List.of("n5=10.0.0.5", "n6=10.0.0.6"))));
  }

  @Test
  void servicesChanged_gone_isReleased() {
    ready();

    assertThat(map.send(new ServiceMapEvent.ServicesChanged(serviceGone("default/web"))))
        .containsExactly(release(LB1));
    assertThat(map.change(slice("s1", "default/web", "n5"))).isEmpty();
  }

  @Test
  void servicesChanged_policyChanges_isReleased() {
    ready();
    assertThat(map.change(cluster("default/web"))).containsExactly(release(LB1));

    assertThat(map.change(local("default/web")))
        .containsExactly(desire(LB1, web(2), exactly("n4=10.0.0.4")));
  }

  @Test
  void servicesChanged_becomesInternal_keepsItsPoolUntilAListingShowsItsRuleGone() {
    ready();

    assertThat(map.change(internal("default/web"))).isEmpty();
    assertThat(map.change(slice("s1", "default/web", "n5")))
        .containsExactly(desire(LB1, web(1), exactly("n5=10.0.0.5")));
    assertThat(map.list(pool("lb-1", "default-web", Set.of()))).startsWith(release(LB1));
  }

  @Test
  void servicesChanged_createdAgain_isReleasedAndAssignedAnew() {
    ready();
    map.list(webPoolWithRuleOf("uid-web", "uid-reborn"));

    assertThat(map.change(local("default/web", "uid-reborn", IpFamily.IPV4)))
        .containsExactly(
            release(LB1),
            desire(
                LB1,
                new Assignment(key("default/web"), "uid-reborn", 2, "auidreborn"),
                exactly("n4=10.0.0.4")));
  }

  private static PoolView webPoolWithRuleOf(String... uids) {
    Set<String> rules = Arrays.stream(uids).map(ServiceFixtures::rule).collect(Collectors.toSet());
    return pool("lb-1", "default-web", rules, "n4=10.0.0.4");
  }

  @Test
  void listed_serviceMoved_releasesBeforeItAssigns() {
    ready();

    List<ServiceMapEffect> effects = map.list(ON_LB2);

    assertThat(effects)
        .containsExactly(
            release(LB1),
            show(LB2, ON_LB2, map.now()),
            desire(LB2, web(2), exactly("n4=10.0.0.4")),
            new ServiceMapEffect.Forget(LB1));
  }

  @Test
  void listed_poolOrRuleIsGone_releasesAndForgets() {
    ready();

    assertThat(map.list(pool("lb-1", "default-web", Set.of())))
        .containsExactly(release(LB1), new ServiceMapEffect.Forget(LB1));
    assertThat(map.list()).isEmpty();
  }

  @Test
  void listed_nothingMoved_showsEveryLivePoolFromTheListingsStart() {
    ready();
    map.startListing();
    Instant started = map.now();

    PoolView drifted = webPool("lb-1", "n4=10.0.0.4", "x=10.0.0.9");
    map.after(SECOND);

    assertThat(map.listed(listing(drifted))).containsExactly(show(LB1, drifted, started));
  }

  @Test
  void listed_nothingMoved_copiesNoMap() {
    ready();
    ServiceMapState before = map.state();

    map.list(ON_LB1);

    assertThat(map.state().cluster()).isSameAs(before.cluster());
    assertThat(map.state().assigned()).isSameAs(before.assigned());
    assertThat(map.state().pools()).isSameAs(before.pools());
  }

  @Test
  void sliceChanged_copiesNoMapThatItDoesNotConcern() {
    ready();
    map.change(slice("s2", "default/api", "n4"));
    ServiceMapState before = map.state();

    map.change(slice("s1", "default/web", "n5"));

    Cluster after = map.state().cluster();
    assertThat(after.services()).isSameAs(before.cluster().services());
    assertThat(after.nodes()).isSameAs(before.cluster().nodes());
    assertThat(after.known()).isSameAs(before.cluster().known());
    assertThat(after.slices().get(key("default/api")))
        .isSameAs(before.cluster().slices().get(key("default/api")));
    assertThat(map.state().index()).isSameAs(before.index());
    assertThat(map.state().pools()).isSameAs(before.pools());
  }

  @Test
  void listed_failed_keepsWhatIsKnown() {
    ready();
    map.startListing();

    assertThat(map.send(new ServiceMapEvent.ListingFailed(ServiceFixtures.FORBIDDEN))).isEmpty();
    assertThat(map.change(slice("s1", "default/web", "n5")))
        .containsExactly(desire(LB1, web(1), exactly("n5=10.0.0.5")));
  }

  @Test
  void listed_twoServicesShareAPool_bothAreToldApart() {
    map.change(node("n4=10.0.0.4"), node("n5=10.0.0.5"));
    map.change(local("a/b-c", "uid-1", IpFamily.IPV4), local("a-b/c", "uid-2", IpFamily.IPV4));
    map.change(slice("s1", "a/b-c", "n4"), slice("s2", "a-b/c", "n5"));
    map.sync(CacheKind.values());
    PoolId shared = lb("lb-1").pool("a-b-c");

    List<ServiceMapEffect> effects =
        map.list(pool("lb-1", "a-b-c", Set.of(rule("uid-1"), rule("uid-2"))));

    assertThat(sent(effects, PoolEvent.Observed.class)).hasSize(1);
    assertThat(sent(effects, PoolEvent.Desire.class))
        .allMatch(send -> send.pool().equals(shared))
        .extracting(send -> ((PoolEvent.Desire) send.event()).level())
        .containsExactlyInAnyOrder(exactly("n4=10.0.0.4"), exactly("n5=10.0.0.5"));
  }

  @Test
  void listed_dualStack_tellsEachPoolItsFamily() {
    map.change(node("n4=10.0.0.4,fd00::4"));
    map.change(slice("s1", "default/web", "n4"));
    map.change(local("default/web", "uid-web", IpFamily.IPV4, IpFamily.IPV6));
    map.sync(CacheKind.values());
    PoolView six = pool("lb-1", "default-web-ipv6", Set.of(rule("uid-web") + "-IPv6"));

    List<ServiceMapEffect> effects = map.list(ON_LB1, six);

    assertThat(sent(effects, PoolEvent.Desire.class))
        .extracting(ServiceMapEffect.Send::pool, send -> ((PoolEvent.Desire) send.event()).level())
        .containsExactlyInAnyOrder(
            tuple(LB1, exactly("n4=10.0.0.4")), tuple(six.id(), exactly("n4=fd00::4")));
  }
}
