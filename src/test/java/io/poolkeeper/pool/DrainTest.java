package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.READ;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that are out of service, in one pool (spec 2; architecture, Invariants). */
class DrainTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final PoolEffect DRAIN = PoolFixtures.drain(Lane.DRAIN, 1, 2);
  private static final PoolEffect READ_BACK =
      new PoolEffect.Report(PoolReport.Sign.READ_BACK_WANTED);
  private static final String BOTH = "n4=10.0.0.4,n5=10.0.0.5";

  /** A pool of n4 and n5, as desired. */
  private static PoolDriver settled() {
    return PoolDriver.settled(WEB_1, BOTH.split(",")).after(Duration.ofMinutes(1));
  }

  private static PoolEvent nodes(PoolDriver pool, long version, String... leaving) {
    return new PoolEvent.NodesOutOfService(leaving(version, leaving), pool.now());
  }

  /** n4 leaves, and the turn has come: the pool is read. */
  private static PoolDriver draining() {
    PoolDriver pool = settled();
    pool.send(nodes(pool, 1, "n4"));
    pool.send(PoolFixtures.granted(1));
    return pool;
  }

  private static PoolEffect report(long version, Optional<ArmFailure> failure, String... pending) {
    Set<NodeKey> nodes =
        Stream.of(pending).map(NodeKey::new).collect(java.util.stream.Collectors.toSet());
    return new PoolEffect.Report(new AdminReport(version, nodes, Set.of(), failure));
  }

  @Test
  void outOfService_poolHoldsTheNode_asksForATurnAtOnce() {
    PoolDriver pool = settled();

    assertThat(pool.send(nodes(pool, 1, "n4"))).containsExactly(DRAIN);

    assertThat(pool.send(PoolFixtures.granted(1))).containsExactly(READ);
    assertThat(pool.read(BOTH.split(",")))
        .containsExactly(pool.write("n4 Down"), report(1, Optional.empty(), "n4"));
  }

  @Test
  void outOfService_poolDoesNotHoldTheNode_restsAndReportsWithTheNextListing() {
    PoolDriver pool = settled();

    assertThat(pool.send(nodes(pool, 1, "n6"))).isEmpty();

    assertThat(pool.observed(pool.now(), BOTH.split(",")))
        .containsExactly(report(1, Optional.empty()));
  }

  @Test
  void outOfService_listingFromBefore_provesNothing() {
    PoolDriver pool = settled();
    Instant before = pool.now();

    pool.after(SECOND).send(nodes(pool, 1, "n6"));

    assertThat(pool.observed(before, BOTH.split(","))).isEmpty();
  }

  @Test
  void outOfService_poolWasNotSeenYet_drainsWhenAListingShowsIt() {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS);
    assertThat(pool.send(nodes(pool, 1, "n4"))).isEmpty();

    assertThat(pool.observed(pool.now(), BOTH.split(",")))
        .containsExactly(report(1, Optional.empty(), "n4"), DRAIN);
  }

  @Test
  void written_stateIsReportedDoneOnlyWhenALaterListingShowsIt() {
    PoolDriver pool = draining();
    pool.read(BOTH.split(","));

    assertThat(pool.after(SECOND).written())
        .containsExactly(
            PoolFixtures.well(1),
            new PoolEffect.Drained(PoolFixtures.edit("n4 Down").adminStates(), SECOND),
            PoolFixtures.LOOK,
            READ_BACK);
    assertThat(pool.observed(pool.now().minus(SECOND), "n4=10.0.0.4 Down", "n5=10.0.0.5"))
        .isEmpty();
    assertThat(pool.observed(pool.now(), "n4=10.0.0.4 Down", "n5=10.0.0.5"))
        .containsExactly(report(1, Optional.empty()));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void returned_isSetBackToNone() {
    PoolDriver pool = settled();
    pool.observed(pool.now(), "n4=10.0.0.4 Down", "n5=10.0.0.5");

    assertThat(pool.send(nodes(pool, 2)))
        .containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.DRAIN)));

    pool.send(PoolFixtures.granted(1));
    assertThat(pool.read("n4=10.0.0.4 Down", "n5=10.0.0.5")).contains(pool.write("n4 None"));
  }

  @Test
  void returned_whileTheWatchOfNodesIsLost_staysDown() {
    PoolDriver pool = settled();
    pool.observed(pool.now(), "n4=10.0.0.4 Down", "n5=10.0.0.5");
    OutOfService known = leaving(2, "n5");
    OutOfService old = new OutOfService(2, known.nodes(), known.leaving(), false, 0);

    pool.send(new PoolEvent.NodesOutOfService(old, pool.now()));

    pool.send(PoolFixtures.granted(1));
    assertThat(pool.read("n4=10.0.0.4 Down", "n5=10.0.0.5")).contains(pool.write("n5 Down"));
  }

  @Test
  void plan_upOnANodeInService_isLeft_andOnALeavingOneIsNot() {
    PoolView seen = pool("n4=10.0.0.4 Up", "n5=10.0.0.5 Up", "n9=10.0.0.9 Down");

    assertThat(AdminPlan.of(seen, leaving(1, "n5")).edit())
        .isEqualTo(PoolFixtures.edit("n5 Down").adminStates());
  }

  @Test
  void plan_poolOfNoRuleOrForOutbound_isLeftAlone() {
    PoolView seen = pool(BOTH.split(","));
    PoolView outbound =
        new PoolView(seen.id(), "", false, seen.entries(), seen.rules(), true, true);

    assertThat(AdminPlan.of(withRules(Set.of(), BOTH.split(",")), leaving(1, "n4")).isEmpty())
        .isTrue();
    assertThat(AdminPlan.of(outbound, leaving(1, "n4")).isEmpty()).isTrue();
  }

  @Test
  void reverted_byAnotherWriter_isWrittenAgainAtOnce() {
    PoolDriver pool = draining();
    pool.read(BOTH.split(","));
    pool.written();

    assertThat(pool.after(SECOND).observed(pool.now(), BOTH.split(","))).contains(DRAIN);
  }

  @Test
  void change_thatIsDue_goesAlongInOnePut() {
    PoolDriver pool = settled();
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.fire();

    assertThat(pool.send(nodes(pool, 1, "n4"))).containsExactly(DRAIN);

    pool.send(PoolFixtures.granted(1));
    assertThat(pool.read(BOTH.split(","))).contains(pool.write("-10.0.0.5", "n4 Down"));
  }

  @Test
  void change_thatWasTakenBack_leavesTheDrainItGoesAlongWithOutOfTheSpacing() {
    PoolDriver pool = settled();
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.send(desire(WEB_1, BOTH.split(",")));
    pool.fire();
    pool.send(nodes(pool, 1, "n4"));
    pool.send(PoolFixtures.granted(1));
    pool.read(BOTH.split(","));

    pool.after(SECOND).written();

    assertThat(pool.state().history().spacing()).isEqualTo(Spacing.NONE);
  }

  @Test
  void change_ofANodeThatLeaves_isAddedDown() {
    PoolDriver pool = settled();
    pool.send(nodes(pool, 1, "n6"));
    pool.send(desire(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"));

    pool.toWriting(BOTH.split(","));

    assertThat(pool.effects()).contains(pool.write("+n6=10.0.0.6", "n6 Down"));
  }

  /** The phases that wait for something, each with what is written in it. */
  static Stream<Arguments> waitingForOtherThings() {
    PoolDriver parked = PoolDriver.settled(WEB_1, BOTH.split(","));
    parked.send(desire(WEB_1, "n4=10.0.0.4"));
    parked.toReading();
    parked.failed(PoolFixtures.throttled(parked.now().plusSeconds(600)));
    PoolDriver failed = PoolDriver.settled(WEB_1, BOTH.split(","));
    failed.send(desire(WEB_1, "n4=10.0.0.4"));
    failed.toReading();
    failed.failed(FORBIDDEN);
    PoolDriver spaced = PoolDriver.settled(WEB_1, BOTH.split(","));
    spaced.send(desire(WEB_1, "n4=10.0.0.4"));
    spaced.toWriting(BOTH.split(","));
    spaced.written();
    spaced.observed(spaced.now(), BOTH.split(","));
    return Stream.of(
        Arguments.of("parked", parked),
        Arguments.of("failed", failed),
        Arguments.of("spaced", spaced));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waitingForOtherThings")
  void drain_passesWhatWaits_andLeavesItAsItWas(String what, PoolDriver pool) {
    Phase before = pool.phase();
    List<Integer> retries = pool.retries();

    assertThat(pool.send(nodes(pool, 1, "n4"))).containsExactly(DRAIN);

    pool.send(PoolFixtures.granted(7));
    assertThat(pool.read(BOTH.split(","))).contains(pool.write("n4 Down"));
    pool.written();
    assertThat(pool.phase()).isEqualTo(before);
    assertThat(pool.retries()).isEqualTo(retries);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waitingForOtherThings")
  void drain_thatFails_costsNothingOfWhatWaits(String what, PoolDriver pool) {
    Phase before = pool.phase();
    List<Integer> retries = pool.retries();
    pool.send(nodes(pool, 1, "n4"));
    pool.send(PoolFixtures.granted(7));

    List<PoolEffect> effects = pool.failed(CONFLICT);

    assertThat(effects)
        .contains(
            new PoolEffect.DrainFailed(CONFLICT, Duration.ZERO, true),
            report(0, Optional.of(CONFLICT), "n4"))
        .noneMatch(PoolEffect.Emit.class::isInstance);
    assertThat(pool.phase()).isEqualTo(before);
    assertThat(pool.retries()).isEqualTo(retries);
  }

  @Test
  void returned_beforeTheTurn_needsNoTurn() {
    PoolDriver pool = settled();
    pool.send(nodes(pool, 1, "n4"));

    assertThat(pool.send(nodes(pool, 2))).containsExactly(new PoolEffect.CancelTurn());
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void returned_beforeTheTurnOfAChange_leavesTheChangeInItsLane() {
    PoolDriver pool = settled();
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.fire();
    pool.send(nodes(pool, 1, "n4"));

    assertThat(pool.send(nodes(pool, 2)))
        .containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.UPDATE)));
  }

  @Test
  void released_whileADrainWaitsWithItsChange_drainsAlone() {
    PoolDriver pool = settled();
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.fire();
    pool.send(nodes(pool, 1, "n4"));

    assertThat(pool.send(new PoolEvent.Release(PoolFixtures.WEB))).isEmpty();

    pool.send(PoolFixtures.granted(1));
    assertThat(pool.read(BOTH.split(","))).contains(pool.write("n4 Down"));
  }

  @Test
  void updating_anotherWrite_isLookedAtAgainInASecond() {
    PoolDriver pool = draining();

    pool.send(PoolFixtures.read(PoolFixtures.updating(BOTH.split(","))));

    assertThat(pool.state().wakeAt()).contains(pool.now().plusSeconds(1));
    assertThat(pool.fire()).containsExactly(DRAIN);
  }

  @Test
  void updating_anotherWriteTookTheNodeOut_isFollowedByARepair() {
    PoolDriver pool = draining();

    pool.send(PoolFixtures.read(PoolFixtures.updating("n5=10.0.0.5")));

    assertThat(pool.state().queue().repair()).isTrue();
    assertThat(pool.state().wakeAt()).isPresent();
  }

  @Test
  void drain_thatMeetsDrift_isFollowedByARepair() {
    PoolDriver pool = draining();

    pool.read("n4=10.0.0.4");
    pool.written();

    assertThat(pool.state().queue().repair()).isTrue();
    pool.toWriting("n4=10.0.0.4 Down");
    assertThat(pool.effects()).contains(pool.write("+n5=10.0.0.5"));
  }

  @Test
  void status_showsWhatIsDown() {
    PoolDriver pool = settled();

    pool.observed(pool.now(), "n4=10.0.0.4 Down", "n5=10.0.0.5");

    assertThat(PoolStatus.of(PoolFixtures.POOL, pool.state()).down())
        .isEqualTo(PoolFixtures.addresses("10.0.0.4"));
  }

  @Test
  void status_countsEntriesByTheirState_withOrWithoutAnAddress() {
    PoolDriver pool = settled();

    pool.observed(pool.now(), "n4=10.0.0.4 Up", "nic Down", "nic2 Down");

    PoolStatus status = PoolStatus.of(PoolFixtures.POOL, pool.state());
    assertThat(status.entriesDown()).isEqualTo(2);
    assertThat(status.entriesUp()).isEqualTo(1);
  }

  @Test
  void interfaces_areDrainedThoughTheirMembersAreLeftAlone() {
    PoolDriver pool = draining();

    assertThat(pool.read("n4=10.0.0.4", "nic")).contains(pool.write("n4 Down"));
  }

  @Test
  void stop_whileADrainIsUnderWay_reportsNothing() {
    PoolDriver pool = draining();
    pool.read(BOTH.split(","));
    pool.send(new PoolEvent.Stop());

    assertThat(pool.written()).containsExactly(new PoolEffect.ReturnTurn(1, TurnResult.SUCCEEDED));
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
  }
}
