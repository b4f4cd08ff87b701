package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.refused;
import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a pool that another writer changes, once or again and again. */
class DriftTest {
  private static final String CONTESTED =
      " WARNING LoadBalancerBackendPoolContested Another client removes entries from backend pool"
          + " lb-1/default-web again and again (1, such as 10.0.0.4). Poolkeeper goes on to put"
          + " them back, but later each time, up to 5 minutes. Find that client: the activity log"
          + " of Azure names it.";
  private static final String ADDED = "n4 other=9";

  /** A pool of n4 that a listing has shown so. */
  private static PoolDriver intact() {
    return settled("n4").after(60);
  }

  /** It is repaired, and a minute later shown so again. */
  private static PoolDriver again(PoolDriver pool, String entries) {
    return pool.writing(entries).written().after(60).shows(entries);
  }

  /** Found so for the so-manieth time, a minute after the last repair. */
  private static PoolDriver undone(int times, String entries) {
    PoolDriver pool = intact().shows(entries);
    for (int i = 1; i < times; i++) {
      again(pool, entries);
    }
    return pool;
  }

  /** A fight over an entry that is too much: its repair waits, and that has been said. */
  private static PoolDriver postponed() {
    return undone(3, ADDED).is("Postponed").wakes(30);
  }

  @Test
  void missing_firstSixTimesInAnHour_isPutBackAsSoonAsTheSpacingAllows() {
    PoolDriver pool = intact();
    for (int times = 1; times <= 6; times++) {
      pool.shows("")
          .out("")
          .wakes(0.1)
          .writing("")
          .out("put +n4")
          .written()
          .has("verification")
          .after(60);
    }
    undone(2, "").writing("").written().after(0.5).shows("").wakes(1.5);
  }

  @Test
  void missing_onAndOn_isPutBackAtADelayThatDoublesUpToFiveMinutes_andToldOnce() {
    PoolDriver pool = undone(6, "").api("n4");

    again(pool, "").out("postponed 7 30 news; web" + CONTESTED + "; api" + CONTESTED).wakes(30);
    int times = 8;
    for (int seconds : new int[] {60, 120, 240, 300, 300, 300}) {
      again(pool, "").out("postponed " + times++ + " " + seconds).wakes(seconds);
    }
  }

  @Test
  void surplus_thirdTimeInAnHour_waitsTheIntervalDoublingUpToTheResync() {
    PoolDriver pool = postponed().has("postponed 3 30 news").lacks("web");

    int times = 4;
    for (int seconds : new int[] {60, 120, 240, 480, 600, 600}) {
      again(pool, ADDED).has("postponed " + times++ + " " + seconds).lacks("web");
    }
  }

  @ParameterizedTest
  @CsvSource({"3600, 0.1", "3599, 30"})
  void undone_longerAgoThanAnHour_doesNotCount(double ago, double wait) {
    PoolDriver pool = intact();
    var first = pool.now();
    again(pool.shows(ADDED), ADDED).writing(ADDED).written();

    pool.at(first).after(ago).shows(ADDED).wakes(wait);
  }

  @Test
  void undone_nothingForAnHour_isForgotten_andAFightIsNewsAgain() {
    PoolDriver pool = postponed().writing(ADDED).written().after(3600).shows("n4");
    assertThat(pool.state().history().drift().rows()).isEmpty();

    again(again(pool.shows(ADDED), ADDED), ADDED).has("postponed 3 30 news");
  }

  /** The first two times are longer ago than an hour then. */
  @Test
  void fight_thatGoesOnLater_isNoNews() {
    PoolDriver pool = postponed().writing(ADDED).written().after(3560).shows(ADDED).wakes(0.1);

    again(again(pool, ADDED).wakes(0.1), ADDED).has("postponed 3 30");
  }

  /** What is desired no more, or for the first time, or was never ours, is no drift. */
  @Test
  void otherDamage_doesNotCount() {
    undone(2, ADDED).writing(ADDED).written().after(60).shows("n4 another=10").wakes(0.1);
    again(undone(2, ADDED), "").wakes(0.1);
  }

