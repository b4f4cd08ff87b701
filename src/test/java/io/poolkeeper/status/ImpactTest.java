package io.poolkeeper.status;

import static io.poolkeeper.status.Pools.EDGE;
import static io.poolkeeper.status.Pools.KNOWN;
import static io.poolkeeper.status.Pools.SELF;
import static io.poolkeeper.status.Pools.T0;
import static io.poolkeeper.status.Pools.addresses;
import static io.poolkeeper.status.Pools.forbidden;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.Activity;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolDriver;
import io.poolkeeper.pool.PoolPicture;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.Membership;
import io.poolkeeper.pool.PoolStatus.PastAttempts;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.shadow.ShadowComparison;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which Services count as without a right node, and how the sentence says so. */
class ImpactTest {
  private static final Instant LATER = T0.plusSeconds(30);
  private static final ServiceKey WEB = service("web");

  private final Recent recent = new Recent(T0);
  private final List<PoolStatus> pools = new ArrayList<>();

  private static ServiceKey service(String name) {
    return new ServiceKey("shop", name);
  }

  /** A pool of that Service, which wants so many nodes and has so many. */
  private static PoolStatus pool(
      String name, State state, ServiceKey owner, int right, int wanted) {
    return pool(name, state, Map.of(owner, addresses(wanted)), addresses(right), Set.of());
  }

  /** A pool in which so many entries are Down that a drain has not set Down. */
  private static PoolStatus pool(
      String name,
      State state,
      Map<ServiceKey, Set<Address>> services,
      Set<Address> inPool,
      Set<Address> down) {
    Set<Address> desired = new HashSet<>();
    services.values().forEach(desired::addAll);
    long missing = desired.stream().filter(one -> !inPool.contains(one)).count();
    long surplus = inPool.stream().filter(one -> !desired.contains(one)).count();
    Difference difference =
        new Difference(
            (int) missing, (int) surplus, 0, down.size(), Set.of(), true, false, Optional.empty());
    return status(
        name, state, services, new Membership(desired, inPool, down, Set.of(), false, difference));
  }

  private static PoolStatus status(
      String name, State state, Map<ServiceKey, Set<Address>> services, Membership members) {
    Optional<ArmFailure> error =
        state == State.FAILED ? Optional.of(forbidden()) : Optional.empty();
    return new PoolStatus(
        EDGE.pool(name),
        services,
        new Activity(
            state,
            "",
            Optional.of(T0.plusSeconds(48)),
            List.of(),
            Optional.of(T0),
            WouldWrite.NOTHING),
        members,
        new PastAttempts(Optional.empty(), error, 0, 0, Optional.empty()),
        PoolPicture.UNKNOWN);
  }

  private void at(Instant when, PoolStatus next) {
    Optional<PoolStatus> before =
        pools.stream().filter(of -> of.id().equals(next.id())).findFirst();
    before.ifPresent(pools::remove);
    pools.add(next);
    recent.changed(before, next, Optional.empty(), when);
  }

  private Snapshot snapshot(
      Knowledge knowledge, PauseView pause, Optional<ShadowComparison> comparison) {
    return new Snapshot(
        pools,
        knowledge,
        Snapshot.optedOut(knowledge),
        Optional.empty(),
        NodesView.UNKNOWN,
        BindingsView.NONE,
        pause,
        comparison,
        recent.view(LATER),
        CallsLeft.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        0);
  }

  private Report report(Instant now) {
    return Report.of(
        snapshot(KNOWN, PauseView.NONE, Optional.empty()), Optional.of("pk-1"), SELF, now);
  }

  private List<ServiceKey> without() {
    return report(LATER).impact().none().stream().map(Impact.Without::service).toList();
  }

  private String sentence() {
    Headline headline = report(LATER).headline();
    return headline.text() + headline.rest();
  }

  @Test
  void of_aServiceWithoutARightNode_countsAfterThirtySeconds() {
    at(T0, pool("web", State.PARKED, WEB, 0, 3));

    assertThat(report(LATER.minusMillis(1)).impact().none()).isEmpty();
    assertThat(report(LATER).impact().none())
        .containsExactly(
            new Impact.Without(
                WEB, new Cause.Throttled(Optional.of(EDGE)), List.of(EDGE.pool("web")), T0));
  }

