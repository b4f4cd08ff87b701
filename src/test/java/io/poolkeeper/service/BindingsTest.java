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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Bound;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.Terms;
import java.time.Duration;
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
  private static final Bound SHARED = new Bound(true, Set.of(Address.of("10.0.0.4")));

  private final ServiceMapDriver map = new ServiceMapDriver();

  /** A Service of the kind whose pools the cloud provider does not make, on n4. */
  private List<ServiceMapEffect> ready(Bindings bindings) {
    map.change(node("n4=10.0.0.4"), node("n5=10.0.0.5"));
    map.change(cluster("default/api"), local("default/web"));
    map.change(slice("api-1", "default/api", "n4"), slice("web-1", "default/web", "n4"));
    map.sync(CacheKind.values());
    bind(bindings);
    return map.list(SHOWN, webPool("lb-1"));
  }

  private List<ServiceMapEffect> bind(Bindings bindings) {
    return map.send(new ServiceMapEvent.BindingsChanged(bindings));
  }

  private static Bindings bound(Bound how) {
    return bindings(new BoundPool(GATEWAY, IpFamily.IPV4, how, false), Map.of());
  }

  private static Bindings bindings(BoundPool pool, Map<PoolId, Terms> terms) {
    return new Bindings(1, Map.of(API, List.of(pool)), terms, Terms.NONE);
  }

  private static Terms held(String why) {
    return new Terms(Optional.of(why), false, Optional.empty(), Optional.empty());
  }

  private static Level level(Bound bound, String... members) {
    Level.Exactly plain = (Level.Exactly) exactly(members);
    return new Level.Exactly(plain.members(), Optional.empty(), Optional.of(bound));
  }

  private static List<Level> levels(PoolId pool, List<ServiceMapEffect> effects) {
    return sentTo(pool, effects).stream()
        .filter(PoolEvent.Desire.class::isInstance)
        .map(desire -> ((PoolEvent.Desire) desire).level())
        .toList();
  }

  @Test
  void listed_boundPool_getsWhatItsServiceWants_whateverTheTrafficPolicy() {
    assertThat(levels(GATEWAY, ready(bound(SHARED)))).containsExactly(level(SHARED, "n4=10.0.0.4"));
  }

  @Test
  void listed_withoutABinding_theLoadBalancerIsNoneOfOurs() {
    assertThat(sentTo(GATEWAY, ready(Bindings.NONE))).isEmpty();
    assertThat(map.state().index().orElseThrow().pools()).doesNotContainKey(GATEWAY);
  }

  @Test
  void listed_poolOfABoundLoadBalancerWithTheNameOfAServicesPool_isNotTheServices() {
    ready(bound(SHARED));

    List<ServiceMapEffect> effects =
        map.list(SHOWN, pool("gateway", "default-web", Set.of(ServiceFixtures.rule("uid-web"))));

    assertThat(sentTo(lb("gateway").pool("default-web"), effects)).isEmpty();
    assertThat(sentTo(webPoolId("lb-1"), effects))
        .contains(new PoolEvent.Release(key("default/web")));
  }

  @Test
  void binding_onAnotherLoadBalancer_asksForAListing() {
    ready(Bindings.NONE);

    bind(bound(SHARED));

    assertThat(map.state().schedule().due().orElseThrow())
        .isBefore(map.now().plus(ServiceFixtures.RESYNC.dividedBy(2)));
    assertThat(levels(GATEWAY, map.list(SHOWN))).containsExactly(level(SHARED, "n4=10.0.0.4"));
  }

  @Test
  void binding_ofAPoolThatIsNotThere_sendsNothing() {
    ready(Bindings.NONE);
    bind(bound(SHARED));

    assertThat(sentTo(GATEWAY, map.list(pool("gateway", "green", Set.of())))).isEmpty();
  }

  @Test
  void listing_isAskedForTheGroupsOfBoundPools() {
    map.sync(CacheKind.values());
    bind(bindings(new BoundPool(ELSEWHERE, IpFamily.IPV4, SHARED, false), Map.of()));
    map.startListing();

    assertThat(map.send(new ServiceMapEvent.ListingGranted()))
        .containsExactly(
            new ServiceMapEffect.StartListing(
                Set.of("other"), map.now(), map.now().plus(Duration.ofSeconds(60))));
  }

  @Test
  void listed_boundPoolThatIsNotThere_isMissingOnlyWhereItsGroupWasListed() {
    ready(Bindings.NONE);
    BoundPool elsewhere = new BoundPool(ELSEWHERE, IpFamily.IPV4, SHARED, false);
    BoundPool here = new BoundPool(GATEWAY, IpFamily.IPV4, SHARED, false);
    bind(new Bindings(1, Map.of(API, List.of(here, elsewhere)), Map.of(), Terms.NONE));

    assertThat(map.list())
        .as("the listing was of the configured group only")
        .contains(new ServiceMapEffect.BoundListed(Set.of(GATEWAY), Map.of()));
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
        .contains(new ServiceMapEffect.BoundListed(Set.of(), Map.of(ELSEWHERE, refused)));
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
    bind(bindings(new BoundPool(ELSEWHERE, IpFamily.IPV4, SHARED, false), Map.of()));

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
    ready(Bindings.NONE);
    bind(bindings(new BoundPool(ELSEWHERE, IpFamily.IPV4, SHARED, false), Map.of()));
    map.startListing();
    assertThat(levels(ELSEWHERE, map.listed(withElsewhere(List.of(), Optional.empty()))))
        .hasSize(1);
  }

  @Test
  void nodesInAPool_thatIsNotBoundAnyMore_areNoneOfOurs() {
    ready(bound(SHARED));
    ClusterNodes nodes =
        new ClusterNodes(Map.of(Address.of("10.0.0.4"), new NodeKey("n4")), Map.of(), Map.of());
    map.send(
        new ServiceMapEvent.NodesOutOfService(
            new OutOfService(1, nodes, new TreeMap<>(), true, 0)));
    map.list(pool("gateway", "blue", Set.of("rule"), "n4=10.0.0.4"), webPool("lb-1"));
    assertThat(map.state().pools().get(GATEWAY)).matches(LivePool::holdsNodes);

    assertThat(bind(Bindings.NONE)).contains(new ServiceMapEffect.Forget(GATEWAY));
  }

  @Test
  void awaitedBindings_untilTheyAreKnown_nothingIsSent() {
    ServiceMapDriver held = ServiceMapDriver.awaitingBindings();
    held.change(node("n4=10.0.0.4"));
    held.change(local("default/web"));
    held.change(slice("web-1", "default/web", "n4"));
    held.sync(CacheKind.values());
    assertThat(sentTo(webPoolId("lb-1"), held.list(webPool("lb-1")))).isEmpty();

    Bindings none = new Bindings(1, Map.of(), Map.of(), Terms.NONE);

    assertThat(levels(webPoolId("lb-1"), held.send(new ServiceMapEvent.BindingsChanged(none))))
        .containsExactly(exactly("n4=10.0.0.4"));
  }

  @Test
  void record_thatGrows_isSent() {
    ready(bound(SHARED));
    Bound more = new Bound(true, Set.of(Address.of("10.0.0.4"), Address.of("10.0.0.5")));

    assertThat(levels(GATEWAY, bind(bound(more)))).containsExactly(level(more, "n4=10.0.0.4"));
    assertThat(bind(bound(more))).isEmpty();
  }

  @Test
  void binding_thatEnds_removesWhatItAdded_evenWithoutItsService() {
    ready(bound(SHARED));
    map.send(new ServiceMapEvent.ServicesChanged(serviceGone("default/api")));

    List<ServiceMapEffect> effects =
        bind(bindings(new BoundPool(GATEWAY, IpFamily.IPV4, SHARED, true), Map.of()));

    assertThat(levels(GATEWAY, effects)).containsExactly(level(SHARED));
    assertThat(sentTo(GATEWAY, bind(Bindings.NONE))).containsExactly(new PoolEvent.Release(API));
  }

  @Test
  void exclusiveBinding_thatEnds_removesNoMoreThanItAdded() {
    Bound exclusive = new Bound(false, SHARED.added());
    ready(bound(exclusive));

    assertThat(
            levels(
                GATEWAY,
                bind(bindings(new BoundPool(GATEWAY, IpFamily.IPV4, exclusive, true), Map.of()))))
        .containsExactly(level(SHARED));
  }

  @Test
  void service_thatIsGone_isUnknown_soThatItsAddressesStay() {
    ready(bound(SHARED));

    List<ServiceMapEffect> effects =
        map.send(new ServiceMapEvent.ServicesChanged(serviceGone("default/api")));

    assertThat(levels(GATEWAY, effects)).containsExactly(new Level.Unknown());
  }

  @Test
  void hold_isSentAfterTheLevel_andWhenItEnds() {
    BoundPool pool = new BoundPool(GATEWAY, IpFamily.IPV4, SHARED, false);
    List<PoolEvent> sent = sentTo(GATEWAY, ready(bindings(pool, Map.of(GATEWAY, held("a check")))));

    assertThat(sent.getLast()).isEqualTo(new PoolEvent.Bind(1, held("a check")));

    assertThat(sentTo(GATEWAY, bind(bindings(pool, Map.of()))))
        .containsExactly(new PoolEvent.Bind(1, Terms.NONE));
    assertThat(sentTo(GATEWAY, bind(bindings(pool, Map.of(GATEWAY, held("another"))))))
        .containsExactly(new PoolEvent.Bind(1, held("another")));
  }

  @Test
  void crashedPool_hearsOfTheHoldAgain() {
    BoundPool pool = new BoundPool(GATEWAY, IpFamily.IPV4, SHARED, false);
    ready(bindings(pool, Map.of(GATEWAY, held("a check"))));
    map.send(new ServiceMapEvent.PoolCrashed(GATEWAY));

    List<ServiceMapEffect> effects =
        map.after(Duration.ofSeconds(1)).send(new ServiceMapEvent.TimerDue());

    assertThat(sentTo(GATEWAY, effects).getLast())
        .isEqualTo(new PoolEvent.Bind(1, held("a check")));
    assertThat(levels(GATEWAY, effects)).containsExactly(level(SHARED, "n4=10.0.0.4"));
  }

  @Test
  void poolThatIsFoundByItsName_hearsOfItsHold_wheneverItBegins() {
    Bindings held =
        new Bindings(1, Map.of(), Map.of(webPoolId("lb-1"), held("a check")), Terms.NONE);
    PoolEvent hold = new PoolEvent.Bind(1, held("a check"));
    assertThat(sentTo(webPoolId("lb-1"), ready(held))).contains(hold);
    map.send(new ServiceMapEvent.PoolCrashed(webPoolId("lb-1")));

    List<ServiceMapEffect> effects =
        map.after(Duration.ofSeconds(1)).send(new ServiceMapEvent.TimerDue());

    assertThat(sentTo(webPoolId("lb-1"), effects).getLast()).isEqualTo(hold);
  }

  /** So that a status of the pool says which bindings it knows. */
  @Test
  void levelOfABinding_isFollowedByItsVersion() {
    ready(bound(SHARED));
    BoundPool ending = new BoundPool(GATEWAY, IpFamily.IPV4, SHARED, true);

    List<PoolEvent> sent =
        sentTo(GATEWAY, bind(new Bindings(7, Map.of(API, List.of(ending)), Map.of(), Terms.NONE)));

    assertThat(sent.getFirst()).isInstanceOf(PoolEvent.Desire.class);
    assertThat(sent.getLast()).isEqualTo(new PoolEvent.Bind(7, Terms.NONE));
  }

  @Test
  void sameServiceAndPool_twice_isRefused() {
    BoundPool pool = new BoundPool(GATEWAY, IpFamily.IPV4, SHARED, false);

    assertThatThrownBy(
            () -> new Bindings(1, Map.of(API, List.of(pool, pool)), Map.of(), Terms.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bound twice");
  }
}
