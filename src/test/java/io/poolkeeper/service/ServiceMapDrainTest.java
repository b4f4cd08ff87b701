package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.T0;
import static io.poolkeeper.service.ServiceFixtures.lb;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.sentTo;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.pool.AdminReport;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How pools hear of nodes that are out of service, and which pools do. */
class ServiceMapDrainTest {
  private static final PoolId CLUSTER = lb("lb-1").pool("kubernetes");
  private static final PoolView WEB = webPool("lb-1", "n4=10.0.0.4");

  private ServiceMapDriver map = new ServiceMapDriver();

  private static OutOfService leaving(long version, String... nodes) {
    NavigableMap<NodeKey, Leaving> out = new TreeMap<>();
    for (String name : nodes) {
      out.put(new NodeKey(name), new Leaving("uid-" + name, Set.of(Reason.SHUTDOWN), T0));
    }
    ClusterNodes all =
        new ClusterNodes(Map.of(Address.of("10.0.0.4"), new NodeKey("n4")), Map.of(), Map.of());
    return new OutOfService(version, all, out, true, 0);
  }

  private List<ServiceMapEffect> hear(long version, String... nodes) {
    return map.send(new ServiceMapEvent.NodesOutOfService(leaving(version, nodes)));
  }

  private void ready(PoolView... pools) {
    map.change(node("n4=10.0.0.4"));
    map.change(local("default/web"));
    map.change(slice("web-1", "default/web", "n4"));
    map.sync(CacheKind.values());
    map.list(pools);
  }

  private Duration nextListing() {
    return Duration.between(map.now(), map.state().schedule().due().orElseThrow());
  }

  /** The distances of the next listings, up to the end of a time. */
  private List<Long> listingsWithin(Duration time) {
    List<Long> seconds = new ArrayList<>();
    for (Duration passed = nextListing();
        passed.compareTo(time) <= 0;
        passed = passed.plus(nextListing())) {
      seconds.add(nextListing().toSeconds());
      map.list(WEB);
    }
    return seconds;
  }

  @Test
  void outOfService_isSentToEveryPool_andAsksForAListingAtOnce() {
    ready(WEB);
    map.after(Duration.ofMinutes(10)).list(WEB);
    map.after(Duration.ofMinutes(1));

    List<ServiceMapEffect> effects = hear(1, "n4");

    assertThat(sentTo(webPoolId("lb-1"), effects))
        .containsExactly(new PoolEvent.NodesOutOfService(leaving(1, "n4"), map.now()));
    assertThat(nextListing()).isZero();
    assertThat(map.state().schedule().cause(map.now())).isEqualTo(ListingCause.DRAIN);
  }

  @Test
  void outOfService_updaterIsOff_isSentToEveryPoolOfTheNode_andNoMembersAreWanted() {
    map = ServiceMapDriver.withoutOwners();
    ready(WEB);

    assertThat(sentTo(webPoolId("lb-1"), hear(1, "n4")))
        .contains(new PoolEvent.NodesOutOfService(leaving(1, "n4"), map.now()))
        .noneMatch(PoolEvent.Desire.class::isInstance);
  }

  /** What returned meanwhile is reported when a listing shows it. */
  @Test
  void outOfService_theWatchOfNodesIsBack_asksForAListing() {
    ready(WEB);
    OutOfService known = leaving(1);
    map.send(
        new ServiceMapEvent.NodesOutOfService(
            new OutOfService(1, known.nodes(), known.leaving(), false, 0)));
    map.list(WEB);
    map.after(Duration.ofSeconds(5));

    hear(2);

    assertThat(nextListing()).isZero();
  }

  @Test
  void outOfService_noOtherNodeThanBefore_needsNoListing() {
    ready(WEB);
    hear(1, "n4");
    map.list(WEB);
    Duration before = nextListing();

    hear(2, "n4");

    assertThat(nextListing()).isEqualTo(before);
  }

  private static final String CONFIGURATION = "/x/networkInterfaces/N/ipConfigurations/C";

  /** A pool of the interface of a single virtual machine, which has a rule. */
  private static final PoolView OF_INTERFACES =
      new PoolView(
          new LoadBalancerId("s", "rg", "lb-1").pool("cluster"),
          "",
          false,
          List.of(
              new PoolEntry("e", Optional.empty(), Optional.of(CONFIGURATION), AdminState.NONE)),
          Set.of("rule"),
          true);

  @Test
  void interfacesThatDoNotSayWhoseTheyAre_areReportedOnceAndFollowedWhenTheyAreKnown() {
    ready(WEB, OF_INTERFACES);
    String folded = CONFIGURATION.toLowerCase(Locale.ROOT);
    assertThat(hear(1)).contains(new ServiceMapEffect.InterfacesSeen(Set.of(folded)));
    assertThat(map.list(WEB, OF_INTERFACES))
        .noneMatch(ServiceMapEffect.InterfacesSeen.class::isInstance);
    OutOfService known = leaving(2);
    ClusterNodes nodes =
        new ClusterNodes(Map.of(), Map.of("vm", new NodeKey("n4")), Map.of(folded, "vm"));

    List<ServiceMapEffect> effects =
        map.send(
            new ServiceMapEvent.NodesOutOfService(
                new OutOfService(2, nodes, known.leaving(), true, 0)));

    assertThat(sentTo(OF_INTERFACES.id(), effects))
        .contains(new PoolEvent.Observed(OF_INTERFACES, map.now()));
  }

