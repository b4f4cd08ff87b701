package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nothing but a change defeats a refusal. */
class RefusedPoolTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** n5 is wanted where n4 is; ARM refuses that, right now for the first time. */
  private static PoolDriver refused(ArmFailure failure) {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(failure);
    return pool;
  }

  /** When tries begin, in seconds after the first refusal, while a slice is touched each second. */
  private static List<Long> tries(PoolDriver pool, int seconds, ArmFailure failure) {
    Instant begin = pool.now();
    List<Long> tries = new ArrayList<>();
    for (int second = 1; second <= seconds; second++) {
      pool.at(begin.plusSeconds(second)).send(desire(WEB_1, "n5=10.0.0.5"));
      if (pool.state().wakeAt().filter(due -> !due.isAfter(pool.now())).isPresent()) {
        tries.add((long) second);
        pool.send(new PoolEvent.TimerDue());
        pool.send(PoolFixtures.granted(100 + second));
        pool.failed(failure);
      }
    }
    return tries;
  }

  @Test
  void touchedAllTheTime_isTriedOnceAMinute_besidesItsOwnTimer() {
    // Its own timer says 22.5 s after the first of these, 45 s after the second and so on.
    assertThat(tries(refused(FORBIDDEN), 300, FORBIDDEN))
        .containsExactly(2L, 25L, 62L, 122L, 182L, 242L);
  }

  @Test
  void touchedTwiceInAMinute_waitsForTheRestOfTheMinute() {
    PoolDriver pool = refused(FORBIDDEN);
    Instant end = pool.now();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    Instant first = end.plus(MIN_INTERVAL);
    assertThat(pool.state().wakeAt()).contains(first);
    for (int failures = 0; failures < 4; failures++) {
      pool.toReading().failed(FORBIDDEN);
    }
    Instant own = pool.now().plusSeconds(180);
    assertThat(pool.state().wakeAt()).contains(own);

    pool.after(MIN_INTERVAL).send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.state().wakeAt()).contains(pool.now());
    pool.toReading().failed(FORBIDDEN);
    Instant last = pool.now();
    pool.after(SECOND).send(desire(WEB_1, "n5=10.0.0.5"));
    assertThat(pool.state().wakeAt()).contains(last.plusSeconds(60));
  }

  @Test
  void touched_beforeARetryAfter_waitsForIt() {
    Instant until = PoolFixtures.T0.plusSeconds(600);
    ArmFailure busy =
        new ArmFailure(ArmFailure.Kind.RESPONSE, 503, "ServerBusy", "no", Optional.of(until));
    PoolDriver pool = refused(busy);

    pool.after(SECOND).send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.state().wakeAt()).contains(until);
  }

  @Test
  void touchedByAServiceThatChangesNothing_isOneOfTheTouches() {
    PoolDriver pool = refused(FORBIDDEN);
    Instant end = pool.now();

    pool.send(new PoolEvent.Desire(API_2, PoolFixtures.unknown()));

    assertThat(pool.state().wakeAt()).contains(end.plus(MIN_INTERVAL));
    assertThat(pool.phase()).isEqualTo(new Phase.Failed(end.plus(MIN_INTERVAL)));
  }

  @Test
  void changedSet_isFreshWork_asOftenAsItChanges() {
    PoolDriver pool = refused(FORBIDDEN);
    Instant end = pool.now();

    pool.send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(end.plus(MIN_INTERVAL)));
    pool.toReading().failed(FORBIDDEN);
    Instant second = pool.now();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    assertThat(pool.phase())
        .isEqualTo(new Phase.Gathering(second.plus(MIN_INTERVAL.multipliedBy(2))));
  }

  @Test
  void changedSet_beforeTheRetryAfterOfWhatWasGivenUp_goes() {
    Instant until = PoolFixtures.T0.plusSeconds(600);
    PoolDriver pool =
        refused(
            new ArmFailure(ArmFailure.Kind.RESPONSE, 503, "ServerBusy", "no", Optional.of(until)));
    Instant end = pool.now();

    pool.send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.state().wakeAt()).contains(end.plus(MIN_INTERVAL));
  }
}
