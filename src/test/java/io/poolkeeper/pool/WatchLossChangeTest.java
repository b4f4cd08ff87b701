package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.api;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.unknown;
import static io.poolkeeper.pool.PoolFixtures.web;
import static io.poolkeeper.pool.WatchLossTest.LIVE;
import static io.poolkeeper.pool.WatchLossTest.LOST;
import static io.poolkeeper.pool.WatchLossTest.assertDue;
import static io.poolkeeper.pool.WatchLossTest.live;
import static io.poolkeeper.pool.WatchLossTest.lost;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Architecture, Lost watches: what is written of a change while a watch is lost, and after. */
class WatchLossChangeTest {
  @Test
  void changeThatOnlyRemoves_makesNoCallUntilTheWatchIsLive() {
    PoolDriver pool = lost();

    assertThat(pool.send(desire(WEB_1, "n4=10.0.0.4"))).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());

    live(pool);
    assertDue(pool);
    assertThat(pool.state().queue().operations())
        .containsExactly(UpdateQueue.Operation.fresh(WEB, 1, pool.now()));
    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.5"));
    assertThat(pool.written()).contains(emitUpdated(WEB_1));
  }

  @Test
  void changeThatMoves_addsAtOnceAndRemovesWhenTheWatchIsLive() {
    PoolDriver pool = lost();

    pool.send(desire(WEB_1, "n5=10.0.0.5", "n6=10.0.0.6"));
    assertDue(pool);
    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5");
    assertThat(pool.effects()).containsExactly(pool.write("+n6=10.0.0.6"));
    assertThat(pool.written()).contains(emitUpdated(WEB_1));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());

    live(pool);
    assertDue(pool);
    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4"));
  }

  @Test
  void change_doesNotBringBackWhatAnotherWriterTookOut() {
    PoolDriver pool = lost();

    pool.send(desire(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"));
    assertAddsN6NowAndN5WhenLive(pool);
  }

  @Test
  void changeOfAnAddressThatLeftAndReturns_isAdded() {
    PoolDriver pool = lost();
    pool.send(desire(WEB_1, "n4=10.0.0.4"));

    pool.send(desire(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5"));

    pool.toWriting("n4=10.0.0.4");
    assertThat(pool.effects()).containsExactly(pool.write("+n5=10.0.0.5"));
  }

  @Test
  void change_queuedBeforeTheLoss_isAdded() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(API_2, "n4=10.0.0.4"));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    pool.send(LOST);
    assertThat(pool.state().wakeAt()).contains(T0.plus(WINDOW));
    pool.toWriting("n7=10.0.0.7");

    assertThat(pool.effects())
        .as("not n4, of the other")
        .containsExactly(pool.write("+n5=10.0.0.5"));
    pool.written();
    live(pool);
    assertThat(pool.state().queue().operations())
        .extracting(UpdateQueue.Operation::service)
        .containsExactly(WEB);
    pool.toWriting("n7=10.0.0.7", "n5=10.0.0.5");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.7", "+n4=10.0.0.4"));
  }

  @Test
  void change_inFlightWhenTheWatchIsLost_isAdded() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();

    pool.send(LOST);

    assertThat(pool.read("n4=10.0.0.4")).containsExactly(pool.write("+n5=10.0.0.5"));
    pool.written();
    live(pool);
    assertDue(pool);
  }

  @Test
  void firstLevelOfAnOldAssignment_addsNothingUntilTheWatchIsLive() {
    PoolDriver pool = new PoolDriver(LIMITS);
    pool.send(LOST);
    pool.observed(T0, "n4=10.0.0.4");

    assertThat(pool.send(desire(web(9), "n4=10.0.0.4", "n5=10.0.0.5"))).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    pool.send(desire(web(9), "n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"));
    assertAddsN6NowAndN5WhenLive(pool);
  }

  @Test
  void firstLevelOfAnAssignmentMadeSince_isAdded() {
    PoolDriver pool = new PoolDriver(LIMITS);
    pool.send(LOST);

    pool.send(desire(web(10), "n5=10.0.0.5"));

    pool.toWriting("n4=10.0.0.4");
    assertThat(pool.effects()).containsExactly(pool.write("+n5=10.0.0.5"));
  }

  @Test
  void levelAfterAnUnknownOne_isAChange() {
    PoolDriver pool = new PoolDriver(LIMITS);
    pool.send(LOST);
    pool.send(new PoolEvent.Desire(web(3), unknown()));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());

    pool.send(desire(web(3), "n5=10.0.0.5"));

    assertDue(pool);
  }

  @Test
  void addressThatAnotherChangeWants_isNotFrozenByAnOldLevel() {
    PoolDriver pool = new PoolDriver(LIMITS);
    pool.send(LOST);
    pool.send(desire(web(10), "n5=10.0.0.5"));

    pool.send(desire(api(2), "n5=10.0.0.5", "n6=10.0.0.6"));

    pool.toWriting();
    assertThat(pool.effects()).containsExactly(pool.write("+n5=10.0.0.5"));
  }

  @Test
  void assignmentAnew_withAnOldNumber_isHeardOfForTheFirstTime() {
    PoolDriver pool = lost();
    pool.send(new PoolEvent.Release(WEB));

    pool.send(desire(web(9), "n4=10.0.0.4", "n6=10.0.0.6"));

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void retryWhoseRemovalIsWithheld_isNoSuccess() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5");
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5").failed(CONFLICT);
    pool.send(LOST);

    assertThat(pool.toReading().read("n4=10.0.0.4", "n5=10.0.0.5"))
        .containsExactly(PoolFixtures.unchanged(2));

    live(pool);
    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.5"));
  }

  @Test
  void live_whileReading_thatAttemptWritesAllOfIt() {
    PoolDriver pool = lost();
    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    pool.toReading();

    assertThat(pool.send(LIVE)).isEmpty();
    assertThat(pool.state().queue().isEmpty()).isTrue();

    assertThat(pool.read("n4=10.0.0.4", "n5=10.0.0.5"))
        .containsExactly(pool.write("-10.0.0.4", "-10.0.0.5", "+n6=10.0.0.6"));
  }

  @Test
  void live_whileReadingForAnother_queuesWhatWasWithheld() {
    PoolDriver pool = lost();
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.send(desire(api(11), "n7=10.0.0.7"));
    pool.toReading();

    pool.send(LIVE);

    assertThat(pool.state().queue().operations())
        .extracting(UpdateQueue.Operation::service)
        .containsExactly(WEB);
  }

  @Test
  void live_whileWriting_queuesWhatThePutLeavesOut() {
    PoolDriver pool = lost();
    pool.send(desire(WEB_1, "n5=10.0.0.5", "n6=10.0.0.6"));
    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5");

    assertThat(pool.send(LIVE)).isEmpty();

    assertThat(pool.state().queue().operations())
        .extracting(UpdateQueue.Operation::service)
        .containsExactly(WEB);
  }

  @Test
  void live_changeOfTheServiceIsQueuedAnyway_isTheSameChange() {
    PoolDriver pool = lost();
    pool.send(desire(WEB_1, "n5=10.0.0.5", "n6=10.0.0.6"));

    pool.after(Duration.ofMillis(50)).send(LIVE);

    assertThat(pool.state().queue().operations()).hasSize(1);
    assertThat(pool.state().wakeAt()).contains(pool.now().plusMillis(50));
  }

  @Test
  void release_whileLost_removesNothing() {
    PoolDriver pool = lost();
    pool.send(desire(API_2, "n7=10.0.0.7"));

    pool.send(new PoolEvent.Release(WEB));

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  private static void assertAddsN6NowAndN5WhenLive(PoolDriver pool) {
    pool.toWriting("n4=10.0.0.4");
    assertThat(pool.effects()).containsExactly(pool.write("+n6=10.0.0.6"));
    pool.written();

    live(pool);
    pool.toWriting("n4=10.0.0.4", "n6=10.0.0.6");
    assertThat(pool.effects()).containsExactly(pool.write("+n5=10.0.0.5"));
  }
}
