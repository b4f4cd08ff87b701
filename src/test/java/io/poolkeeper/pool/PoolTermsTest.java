package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitExhausted;
import static io.poolkeeper.pool.PoolFixtures.granted;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pool whose bindings say how often it is written, and how patiently. */
class PoolTermsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final PoolEvent CONFIGURED = new PoolEvent.Bind(2, Terms.NONE);

  private static PoolEvent every(Duration interval) {
    return new PoolEvent.Bind(
        1, new Terms(Optional.empty(), false, Optional.empty(), Optional.of(interval)));
  }

  private static PoolEvent retries(int most) {
    return new PoolEvent.Bind(
        1, new Terms(Optional.empty(), false, Optional.of(most), Optional.empty()));
  }

  /** A pool that was written so often, a second ago. */
  private static PoolDriver written(int times) {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    for (int i = 1; i <= times; i++) {
      pool.send(desire(WEB_1, "n=10.0.1." + i));
      pool.toWriting("n4=10.0.0.4").written();
    }
    return pool.after(SECOND);
  }

  /** The fifth and later changes in a row wait for the interval of 30 s. */
  private static PoolDriver gathering() {
    PoolDriver pool = written(5);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    assertThat(pool.phase()).isEqualTo(due(pool, INTERVAL));
    return pool;
  }

  private static Phase due(PoolDriver pool, Duration afterTheWrite) {
    return new Phase.Gathering(ended(pool).plus(afterTheWrite));
  }

  private static Instant ended(PoolDriver pool) {
    return pool.state().history().settledAt().orElseThrow();
  }

  @Test
  void change_afterWrites_isSpacedUpToTheBindingsInterval() {
    PoolDriver pool = written(5);
    pool.send(every(Duration.ofSeconds(5)));

    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.phase()).isEqualTo(due(pool, Duration.ofSeconds(5)));
  }

  @Test
  void gathering_withAShorterInterval_isDueSoonerAtOnce() {
    PoolDriver pool = gathering();

    pool.send(every(Duration.ofSeconds(5)));

    assertThat(pool.phase()).isEqualTo(due(pool, Duration.ofSeconds(5)));
    pool.send(every(SECOND));
    assertThat(pool.phase()).as("after the window").isEqualTo(due(pool, SECOND.plus(WINDOW)));
  }

  @Test
  void gathering_withALongerInterval_isDueLaterAtOnce_asFarAsItHasDoubled() {
    PoolDriver pool = gathering();

    pool.send(every(Duration.ofHours(1)));

    assertThat(pool.phase()).isEqualTo(due(pool, Duration.ofSeconds(32)));
    pool.toWriting("n4=10.0.0.4").written();
    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    assertThat(pool.phase()).isEqualTo(due(pool, Duration.ofSeconds(64)));
  }

  @Test
  void gathering_whenTheBindingEnds_isDueAsConfigured() {
    PoolDriver pool = gathering();
    pool.send(every(Duration.ofHours(1)));

    pool.send(CONFIGURED);

    assertThat(pool.phase()).isEqualTo(due(pool, INTERVAL));
  }

  @Test
  void gathering_whenOtherTermsChange_keepsItsTime() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    Phase before = pool.phase();

    pool.after(Duration.ofMillis(50)).send(retries(1));

    assertThat(pool.phase()).isEqualTo(before);
  }

  @Test
  void gathering_behindADrain_isDueByTheNewInterval() {
    for (boolean reading : new boolean[] {false, true}) {
      PoolDriver pool = gathering();
      pool.send(new PoolEvent.NodesOutOfService(leaving(1, "n4"), pool.now()));
      pool.observed(pool.now(), "n4=10.0.0.4");
      if (reading) {
        pool.send(granted(9));
      }

      pool.send(every(Duration.ofSeconds(5)));

      if (!reading) {
        pool.send(granted(9));
      }
      pool.read("n4=10.0.0.4");
      Instant written = ended(pool);
      pool.written();
      assertThat(pool.phase()).isEqualTo(new Phase.Gathering(written.plus(Duration.ofSeconds(5))));
    }
  }

  @Test
  void waitingChange_ofALongerInterval_isEarlyForLonger() {
    PoolDriver pool = gathering();
    pool.fire();
    assertThat(pool.phase()).isInstanceOf(Phase.Waiting.class);

    assertThat(pool.send(every(Duration.ofMinutes(1))))
        .containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.EARLY)));

    assertThat(pool.state().wakeAt()).contains(ended(pool).plus(Duration.ofMinutes(1)));
  }

  @Test
  void retry_ofAShorterInterval_isDueAfterItAtTheLatest() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    for (int i = 0; i < 3; i++) {
      pool.toReading().failed(CONFLICT);
    }
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(INTERVAL)));

    pool.send(every(Duration.ofSeconds(5)));

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plusSeconds(5)));
    pool.after(SECOND).send(CONFIGURED);
    assertThat(pool.phase())
        .as("no later")
        .isEqualTo(new Phase.Gathering(pool.now().plusSeconds(4)));
  }

  @Test
  void failure_isRetriedAsOftenAsTheBindingSays() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(retries(1));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(CONFLICT);
    assertThat(pool.retries()).containsExactly(1);

    assertThat(pool.toReading().failed(CONFLICT)).contains(emitExhausted(WEB_1, 1, CONFLICT));
  }

  @Test
  void failure_afterTheBindingHasEnded_isRetriedAsConfigured() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(retries(0));
    pool.send(CONFIGURED);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    for (int i = 1; i <= LIMITS.maxRetries(); i++) {
      pool.toReading().failed(CONFLICT);
      assertThat(pool.retries()).containsExactly(i);
    }
    assertThat(pool.toReading().failed(CONFLICT)).contains(emitExhausted(WEB_1, 3, CONFLICT));
  }

  @Test
  void failure_ofFewerRetriesThanWereMade_saysHowManyThatWere() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(CONFLICT);
    pool.toReading().failed(CONFLICT);

    pool.send(retries(0));

    assertThat(pool.toReading().failed(CONFLICT)).contains(emitExhausted(WEB_1, 2, CONFLICT));
  }
}
