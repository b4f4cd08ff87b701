package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.web;
import static io.poolkeeper.pool.WatchLossTest.LIVE;
import static io.poolkeeper.pool.WatchLossTest.LOST;
import static io.poolkeeper.pool.WatchLossTest.live;
import static io.poolkeeper.pool.WatchLossTest.lost;

import org.junit.jupiter.api.Test;

/** Architecture, Lost watches: what is written of a change while a watch is lost, and after. */
class WatchLossChangeTest {
  /** Nobody was heard of before the loss, nor a listing seen. */
  private static PoolDriver unheard() {
    return new PoolDriver(LIMITS).send(LOST);
  }

  @Test
  void changeThatOnlyRemoves_makesNoCallUntilTheWatchIsLive() {
    PoolDriver pool = lost().web("n4").out("").is("Idle").rests();

    live(pool).wakes(0.1).timer().out("permit UPDATE").granted().read("n4 n5").out("put -5");
    pool.written().has("web updated");
  }

  @Test
  void changeThatMoves_addsAtOnceAndRemovesWhenTheWatchIsLive() {
    PoolDriver pool = lost().web("n5 n6").wakes(0.1).writing("n4 n5").out("put +n6");
    pool.written().has("web updated").is("Idle");

    live(pool).wakes(0.1).writing("n4 n5 n6").out("put -4");
  }

  @Test
  void change_doesNotBringBackWhatAnotherWriterTookOut() {
    assertAddsN6NowAndN5WhenLive(lost().web("n4 n5 n6"));
  }

  @Test
  void changeOfAnAddressThatLeftAndReturns_isAdded() {
    lost().web("n4").web("n4 n5").writing("n4").out("put +n5");
  }

  @Test
  void change_queuedBeforeTheLoss_isAdded_butNothingOfTheOther() {
    PoolDriver pool = settled("n4").api("n4").web("n5").send(LOST).wakes(0.1);
    pool.writing("n7").out("put +n5").written();

    live(pool).is("Gathering", 0).writing("n7 n5").out("put -7 +n4").written();
    pool.has("web updated").lacks("api");
  }

  @Test
  void change_inFlightWhenTheWatchIsLost_isAdded() {
    PoolDriver pool = changed().reading().send(LOST).read("n4").out("put +n5").written();

    live(pool).wakes(0.1);
  }

  @Test
  void firstLevelOfAnOldAssignment_addsNothingUntilTheWatchIsLive() {
    PoolDriver pool = unheard().shows("n4").send(desire(web(9), "n4 n5")).out("").is("Idle");

    assertAddsN6NowAndN5WhenLive(pool.send(desire(web(9), "n4 n5 n6")));
  }

  @Test
  void firstLevelOfAnAssignmentMadeSince_isAdded_andIsNotFrozenByAnOldOne() {
    PoolDriver pool = unheard().send(desire(web(10), "n5"));

    pool.copy().writing("n4").out("put +n5");
    pool.api("n5 n6").writing("").out("put +n5");
  }

  @Test
  void levelAfterAnUnknownOne_isAChange() {
    PoolDriver pool = unheard().send(PoolFixtures.desire(web(3), PoolFixtures.unknown()));

    pool.is("Idle").send(desire(web(3), "n5")).wakes(0.1);
  }

  @Test
  void assignmentAnew_withAnOldNumber_isHeardOfForTheFirstTime() {
    lost().release(WEB).is("Idle").send(desire(web(9), "n4 n6")).is("Idle").rests();
  }

  @Test
  void retryWhoseRemovalIsWithheld_isNoSuccess() {
    PoolDriver pool = settled("n4 n5").web("n4").writing("n4 n5").failed(412).send(LOST);

    live(pool.writing("n4 n5").out("return UNCHANGED")).writing("n4 n5").out("put -5");
  }

  @Test
  void live_whileReading_thatAttemptWritesAllOfIt() {
    PoolDriver pool = lost().web("n6").reading().send(LIVE).out("").is("Reading");

    pool.read("n4 n5").out("put -4 -5 +n6").written().is("Idle");
  }

  @Test
  void live_whileReadingForAnother_orWriting_queuesWhatThePutLeavesOut() {
    PoolDriver writing = lost().web("n5 n6").writing("n4 n5");

    writing.send(LIVE).out("").is("Writing", 0).written().writing("n4 n5 n6").out("put -4");
    Ownership since = PoolFixtures.owns(PoolFixtures.API, "uid-api", 11, "aapi");
    PoolDriver other = lost().web("n4").send(desire(since, "n7")).reading();
    other.send(LIVE).is("Reading", 0).read("n4 n5").written().has("api updated");
    other.writing("n4 n7").out("return UNCHANGED; verification");
  }

  @Test
  void live_changeOfTheServiceIsQueuedAnyway_isTheSameChange() {
    lost().web("n5 n6").after(0.05).send(LIVE).is("Gathering", 0).wakes(0.05);
  }

  @Test
  void release_whileLost_removesNothing() {
    lost().api("n7").release(WEB).is("Idle").rests();
  }

  private static void assertAddsN6NowAndN5WhenLive(PoolDriver pool) {
    pool.writing("n4").out("put +n6").written();

    live(pool).writing("n4 n6").out("put +n5");
  }
}