  @Test
  void of_aServiceThatGotANodeBetween_countsFromAnew() {
    at(T0, pool("web", State.PARKED, WEB, 0, 3));
    at(T0.plusSeconds(10), pool("web", State.PARKED, WEB, 1, 3));
    at(T0.plusSeconds(11), pool("web", State.PARKED, WEB, 0, 3));

    assertThat(without()).isEmpty();
  }

  @Test
  void of_aServiceThatWantsNoNode_doesNotCount() {
    at(T0, pool("web", State.PARKED, Map.of(WEB, Set.of()), addresses(2), Set.of()));

    assertThat(without()).isEmpty();
    assertThat(sentence()).isEqualTo("1 pool only holds too much: Azure throttles lb-edge.");
  }

  @Test
  void of_onlyOneFamilyOfAServiceWithoutNodes_namesItsPool() {
    at(T0, pool("web", State.IDLE, WEB, 3, 3));
    at(T0, pool("web-IPv6", State.PARKED, WEB, 0, 3));
    at(T0, pool("web-lan", State.PARKED, WEB, 0, 2));

    assertThat(report(LATER).impact().none())
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.pools())
                    .containsExactly(EDGE.pool("web-IPv6"), EDGE.pool("web-lan")));
  }

  @Test
  void of_aPoolOfTwoServices_countsEachByItsOwnNodes() {
    Set<Address> other = Set.of(Address.of("10.0.9.9"));
    at(
        T0,
        pool(
            "shared",
            State.PARKED,
            Map.of(WEB, addresses(2), service("api"), other),
            addresses(2),
            Set.of()));

    assertThat(without()).containsExactly(service("api"));
  }

  @Test
  void of_aPoolThatNoServiceOwns_countsForNobody() {
    at(T0, pool("kubernetes", State.PARKED, Map.of(), Set.of(), Set.of()));

    assertThat(report(LATER).impact().text()).isEmpty();
  }

  @Test
  void without_entriesThatADrainHasSetDown_countsNeitherAsWantedNorAsMissing() {
    PoolDriver two = PoolDriver.settled("n4 n5 n6").leave("n4 n5");
    assertThat(without(two.shows("n4/Down n5/Down"))).as("its third node is missing").hasSize(1);
    assertThat(without(two.shows("n4 n5"))).as("two still serve").isEmpty();
    assertThat(without(two.leave("n4 n5 n6").shows("n4/Down n5/Down n6/Down"))).isEmpty();
  }

  @Test
  void without_entriesThatAreDownWithoutADrain_areMissing_whateverIsKnownOfLeftovers() {
    assertThat(without(PoolDriver.settled("n4").leave("").shows("n4/Down"))).hasSize(1);
    assertThat(without(PoolDriver.settled("n4").shows("n4/Down").keeps("n4 n5", ""))).hasSize(1);
  }

  @Test
  void headline_whoseWaitIsOfAnotherCause_hasNoCountdown() {
    at(T0, pool("web", State.PARKED, WEB, 0, 1));
    for (String more : List.of("a", "b", "c")) {
      at(T0, pool(more, State.POSTPONED, service(more), 2, 3));
    }

    Headline headline = report(LATER).headline();

    assertThat(headline.rest()).contains("Azure throttles", " Another client writes lb-edge");
    assertThat(headline.until()).isEmpty();
  }

  @Test
  void without_entriesThatStayOnPurpose_mayServe() {
    assertThat(without(PoolDriver.settled("n4").keeps("n5", "n4"))).isEmpty();
    assertThat(without(PoolDriver.settled("n4").keeps("n5", ""))).hasSize(1);
    assertThat(without(PoolDriver.settled("n4").keeps("n5", "n4").shows("n4/Down"))).hasSize(1);
  }

  private static Set<ServiceKey> without(PoolDriver pool) {
    return Impact.without(pool.status(EDGE.pool("web")));
  }

  @Test
  void of_entriesThatAreLeftDown_areMissing() {
    at(T0, pool("web", State.PARKED, Map.of(WEB, addresses(1)), addresses(1), addresses(1)));

    assertThat(without()).containsExactly(WEB);
  }

  @Test
  void of_poolsThatAreHeldOrPaused_countsFromWhenTheyAreNot() {
    at(T0, pool("web", State.HELD, WEB, 0, 3));
    at(T0, pool("api", State.PAUSED, service("api"), 0, 3));
    at(T0.plusSeconds(20), pool("api", State.GATHERING, service("api"), 0, 3));

    assertThat(report(LATER).impact().none()).isEmpty();
    assertThat(report(LATER.plusSeconds(20)).impact().none())
        .extracting(Impact.Without::service)
        .containsExactly(service("api"));
  }

  @Test
  void of_aPoolThatWasNotSeenYet_doesNotCount() {
    at(
        T0,
        status(
            "web",
            State.WAITING,
            Map.of(WEB, addresses(3)),
            new Membership(addresses(3), Set.of(), Set.of(), Set.of(), false, Difference.NONE)));

    assertThat(report(LATER).impact().text()).isEmpty();
  }

  @Test
  void of_shadowPauseOrStandby_isEmpty() {
    at(T0, pool("web", State.PARKED, WEB, 0, 3));
    PauseView pause =
        new PauseView(Optional.of(new Pause(LATER, LATER, "work", false)), Optional.empty());
    Knowledge standby =
        new Knowledge(KNOWN.synced(), Set.of(), true, false, Map.of(), Optional.empty());

    assertThat(
            List.of(
                snapshot(KNOWN, PauseView.NONE, Optional.of(ShadowComparison.begin(T0))),
                snapshot(KNOWN, pause, Optional.empty()),
                snapshot(standby, PauseView.NONE, Optional.empty())))
        .allSatisfy(of -> assertThat(Impact.without(of, EDGE.pool("web"), LATER)).isEmpty());
  }

  @Test
  void sentence_beginsWithImpact_andToneStaysWithWhoActs() {
    at(T0, pool("web", State.PARKED, WEB, 0, 3));
    at(T0, pool("api", State.PARKED, service("api"), 0, 3));
    at(T0, pool("pay", State.PARKED, service("pay"), 2, 3));
    at(T0, pool("old", State.PARKED, Map.of(service("old"), addresses(1)), addresses(3), Set.of()));

    Headline headline = report(LATER).headline();

    assertThat(headline.text()).isEqualTo("2 Services have no right node");
    assertThat(headline.rest())
        .isEqualTo(
            ": Azure throttles lb-edge."
                + " 1 more has fewer than wanted, 1 pool only holds too much.");
    assertThat(headline.tone()).isEqualTo(Tone.WAIT);
    assertThat(headline.todo()).isEqualTo("Nothing to do now.");
    assertThat(headline.more()).isEqualTo("Without a right node: shop/api, shop/web.");
    assertThat(headline.until()).contains(T0.plusSeconds(48));
  }

  @Test
  void sentence_ofFewerNodesOnly_saysSo() {
    at(T0, pool("web", State.PARKED, WEB, 2, 3));

    assertThat(sentence())
        .isEqualTo("1 Service has fewer nodes than wanted: Azure throttles lb-edge.");
  }

  @Test
  void sentence_whereAnotherCauseNeedsAPerson_namesBoth() {
    at(T0, pool("web", State.PARKED, WEB, 0, 3));
    at(T0, pool("pay", State.FAILED, service("pay"), 2, 3));

    Headline headline = report(LATER).headline();

    assertThat(headline.text() + headline.rest())
        .isEqualTo(
            "1 Service has no right node: Azure throttles lb-edge. 1 more has fewer than wanted."
                + " Azure refuses to write lb-edge: a right is missing.");
    assertThat(headline.tone()).isEqualTo(Tone.NEED);
    assertThat(headline.until()).as("waiting does not help").isEmpty();
  }
}
