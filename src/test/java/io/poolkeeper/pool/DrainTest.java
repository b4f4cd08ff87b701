package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.STOP;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.updating;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.ratelimit.PermitAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that are out of service, in one pool (spec 2; architecture, Invariants). */
class DrainTest {
  private static final String UNDONE =
      "the write succeeded, but a read after it shows the admin states as they were before";

  /** A pool of n4 and n5, as desired. */
  private static PoolDriver idle() {
    return settled("n4 n5").after(60);
  }

  /** n4 leaves, and the permit has come: the pool is read. */
  private static PoolDriver draining() {
    return idle().leave("n4").granted();
  }

  @Test
  void outOfService_poolHoldsTheNode_asksForAPermitAtOnce() {
    PoolDriver pool = idle().leave("n4").out("permit DRAIN 1/2").granted().out("read");

    pool.read("n4 n5").out("put n4/Down; report 1 pending n4");
  }

  @Test
  void outOfService_poolDoesNotHoldTheNode_restsAndReportsWithTheNextListing() {
    PoolDriver pool = idle();
    var before = pool.now();

    pool.after(1).leave("n6").out("").rests().shows(pool("n4 n5"), before).out("");
    pool.shows("n4 n5").out("report 1");
  }

  @Test
  void outOfService_poolWasNotSeenYet_drainsWhenAListingShowsIt() {
    PoolDriver pool = new PoolDriver(LIMITS).leave("n4").out("");

    pool.shows("n4 n5").out("report 1 pending n4; permit DRAIN 1/2");
  }

  /** The PUT of n4 has ended, and is to be confirmed. */
  private static PoolDriver confirming() {
    return draining()
        .read("n4 n5")
        .after(1)
        .wrote()
        .out("drained n4/Down PT1S; verification; read until 2026-11-21T10:01:11Z");
  }

  @Test
  void written_stateIsReportedDoneOnlyWhenAGetUnderTheSamePermitShowsIt() {
    PoolDriver pool = confirming().is("Reading");

    pool.read("n4/Down n5").out("return SUCCEEDED; report 1").is("Idle").rests();
    assertThat(pool.status().members().down()).isEqualTo(pool("n4").addresses());
  }

  @Test
  void confirmation_thatFailsOrShowsAWriteInFlight_isLeftToAListing() {
    for (PoolDriver pool :
        List.of(confirming().failed(500), confirming().read(updating("n4/Down n5")))) {
      pool.out("return SUCCEEDED; read back").is("Idle").rests();

      pool.shows("n4/Down n5").out("report 1");
    }
    confirming().throttled(600).out("return SUCCEEDED; throttled drain; read back").rests();
  }

  @Test
  void confirmation_thatShowsTheStateUndone_isTriedAgainAsAfterAFailure() {
    PoolDriver pool = confirming();
    for (double wait : new double[] {0.75, 1.5, 3}) {
      String failed = "drain failed " + UNDONE + (wait == 0.75 ? "" : " again");
      pool.read("n4 n5").has("return SUCCEEDED", failed).wakes(wait).timer();
      pool.out("permit DRAIN_RETRY 1/2").granted().read("n4 n5").wrote();
    }

    pool.read("n4/Down n5").out("return SUCCEEDED; report 1").is("Idle").rests();
    pool.shows("n4 n5").has("permit DRAIN 1/2");
  }

  /** The listing began while the GET was on its way, so it knows more. */
  @Test
  void confirmation_thatIsOlderThanAListing_isIgnored() {
    PoolDriver pool = confirming().after(1).shows("n4 n5").after(1).read("n4/Down n5");

    pool.out("return SUCCEEDED; permit DRAIN 1/2");
  }