  @Test
  void outOfService_severalInASecond_areListedASecondApart() {
    ready(WEB);
    map.after(Duration.ofMinutes(1));
    hear(1, "n4");
    map.startListing();

    hear(2, "n4", "n5");

    map.listed(ServiceFixtures.listing(WEB));
    assertThat(nextListing()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void outOfService_isLookedAfterOftenAndThenRarely() {
    ready(WEB);
    map.after(Duration.ofMinutes(10));
    map.list(WEB);
    hear(1, "n4");
    map.list(WEB);

    assertThat(listingsWithin(Duration.ofMinutes(5))).hasSize(20).containsOnly(15L);
    assertThat(listingsWithin(Duration.ofSeconds(450))).containsExactly(30L, 60L, 120L, 120L, 120L);
  }

  @Test
  void outOfService_lastNodeIsBack_isLookedAfterAtOnceAndAsAfterAWrite() {
    ready(WEB);
    map.after(Duration.ofMinutes(10)).list(WEB);
    map.after(Duration.ofMinutes(1));
    hear(1, "n4");
    map.list(WEB);
    map.after(Duration.ofSeconds(10));

    hear(2);

    assertThat(nextListing()).isZero();
    assertThat(listingsWithin(Duration.ofMinutes(9))).containsExactly(0L, 35L, 85L, 180L);
  }

  @Test
  void written_isReadBackASecondLater() {
    ready(WEB);
    hear(1, "n4");
    map.list(WEB);
    map.after(Duration.ofSeconds(10));

    map.send(new ServiceMapEvent.PoolReported(webPoolId("lb-1"), PoolReport.Sign.READ_BACK_WANTED));

    assertThat(nextListing()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void listed_saysWhichVersionWasKnownWhenTheListingWasAskedFor() {
    ready(WEB);
    hear(1, "n4");
    map.startListing();
    hear(2, "n4");

    assertThat(map.listed(ServiceFixtures.listing(WEB))).endsWith(new ServiceMapEffect.Looked(1));
  }

  @Test
  void listed_beforeTheCachesAreFilled_saysNothing_andPoolsAreFollowedOnceTheyAre() {
    PoolView cluster = pool("lb-1", "kubernetes", Set.of("rule"), "n4=10.0.0.4");
    hear(1, "n4");

    assertThat(map.list(cluster)).isEmpty();

    map.sync(CacheKind.values());
    assertThat(map.state().pools()).containsKey(CLUSTER);
  }

  @Test
  void reported_isPassedOn() {
    ready(WEB);
    AdminReport report = new AdminReport(1, Set.of(), Set.of(), Optional.empty());

    assertThat(map.send(new ServiceMapEvent.PoolReported(webPoolId("lb-1"), report)))
        .containsExactly(new ServiceMapEffect.Drained(webPoolId("lb-1"), report));
  }

  @Test
  void poolOfNoService_thatHoldsANode_isFollowedOnceNodesAreKnown() {
    PoolView cluster = pool("lb-1", "kubernetes", Set.of("rule"), "n4=10.0.0.4");
    ready(WEB, cluster);
    assertThat(map.state().pools()).doesNotContainKey(CLUSTER);

    List<ServiceMapEffect> effects = hear(1);

    assertThat(sentTo(CLUSTER, effects))
        .containsExactly(
            new PoolEvent.NodesOutOfService(leaving(1), map.now()),
            new PoolEvent.Observed(cluster, map.state().index().orElseThrow().listedAt()));
  }

  @Test
  void poolOfNoService_withoutNodesOrRules_isNotFollowed() {
    PoolView empty = pool("lb-1", "kubernetes", Set.of("rule"), "other=10.9.9.9");
    PoolView unused = pool("lb-1", "spare", Set.of(), "n4=10.0.0.4");
    PoolView elsewhere = pool("lb-9", "theirs", Set.of("rule"), "n4=10.0.0.4");
    ready(WEB, empty, unused, elsewhere);

    hear(1, "n4");

    assertThat(map.state().pools().keySet()).containsExactly(webPoolId("lb-1"));
  }

  @Test
  void poolOfNoService_thatIsGone_isForgotten() {
    PoolView cluster = pool("lb-1", "kubernetes", Set.of("rule"), "n4=10.0.0.4");
    ready(WEB, cluster);
    hear(1, "n4");

    assertThat(map.list(WEB)).contains(new ServiceMapEffect.Forget(CLUSTER));
    assertThat(map.state().pools()).doesNotContainKey(CLUSTER);
  }

  @Test
  void poolThatLosesItsService_isFollowedOnForItsNodes() {
    ready(WEB);
    hear(1, "n4");

    map.send(new ServiceMapEvent.ServicesChanged(ServiceFixtures.serviceGone("default/web")));
    List<ServiceMapEffect> effects = map.list(WEB);

    assertThat(effects).doesNotContain(new ServiceMapEffect.Forget(webPoolId("lb-1")));
    assertThat(map.state().pools()).containsKey(webPoolId("lb-1"));
  }

  @Test
  void poolWhoseActorFailed_hearsAgainWhoIsOutOfService() {
    ready(WEB);
    hear(1, "n4");
    map.send(new ServiceMapEvent.PoolCrashed(webPoolId("lb-1")));
    map.after(Duration.ofSeconds(1));

    List<ServiceMapEffect> effects = map.send(new ServiceMapEvent.TimerDue());

    assertThat(sentTo(webPoolId("lb-1"), effects).getFirst())
        .isInstanceOf(PoolEvent.NodesOutOfService.class);
  }
}
