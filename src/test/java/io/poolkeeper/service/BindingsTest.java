package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.cluster;
import static io.poolkeeper.service.ServiceFixtures.exactly;
import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.lb;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.sentTo;
import static io.poolkeeper.service.ServiceFixtures.serviceGone;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.PoolEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Services that are bound to pools of load balancers that the cloud provider does not manage. */
class BindingsTest {
  private static final ServiceKey API = key("default/api");
  private static final PoolId GATEWAY = lb("gateway").pool("blue");
  private static final PoolId ELSEWHERE =
      new LoadBalancerId(GATEWAY.loadBalancer().subscription(), "Other", "edge").pool("blue");
  private static final PoolView SHOWN = pool("gateway", "blue", Set.of());
  private static final Mark MARK = new Mark(".pk-0123456789abcdef");
  private static final BoundPool FREE = bound(GATEWAY, Optional.empty());

  private ServiceMapDriver map = new ServiceMapDriver();

  private static BoundPool bound(PoolId pool, Optional<String> held) {
    return BoundPool.of(pool, MARK, API, IpFamily.IPV4, held);
  }

  /** A Service of the kind whose pools the cloud provider does not make, on n4. */
  private List<ServiceMapEffect> ready(BoundPool... bound) {
    map.change(node("n4=10.0.0.4"), node("n5=10.0.0.5"));
    map.change(cluster("default/api"), local("default/web"));
    map.change(slice("api-1", "default/api", "n4"), slice("web-1", "default/web", "n4"));
    map.sync(CacheKind.values());
    List.of(bound).forEach(this::bind);
    return map.list(SHOWN, webPool("lb-1"));
  }

  private List<ServiceMapEffect> bind(BoundPool bound) {
    return map.send(new ServiceMapEvent.PoolBound(bound.pool(), Optional.of(bound)));
  }

  private List<ServiceMapEffect> unbind(PoolId pool) {
    return map.send(new ServiceMapEvent.PoolBound(pool, Optional.empty()));
  }

  private BoundPool leaving(PoolId pool) {
    return BoundPool.leaving(pool, MARK, map.now());
  }

  private static List<Level> levels(PoolId pool, List<ServiceMapEffect> effects) {
    return sentTo(pool, effects).stream()
        .filter(PoolEvent.Desire.class::isInstance)
        .map(desire -> ((PoolEvent.Desire) desire).level())
        .toList();
  }

  @Test
  void listed_boundPool_getsWhatItsServiceWants_whateverTheTrafficPolicy() {
    assertThat(levels(GATEWAY, ready(FREE))).containsExactly(exactly("n4=10.0.0.4"));
  }

  @Test
  void listed_updaterIsOff_boundPoolGetsWhatItsServiceWants_andNoOtherIsOwned() {
    map = ServiceMapDriver.withoutOwners();

    List<ServiceMapEffect> effects = ready(FREE);

    assertThat(levels(GATEWAY, effects)).containsExactly(exactly("n4=10.0.0.4"));
    assertThat(sentTo(webPoolId("lb-1"), effects)).isEmpty();
  }

  @Test
  void listed_withoutABinding_theLoadBalancerIsNoneOfOurs() {
    assertThat(sentTo(GATEWAY, ready())).isEmpty();
    assertThat(map.state().index().orElseThrow().pools()).doesNotContainKey(GATEWAY);
  }

  @Test
  void listed_poolOfABoundLoadBalancerWithTheNameOfAServicesPool_isNotTheServices() {
    ready(FREE);

    List<ServiceMapEffect> effects =
        map.list(SHOWN, pool("gateway", "default-web", Set.of(ServiceFixtures.rule("uid-web"))));

    assertThat(sentTo(lb("gateway").pool("default-web"), effects)).isEmpty();
    assertThat(sentTo(webPoolId("lb-1"), effects))
        .contains(new PoolEvent.Release(key("default/web")));
  }

  @Test
  void binding_ofAPoolThatIsNotThere_sendsNothing() {
    ready();
    map.list(webPool("lb-1"));
    bind(FREE);

    assertThat(sentTo(GATEWAY, map.list(pool("gateway", "green", Set.of())))).isEmpty();
  }

  @Test
  void listed_boundPoolThatIsNotThere_isMissingOnlyWhereItsGroupWasListed() {
    ready();
    bind(FREE);
    bind(bound(ELSEWHERE, Optional.empty()));

    assertThat(map.list())
        .as("the listing was of the configured group only")
        .contains(new ServiceMapEffect.BoundListed(Set.of(GATEWAY), Map.of(), Map.of()));
  }

  @Test
  void listed_groupThatCannotBeRead_keepsItsPoolsAndShowsNothing() {
    bindElsewhere();
    ArmFailure refused = new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Forbidden", "no");
    map.startListing();

    List<ServiceMapEffect> effects =
        map.listed(
            new Listing(
                List.of(), List.of(), Set.of("rg"), Map.of("other", refused), Optional.empty()));

    assertThat(effects)
        .contains(new ServiceMapEffect.BoundListed(Set.of(), Map.of(ELSEWHERE, refused), Map.of()));
    assertThat(sentTo(ELSEWHERE, effects)).isEmpty();
    assertThat(map.state().assigned()).containsKey(API);
  }