  /** A PUT writes the pool whole. */
  @Test
  void otherDamage_duringAFight_doesNotWaitForIt() {
    PoolDriver pool = postponed().after(5).shows("other=9").out("").wakes(0.1);

    pool.writing("other=9").out("put -9 +n4");
  }

  @Test
  void ownChange_ofTheSameAddressBeginsAnew_andOneOfAnotherKeepsTheCount() {
    PoolDriver pool = undone(2, ADDED).writing(ADDED).written();
    PoolDriver other = pool.copy();

    pool.web(ADDED).writing("n4").written().after(60).web("n4").writing(ADDED).written();
    pool.after(60).shows(ADDED).wakes(0.1);
    other.web("n4 n5").writing("n4").written().after(60).shows("n4 n5 other=9").wakes(30);
  }

  @Test
  void healedByTheOther_andUndoneWithoutARepairBetween_doesNotCountTwice() {
    PoolDriver pool = undone(2, ADDED);
    for (int i = 0; i < 5; i++) {
      pool.after(0.01).shows("n4").after(0.01).shows(ADDED).is("Gathering");
    }

    again(pool, ADDED).has("postponed 3 30 news");
  }

  @Test
  void postponed_pool_showsWhyAndIsRepairedByItsTimer() {
    PoolDriver pool = postponed();
    assertThat(pool.status().activity().why())
        .isEqualTo("another client changes it again and again; repaired later");
    assertThat(pool.status().activity().until()).contains(pool.now().plusSeconds(30));

    pool.after(5).shows(ADDED).out("").is("Postponed").wakes(25);
    pool.web("n4").is("Postponed").wakes(25);
    pool.after(24.999).tick().out("").timer().out("permit REPAIR");
  }

  @Test
  void postponed_healedByTheOther_orLeftByItsLastService_rests() {
    postponed().after(5).shows("n4").out("").is("Idle").rests();
    postponed().release(WEB).is("Idle").rests();
  }

  @Test
  void postponed_change_goesWithoutWaiting() {
    PoolDriver pool = postponed().web("n4 n5").wakes(0.1).writing(ADDED).out("put -9 +n5");

    pool.written().is("Idle");
  }

  @Test
  void observed_differentForAReasonOfOurs_isNoDamage() {
    PoolDriver released = intact().api("n7").writing("n4").written().after(60).release(API);
    PoolDriver gone = new PoolDriver(LIMITS).web("n4").reading().failed(404).after(60);

    assertNoDamageYet(released, "n4 n7");
    assertNoDamageYet(gone, ADDED);
    refused().shows("n4").out("").is("Failed");
  }

  /** It takes three times more until the repair waits. */
  private static void assertNoDamageYet(PoolDriver pool, String entries) {
    pool.shows(entries).wakes(0.1);
    again(pool, entries).wakes(0.1);
    again(pool, entries).wakes(0.1);
    again(pool, entries).wakes(30);
  }

  @Test
  void repair_poolIsAsDesiredWhenRead_isNoRepair_butTheDamageCounts() {
    PoolDriver pool = intact().shows(ADDED).writing("n4").out("return UNCHANGED");

    again(pool.after(60).shows(ADDED), ADDED).is("Gathering");
    again(pool, ADDED).is("Postponed");
  }

  /** A client that empties a large pool again and again is slowed down, and costs little. */
  @Test
  void manyAddresses_areBoundedAndSlowedDown() {
    String wanted =
        IntStream.range(0, 5_000)
            .mapToObj(n -> "n=10.1.%d.%d".formatted(n / 250, n % 250))
            .collect(Collectors.joining(" "));
    PoolDriver pool = settled(wanted).after(60).shows("");
    for (int i = 0; i < 5; i++) {
      again(pool.wakes(0.1), "");
    }

    again(pool.wakes(0.1), "").wakes(30);

    assertThat(pool.state().history().drift().rows()).hasSize(Drift.MOST);
  }
}