  @Test
  void confirmation_hasTenSeconds_andIsLeftToAListingIfThePermitEndsBefore() {
    for (int left : new int[] {9, 10}) {
      PoolDriver pool = idle().leave("n4");
      Instant deadline = pool.now().plusSeconds(left);
      pool.send(new PoolEvent.PermitAnswered(new PermitAnswer.Granted(1, deadline, false)));

      pool.read("n4 n5").wrote();

      pool.has(left == 10 ? "read until " + deadline : "read back");
    }
  }

  @Test
  void confirmation_levelComesMeanwhile_isWrittenAtOnce() {
    PoolDriver pool = confirming().after(1).leave("n4 n5").out("");

    pool.read("n4/Down n5").has("return SUCCEEDED", "permit DRAIN 1/1");
  }

  @Test
  void confirmation_showsDrift_isFollowedByARepair() {
    confirming().read("n4/Down").has("return SUCCEEDED", "report 1").timer().out("permit REPAIR");
  }

  @Test
  void stop_whileAStateIsConfirmed_returnsTheTurnOfAWriteThatSucceeded() {
    PoolDriver pool = confirming().send(STOP).out("");

    pool.copy().read("n4/Down n5").out("return SUCCEEDED");
    pool.failed(500).out("return SUCCEEDED");
  }

  @Test
  void returned_isSetBackToNone() {
    PoolDriver pool = idle().shows("n4/Down n5").leave("").out("permit DRAIN").granted();

    pool.read("n4/Down n5").has("put n4/None");
  }

  @Test
  void returned_whileTheWatchOfNodesIsLost_staysDown() {
    PoolDriver pool = idle().shows("n4/Down n5");
    OutOfService known = PoolFixtures.leaving(2, "n5");
    OutOfService old = new OutOfService(2, known.nodes(), known.leaving(), false, 0);

    pool.send(new PoolEvent.NodesOutOfService(old, pool.now())).granted();

    pool.read("n4/Down n5").has("put n5/Down");
  }

  @Test
  void plan_upOnANodeInServiceIsLeft_andAPoolOfNoRuleOrForOutbound() {
    PoolView seen = pool("n4/Up n5/Up n9/Down");
    PoolView outbound =
        new PoolView(seen.id(), "", false, seen.entries(), seen.rules(), true, true);
    PoolView unbalanced = PoolFixtures.withRules(Set.of(), "n4/Up n5/Up");

    assertThat(AdminPlan.of(seen, PoolFixtures.leaving(1, "n5")))
        .extracting(plan -> PoolFixtures.text(PoolEdit.NONE.with(plan.edit())))
        .isEqualTo("n5/Down");
    for (PoolView alone : List.of(outbound, unbalanced)) {
      assertThat(AdminPlan.of(alone, PoolFixtures.leaving(1, "n5")).isEmpty()).isTrue();
    }
  }

  @Test
  void reverted_byAnotherWriter_isWrittenAgainAtOnce() {
    draining().read("n4 n5").written().after(1).shows("n4 n5").has("permit DRAIN 1/2");
  }

  @Test
  void change_thatIsDue_goesAlongInOnePut() {
    PoolDriver pool = idle().web("n4").timer().leave("n4").out("permit DRAIN 1/2").granted();

    pool.read("n4 n5").has("put -5 n4/Down");
  }

  @Test
  void change_thatWasTakenBack_leavesTheDrainItGoesAlongWithOutOfTheSpacing() {
    PoolDriver pool = idle().web("n4").web("n4 n5").timer().leave("n4").granted().read("n4 n5");

    pool.after(1).written().web("n5").wakes(0.1);
  }

  @Test
  void change_ofANodeThatLeaves_isAddedDown() {
    idle().leave("n6").web("n4 n5 n6").writing("n4 n5").has("put +n6 n6/Down");
  }

  /** The phases that wait for something. */
  static Stream<PoolDriver> waitingForOtherThings() {
    return Stream.of(
        settled("n4 n5").web("n4").reading().throttled(600),
        settled("n4 n5").web("n4").reading().failed(403),
        settled("n4 n5").web("n4").writing("n4 n5").written().shows("n4 n5"));
  }