  @Test
  void listed_configuredGroupCannotBeRead_othersAreShownAndItsPoolsAreKept() {
    bindElsewhere();
    map.startListing();
    map.listed(
        withElsewhere(ServiceFixtures.listing(webPool("lb-1")).loadBalancers(), Optional.empty()));
    assertThat(map.state().assigned()).containsKeys(API, key("default/web"));
    ArmFailure refused = new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Forbidden", "no");
    map.startListing();

    List<ServiceMapEffect> effects = map.listed(withElsewhere(List.of(), Optional.of(refused)));

    assertThat(sentTo(ELSEWHERE, effects))
        .hasOnlyElementsOfType(PoolEvent.Observed.class)
        .hasSize(1);
    assertThat(sentTo(webPoolId("lb-1"), effects)).isEmpty();
    assertThat(map.state().assigned()).containsKeys(API, key("default/web"));
    assertThat(map.state().schedule().failure()).contains(refused);
    assertThat(map.state().schedule().due()).contains(map.now().plusSeconds(1));
  }

  @Test
  void listed_configuredGroupCannotBeReadSinceTheStart_boundPoolsElsewhereAreWritten() {
    ArmFailure refused = new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Forbidden", "no");
    map.change(node("n4=10.0.0.4"));
    map.change(cluster("default/api"));
    map.change(slice("api-1", "default/api", "n4"));
    map.sync(CacheKind.values());
    map.startListing();
    bind(bound(ELSEWHERE, Optional.empty()));

    assertThat(levels(ELSEWHERE, map.listed(withElsewhere(List.of(), Optional.of(refused)))))
        .hasSize(1);
  }

  private static Listing withElsewhere(List<LoadBalancerView> own, Optional<ArmFailure> failure) {
    LoadBalancerView shown =
        new LoadBalancerView(
            ELSEWHERE.loadBalancer(),
            List.of(new PoolView(ELSEWHERE, "etag", false, List.of(), Set.of(), true)));
    Set<String> groups = failure.isPresent() ? Set.of("other") : Set.of("rg", "other");
    Map<String, ArmFailure> unread = failure.map(why -> Map.of("rg", why)).orElse(Map.of());
    return new Listing(own, List.of(shown), groups, unread, failure);
  }

  /** A pool of another group that is bound, and was listed. */
  private void bindElsewhere() {
    ready();
    bind(bound(ELSEWHERE, Optional.empty()));
    map.startListing();
    assertThat(levels(ELSEWHERE, map.listed(withElsewhere(List.of(), Optional.empty()))))
        .hasSize(1);
  }

  @Test
  void nodesInAPool_thatIsNotBoundAnyMore_areNoneOfOurs() {
    ready(FREE);
    ClusterNodes nodes =
        new ClusterNodes(Map.of(Address.of("10.0.0.4"), new NodeKey("n4")), Map.of(), Map.of());
    map.send(
        new ServiceMapEvent.NodesOutOfService(
            new OutOfService(1, nodes, new TreeMap<>(), true, 0)));
    map.list(pool("gateway", "blue", Set.of("rule"), "n4=10.0.0.4"), webPool("lb-1"));
    assertThat(map.state().pools().get(GATEWAY)).matches(LivePool::holdsNodes);

    assertThat(unbind(GATEWAY)).contains(new ServiceMapEffect.Forget(GATEWAY));
  }

  @Test
  void service_thatIsGone_isUnknown_soThatItsAddressesStay() {
    ready(FREE);

    List<ServiceMapEffect> effects =
        map.send(new ServiceMapEvent.ServicesChanged(serviceGone("default/api")));

    assertThat(levels(GATEWAY, effects)).containsExactly(new Level.Unknown());
  }

  @Test
  void bind_comesBeforeWhatIsDesired_andConcernsItsPoolAlone() {
    ready();

    List<ServiceMapEffect> begun = bind(FREE);
    List<ServiceMapEffect> held = bind(bound(GATEWAY, Optional.of("a check")));

    assertThat(sentTo(GATEWAY, begun).getFirst()).isEqualTo(new PoolEvent.Bind(Optional.of(FREE)));
    assertThat(levels(GATEWAY, begun)).containsExactly(exactly("n4=10.0.0.4"));
    assertThat(held)
        .containsExactly(
            new ServiceMapEffect.Send(
                GATEWAY, new PoolEvent.Bind(Optional.of(bound(GATEWAY, Optional.of("a check"))))));
  }

  /** Many pools of one Service cost no more than as many of others. */
  @Test
  void bind_ofAnotherPoolOfTheService_leavesWhatItHasAlone() {
    ready(FREE);
    PoolId green = lb("gateway").pool("green");
    map.list(SHOWN, pool("gateway", "green", Set.of()), webPool("lb-1"));
    Object before = map.state().assigned().get(API).get(GATEWAY);

    List<ServiceMapEffect> effects = bind(bound(green, Optional.empty()));

    assertThat(levels(green, effects)).containsExactly(exactly("n4=10.0.0.4"));
    assertThat(sentTo(GATEWAY, effects)).isEmpty();
    assertThat(map.state().assigned().get(API).get(GATEWAY)).isSameAs(before);
  }

