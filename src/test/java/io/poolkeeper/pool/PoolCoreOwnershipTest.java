package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.addresses;
import static io.poolkeeper.pool.PoolFixtures.countUpdated;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitFailed;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.updating;
import static io.poolkeeper.pool.PoolFixtures.web;
import static io.poolkeeper.pool.PoolFixtures.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolEdit;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose pool it is may change at any moment; who does not own it is neither served nor told. */
class PoolCoreOwnershipTest {
  private static final PoolEvent RELEASE_WEB = new PoolEvent.Release(WEB);
  private static final Set<String> API_RULES = Set.of("aapi-TCP-80");

  /** A pool that gathers a change of its only Service: n4 is to become n5. */
  private static PoolDriver gathering() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    return pool;
  }

  @Test
  void release_whileGathering_dropsTheOperationAndRests() {
    PoolDriver pool = gathering();

    assertThat(pool.send(RELEASE_WEB)).isEmpty();

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.state().queue().isEmpty()).isTrue();
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @Test
  void release_whileGatheringForTwo_keepsTheOthersOperationAndDue() {
    PoolDriver pool = gathering();
    pool.send(desire(API_2, "n6=10.0.0.6"));

    assertThat(pool.send(RELEASE_WEB)).isEmpty();

    assertThat(pool.state().wakeAt()).contains(T0.plus(WINDOW));
    assertThat(pool.state().queue().operations())
        .extracting(UpdateQueue.Operation::service)
        .containsExactly(API);
  }

  @Test
  void release_whileWaiting_leavesTheLine() {
    PoolDriver pool = gathering();
    pool.fire();

    assertThat(pool.send(RELEASE_WEB)).containsExactly(new PoolEffect.CancelTurn());
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void turnGranted_afterTheLineWasLeft_goesBack() {
    PoolDriver pool = gathering();
    pool.fire();
    pool.send(RELEASE_WEB);

    assertThat(pool.send(PoolFixtures.granted(5))).containsExactly(PoolFixtures.unread(5));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void release_whileReading_endsWithoutPut() {
    PoolDriver pool = gathering();
    pool.toReading();

    assertThat(pool.send(RELEASE_WEB)).isEmpty();

    assertThat(pool.read("n4=10.0.0.4")).containsExactly(PoolFixtures.unchanged(1));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void release_whileReadingForTwo_plansForTheOtherAlone() {
    PoolDriver pool = gathering();
    pool.send(desire(API_2, "n6=10.0.0.6"));
    pool.toReading();
    pool.send(RELEASE_WEB);

    assertThat(pool.read("n4=10.0.0.4")).containsExactly(pool.write("-10.0.0.4", "+n6=10.0.0.6"));
    assertThat(pool.written())
        .containsExactly(
            PoolFixtures.well(1),
            emitUpdated(API_2),
            countUpdated(Duration.ZERO),
            PoolFixtures.LOOK);
  }

  @Test
  void release_whileWriting_isNeitherToldNorCounted() {
    PoolDriver pool = gathering();
    pool.toWriting("n4=10.0.0.4");
    pool.send(RELEASE_WEB);

    assertThat(pool.written()).containsExactly(PoolFixtures.well(1), PoolFixtures.LOOK);
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void release_whileWritingAndTheWriteFails_isNeitherToldNorCounted() {
    PoolDriver pool = gathering();
    pool.toWriting("n4=10.0.0.4");
    pool.send(RELEASE_WEB);

    assertThat(pool.failed(FORBIDDEN)).containsExactly(PoolFixtures.badly(1));
  }

  @Test
  void read_asWishedAfterARetry_isASuccessOfThoseWhoStillOwnThePool() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.send(desire(API_2, "n5=10.0.0.5"));
    pool.toReading().failed(PoolFixtures.CONFLICT);
    pool.toReading();

    assertThat(
            pool.send(
                PoolFixtures.read(PoolFixtures.withRules(Set.of("aapi-TCP-80"), "n5=10.0.0.5"))))
        .contains(emitUpdated(API_2))
        .doesNotContain(emitUpdated(WEB_1));
  }

  @Test
  void release_unknownService_changesNothing() {
    PoolDriver pool = gathering();
    PoolState before = pool.state();

    assertThat(pool.send(new PoolEvent.Release(API))).isEmpty();

    assertThat(pool.state()).isEqualTo(before);
  }

  @Test
  void release_duringTheWindow_firesNoAttemptLater() {
    PoolDriver pool = gathering();
    pool.send(RELEASE_WEB);

    assertThat(pool.after(WINDOW).send(new PoolEvent.TimerDue())).isEmpty();
  }

  @Test
  void desire_afterAMoveAwayAndBackWhileWriting_concernsTheNewAssignmentOnly() {
    PoolDriver pool = gathering();
    pool.toWriting("n4=10.0.0.4");
    pool.send(RELEASE_WEB);
    pool.send(desire(web(8), "n6=10.0.0.6"));

    assertThat(pool.written()).noneMatch(PoolEffect.Emit.class::isInstance);
    pool.toWriting("n5=10.0.0.5");

    assertThat(pool.written())
        .containsExactly(
            PoolFixtures.well(2),
            emitUpdated(web(8)),
            countUpdated(Duration.ZERO),
            PoolFixtures.LOOK);
  }

  @Test
  void desire_serviceCreatedAgainWithAnotherUid_isToldUnderTheNewOne() {
    PoolDriver pool = gathering();
    pool.toWriting("n4=10.0.0.4");
    Assignment reborn = new Assignment(WEB, "uid-reborn", 9, "aweb");
    pool.send(RELEASE_WEB);
    pool.send(desire(reborn, "n6=10.0.0.6"));
    assertThat(pool.written()).noneMatch(PoolEffect.Emit.class::isInstance);

    pool.toWriting("n5=10.0.0.5");

    assertThat(pool.written()).contains(emitUpdated(reborn)).doesNotContain(emitUpdated(WEB_1));
  }

  @Test
  void read_ruleOfTheOnlyServiceIsGone_dropsQuietlyAndAsksForAListing() {
    PoolDriver pool = gathering();
    pool.toReading();

    assertThat(pool.send(PoolFixtures.read(withRules(API_RULES, "n4=10.0.0.4"))))
        .containsExactly(
            new PoolEffect.Report(PoolReport.Sign.LISTING_WANTED), PoolFixtures.unchanged(1));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.state().queue().isEmpty()).isTrue();
  }

  @Test
  void read_noRuleAtAll_poolIsBoundToTheService_isWritten() {
    Assignment bound = new Assignment(WEB, "uid-web", 1, Optional.empty());
    PoolDriver pool = PoolDriver.settled(bound, "n4=10.0.0.4").after(Duration.ofHours(1));
    pool.send(PoolFixtures.ADMITTED);
    pool.send(desire(bound, "n5=10.0.0.5"));
    pool.toReading();

    PoolEdit edit =
        PoolEdit.of(
            addresses("10.0.0.4"),
            Map.of(Address.of("10.0.0.5"), "n5"),
            Optional.of(PoolFixtures.ALL));
    assertThat(pool.send(PoolFixtures.read(withRules(Set.of(), "n4=10.0.0.4"))))
        .containsExactly(new PoolEffect.Write(pool.readLast(), edit, Instant.MAX));
  }

  @Test
  void read_ofABoundPool_beforeItsMarkIsKnown_changesNothing() {
    Assignment bound = new Assignment(WEB, "uid-web", 1, Optional.empty());
    PoolDriver pool = PoolDriver.settled(bound, "n4=10.0.0.4").after(Duration.ofHours(1));
    pool.send(desire(bound, "n5=10.0.0.5"));
    pool.toReading();

    assertThat(pool.read("n4=10.0.0.4")).noneMatch(PoolEffect.Write.class::isInstance);
  }

  @Test
  void read_ruleOfOneOfTwoIsGone_addsTheOthersAndRemovesNothing() {
    PoolDriver pool = gathering();
    pool.send(desire(API_2, "n6=10.0.0.6"));
    pool.toReading();

    assertThat(pool.send(PoolFixtures.read(withRules(API_RULES, "n4=10.0.0.4"))))
        .containsExactly(
            new PoolEffect.Report(PoolReport.Sign.LISTING_WANTED), pool.write("+n6=10.0.0.6"));
  }

  @Test
  void read_ruleInAnotherCaseOrWithASubnet_isTheServicesOwn() {
    PoolDriver pool = gathering();
    pool.toReading();

    assertThat(pool.send(PoolFixtures.read(withRules(Set.of("AWEB-subnet-TCP-80"), "n4=10.0.0.4"))))
        .containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
  }

  @Test
  void read_ruleOfALongerPrefix_isSomebodyElses() {
    PoolDriver pool = gathering();
    pool.toReading();

    assertThat(pool.send(PoolFixtures.read(withRules(Set.of("awebshop-TCP-80"), "n4=10.0.0.4"))))
        .containsExactly(
            new PoolEffect.Report(PoolReport.Sign.LISTING_WANTED), PoolFixtures.unchanged(1));
  }

  @Test
  void written_ruleOfOneOfTwoWasGone_tellsTheOtherOnly() {
    PoolDriver pool = gathering();
    pool.send(desire(API_2, "n6=10.0.0.6"));
    pool.toReading();
    pool.send(PoolFixtures.read(withRules(API_RULES, "n4=10.0.0.4")));

    assertThat(pool.written())
        .containsExactly(
            PoolFixtures.well(1),
            emitUpdated(API_2),
            countUpdated(Duration.ZERO),
            PoolFixtures.LOOK);
  }

  @Test
  void failed_ruleOfOneOfTwoWasGone_tellsTheOtherOnly() {
    PoolDriver pool = gathering();
    pool.send(desire(API_2, "n6=10.0.0.6"));
    pool.toReading();
    pool.send(PoolFixtures.read(withRules(API_RULES, "n4=10.0.0.4")));

    assertThat(pool.failed(FORBIDDEN))
        .contains(emitFailed(API_2, FORBIDDEN))
        .doesNotContain(emitFailed(WEB_1, FORBIDDEN));
  }

  @Test
  void written_repairWhileAServiceJoins_tellsThoseItWasPlannedFor() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.observed(pool.now(), "n4=10.0.0.4", "stale=10.0.0.9");
    pool.toWriting("n4=10.0.0.4", "stale=10.0.0.9");
    pool.send(desire(API_2, "n4=10.0.0.4"));

    assertThat(pool.written()).contains(emitUpdated(WEB_1)).doesNotContain(emitUpdated(API_2));
  }

  @Test
  void release_lastServiceWhileARepairIsGathered_restsAndReadsNothing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.observed(pool.now(), "drift=10.0.0.9");

    assertThat(pool.send(RELEASE_WEB)).isEmpty();

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void release_lastServiceWhileAnotherWritersEndIsAwaited_leavesTheLine() {
    PoolDriver pool = gathering();
    pool.toReading();
    pool.send(PoolFixtures.read(updating("n4=10.0.0.4")));
    pool.fire();

    assertThat(pool.send(RELEASE_WEB)).containsExactly(new PoolEffect.CancelTurn());
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void read_nobodyOwnsThePoolAndItIsUpdating_isNotLookedAtAgain() {
    PoolDriver pool = gathering();
    pool.toReading();
    pool.send(RELEASE_WEB);

    assertThat(pool.send(PoolFixtures.read(updating("n4=10.0.0.4"))))
        .containsExactly(PoolFixtures.othersWrite(1));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }
}