  @ParameterizedTest
  @MethodSource("waitingForOtherThings")
  void drain_passesWhatWaits_andLeavesItAsItWas_evenIfItFails(PoolDriver pool) {
    PoolStatus before = pool.status();
    pool.leave("n4").out("permit DRAIN 1/2").granted();
    PoolDriver failed = pool.copy().failed(412);

    failed.out("return UNREAD; drain failed; report 0 pending n4 failed");
    pool.read("n4 n5").has("put n4/Down").written();

    for (PoolDriver after : List.of(failed.leave(""), pool)) {
      assertThat(after.status())
          .usingRecursiveComparison()
          .comparingOnlyFields("activity.state", "activity.why", "activity.retries")
          .isEqualTo(before);
    }
    assertThat(pool.status().activity().until()).isEqualTo(before.activity().until());
  }

  @Test
  void returned_beforeThePermit_needsNoPermit_orThatOfTheChangeAlone() {
    idle().leave("n4").leave("").out("cancel").is("Idle");
    idle().web("n4").timer().leave("n4").leave("").out("permit UPDATE");
  }

  @Test
  void released_whileADrainWaitsWithItsChange_drainsAlone() {
    PoolDriver pool = idle().web("n4").timer().leave("n4").release(WEB).out("").granted();

    pool.read("n4 n5").has("put n4/Down");
  }

  @Test
  void updating_anotherWrite_isLookedAtAgainInASecond_andRepairedIfItTookTheNodeOut() {
    draining().read(updating("n4 n5")).wakes(1).timer().out("permit DRAIN 1/2");

    draining().read(updating("n5")).wakes(0.1).timer().out("permit REPAIR");
  }

  @Test
  void drain_thatMeetsDrift_isFollowedByARepair() {
    PoolDriver pool = draining().read("n4").written();

    pool.timer().out("permit REPAIR").granted().read("n4/Down").has("put +n5");
  }

  @Test
  void status_countsEntriesByTheirState_withOrWithoutAnAddress() {
    PoolStatus status = idle().shows("n4/Up nic/Down nic2/Down").status();

    assertThat(status.picture().count(AdminState.DOWN)).isEqualTo(2);
    assertThat(status.picture().count(AdminState.UP)).isEqualTo(1);
  }

  @Test
  void interfaces_areDrainedThoughTheirMembersAreLeftAlone() {
    draining().read("n4 nic").has("put n4/Down");
  }

  @Test
  void stop_whileADrainIsUnderWay_reportsNothing() {
    draining().read("n4 n5").send(STOP).written().out("return SUCCEEDED").is("Stopped");
  }

  /**
   * How much of a pool is leaving, as the rate limiter hears it (architecture, The rate limiter).
   */
  @ParameterizedTest
  @CsvSource({"n4, 1/1", "n4 n5 n6, 1/3", "n4 n5/Down, 1/1", "n4 n5/Up, 1/2", "n4 x=9 nic, 1/3"})
  void share_isOfTheEntriesThatAreNotDownYet(String entries, String share) {
    PoolDriver pool = settled("n5").leave("n4").out("");

    pool.shows(entries).has("permit DRAIN " + share);
  }

  @Test
  void share_anotherNodeLeavesDuringTheWait_isSaidAnew_andNotTwice() {
    PoolDriver pool =
        idle().leave("n4").out("permit DRAIN 1/2").leave("n4 n5").out("permit DRAIN 1/1");

    pool.leave("n4 n5 n6").out("").leave("n5").out("permit DRAIN 1/2");
    pool.shows("n4 n5 n6").has("permit DRAIN 1/3");
  }

  @Test
  void share_whatIsShownWhileAChangeGathers_counts() {
    idle().leave("n6").web("n4").shows("n4 n5 n6").has("permit DRAIN 1/3");
  }
}