  @Test
  void crashedPool_hearsOfItsBindingFirst() {
    ready(FREE);
    map.send(new ServiceMapEvent.PoolCrashed(GATEWAY));

    List<ServiceMapEffect> effects =
        map.after(Duration.ofSeconds(1)).send(new ServiceMapEvent.TimerDue());

    assertThat(sentTo(GATEWAY, effects).getFirst())
        .isEqualTo(new PoolEvent.Bind(Optional.of(FREE)));
    assertThat(levels(GATEWAY, effects)).containsExactly(exactly("n4=10.0.0.4"));
  }

  /** Somebody's binding of a pool that is not there, and a check that flaps. */
  @Test
  void binding_ofAnUnknownPool_asksForAListingOnce_andDelaysNone() {
    ready();
    map.list(webPool("lb-1"));
    map.after(Duration.ofSeconds(20));
    Instant soon = map.now().plusSeconds(1);

    bind(FREE);

    assertThat(map.state().schedule().due()).contains(soon);
    map.after(Duration.ofSeconds(1)).list(webPool("lb-1"));
    Optional<Instant> next = map.state().schedule().due();
    bind(bound(GATEWAY, Optional.of("a check")));
    bind(FREE);
    assertThat(map.state().schedule().due()).isEqualTo(next);
    bind(bound(ELSEWHERE, Optional.empty()));
    assertThat(map.state().schedule().due()).contains(soon.plusSeconds(10));
    map.change(local("default/new"));
    assertThat(map.state().schedule().due()).contains(map.now().plusSeconds(1));
  }

  @Test
  void leaving_releasesTheService_andNeedsNone() {
    ready(FREE);

    List<PoolEvent> sent = sentTo(GATEWAY, bind(leaving(GATEWAY)));

    assertThat(sent)
        .containsExactly(
            new PoolEvent.Bind(Optional.of(leaving(GATEWAY))), new PoolEvent.Release(API));
    assertThat(unbind(GATEWAY)).contains(new ServiceMapEffect.Forget(GATEWAY));
  }

  @Test
  void leaving_ofAPoolThatNoListingShows_getsAnActor_onceAnythingMayBeWritten() {
    map.sync(CacheKind.values());
    assertThat(bind(leaving(ELSEWHERE))).isEmpty();

    assertThat(sentTo(ELSEWHERE, map.list()))
        .containsExactly(new PoolEvent.Bind(Optional.of(leaving(ELSEWHERE))));
    assertThat(sentTo(GATEWAY, bind(leaving(GATEWAY))))
        .containsExactly(new PoolEvent.Bind(Optional.of(leaving(GATEWAY))));
  }

  @Test
  void leaving_crashedPool_hearsItAgain() {
    ready(leaving(GATEWAY));
    map.send(new ServiceMapEvent.PoolCrashed(GATEWAY));

    List<ServiceMapEffect> effects =
        map.after(Duration.ofSeconds(1)).send(new ServiceMapEvent.TimerDue());

    assertThat(sentTo(GATEWAY, effects).getFirst())
        .isEqualTo(
            new PoolEvent.Bind(Optional.of(BoundPool.leaving(GATEWAY, MARK, ServiceFixtures.T0))));
  }

  @Test
  void leaving_thatAnotherBindingFollows_getsItsServiceBack() {
    ready(FREE);
    bind(leaving(GATEWAY));

    List<PoolEvent> sent = sentTo(GATEWAY, bind(FREE));

    assertThat(sent.getFirst()).isEqualTo(new PoolEvent.Bind(Optional.of(FREE)));
    assertThat(sent).hasSize(2).last().isInstanceOf(PoolEvent.Desire.class);
  }

  @Test
  void binding_heardDuringTheFirstListing_asksForNoOther() {
    map.sync(CacheKind.values());
    map.startListing();

    bind(FREE);

    assertThat(map.state().schedule().asked()).isEmpty();
    assertThat(map.state().schedule().regular()).isEqualTo(ServiceFixtures.RESYNC);
  }

  /** What a standby was shown before it led counts for nothing, as for any other leader. */
  @Test
  void listed_configuredGroupCannotBeReadSinceTheReplicaLeads_itsPoolsAreNotWritten() {
    ServiceMapDriver standby = ServiceMapDriver.standby();
    standby.change(node("n4=10.0.0.4"));
    standby.change(local("default/web"));
    standby.change(slice("web-1", "default/web", "n4"));
    standby.sync(CacheKind.values());
    standby.list(webPool("lb-1"));
    standby.after(Duration.ofSeconds(1)).send(new ServiceMapEvent.Lead());
    standby.startListing();
    ArmFailure missing = new ArmFailure(ArmFailure.Kind.RESPONSE, 404, "NotFound", "no");

    List<ServiceMapEffect> effects = standby.listed(withElsewhere(List.of(), Optional.of(missing)));

    assertThat(sentTo(webPoolId("lb-1"), effects)).isEmpty();
  }
}
