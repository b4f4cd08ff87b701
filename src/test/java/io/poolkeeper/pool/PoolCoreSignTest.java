package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.RESYNC;
import static io.poolkeeper.pool.PoolFixtures.VERIFY;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What a failed pool makes of the news that another one recovered. */
class PoolCoreSignTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A pool that failed so often, the last time just now. */
  private static PoolDriver failedTimes(int failures) {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(FORBIDDEN);
    for (int i = 1; i < failures; i++) {
      pool.toReading().failed(FORBIDDEN);
    }
    return pool;
  }

  private static PoolDriver otherRecovered(PoolDriver pool) {
    assertThat(pool.send(new PoolEvent.OtherRecovered())).isEmpty();
    return pool;
  }

  private static Duration wait(PoolDriver pool) {
    return Duration.between(pool.now(), pool.state().wakeAt().orElseThrow());
  }

  @Test
  void otherRecovered_failedAMinuteAgo_repairsAtOnce() {
    PoolDriver pool = failedTimes(6).after(MINUTE);

    otherRecovered(pool);

    assertThat(pool.state().wakeAt()).contains(pool.now());
    assertThat(pool.fire()).containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.REPAIR)));
  }

  @Test
  void otherRecovered_failedJustNow_waitsTheShortestDelay() {
    PoolDriver pool = failedTimes(6);

    otherRecovered(pool);

    assertThat(wait(pool)).isEqualTo(Duration.ofMillis(11_250));
  }

  @Test
  void otherRecovered_twiceWithoutAnAttemptBetween_movesItOnce() {
    PoolDriver pool = otherRecovered(failedTimes(6));
    PoolState once = pool.state();

    otherRecovered(pool);

    assertThat(pool.state()).isEqualTo(once);
  }

  @Test
  void otherRecovered_failedAgainAfterTheLastSign_waitsTwiceAsLongEachTime() {
    PoolDriver pool = otherRecovered(failedTimes(6));

    pool.toReading().failed(FORBIDDEN);
    assertThat(wait(otherRecovered(pool))).isEqualTo(Duration.ofMillis(22_500));
    pool.toReading().failed(FORBIDDEN);
    assertThat(wait(otherRecovered(pool))).isEqualTo(Duration.ofSeconds(45));
  }

  @Test
  void otherRecovered_ownTimerIsSooner_changesNothing() {
    PoolDriver pool = failedTimes(1);
    PoolState before = pool.state();

    otherRecovered(pool);

    assertThat(pool.state()).isEqualTo(before);
  }

  @Test
  void otherRecovered_beforeTheNextWriteMayCome_waitsForThat() {
    PoolDriver pool =
        new PoolDriver(new PoolLimits(INTERVAL, INTERVAL, true, WINDOW, VERIFY, RESYNC, 3));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    for (int i = 0; i < 5; i++) {
      pool.toWriting("n4=10.0.0.4").failed(FORBIDDEN);
    }

    otherRecovered(pool);

    assertThat(wait(pool)).isEqualTo(INTERVAL);
  }

  @Test
  void otherRecovered_beforeArmTakesCallsAgain_waitsForThat() {
    PoolDriver pool = failedTimes(5);
    Instant until = pool.now().plus(MINUTE.multipliedBy(4));
    pool.toReading();
    Instant announced = pool.now().plus(Duration.ofSeconds(40));
    pool.failed(PoolFixtures.throttled(announced));

    otherRecovered(pool);

    assertThat(pool.state().wakeAt().orElseThrow()).isBefore(until).isEqualTo(announced);
  }

  @Test
  void otherRecovered_afterASuccess_beginsAgainWithTheShortestDelay() {
    PoolDriver pool = otherRecovered(failedTimes(6));
    pool.toWriting("n4=10.0.0.4").written();
    pool.after(INTERVAL).send(desire(WEB_1, "n6=10.0.0.6"));
    for (int i = 0; i < 4; i++) {
      pool.toReading().failed(FORBIDDEN);
    }

    otherRecovered(pool);

    assertThat(wait(pool)).isEqualTo(Duration.ofMillis(11_250));
  }

  @Test
  void otherRecovered_poolThatDidNotFail_changesNothing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    PoolState before = pool.state();

    otherRecovered(pool);

    assertThat(pool.state()).isEqualTo(before);
  }

  @Test
  void otherRecovered_stoppedPool_doesNothing() {
    PoolDriver pool = failedTimes(1);
    pool.send(new PoolEvent.Stop());

    assertThat(pool.send(new PoolEvent.OtherRecovered())).isEmpty();
  }
}
