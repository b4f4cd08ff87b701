package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CLEAN;
import static io.poolkeeper.pool.PoolFixtures.DIRTY;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.countUpdated;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitRetrying;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.requeued;
import static io.poolkeeper.pool.PoolFixtures.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The numbered tests of spec 1 about what ARM makes wait: parked pools, closed gates. */
class RetryParkingSpecTest {
  private static final Duration TWENTY = Duration.ofSeconds(20);

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater tests 1 and 2: a Retry-After parks the pool, quietly")
  void throttled_untilLater_parksQuietlyAndIsThenWritten(Call call) {
    Instant until = call.underWay().now().plus(TWENTY);
    assertParksQuietlyAndIsThenWritten(call, throttled(until), until);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 4: a call that a closed gate kept back parks the pool")
  void gateClosed_untilLater_parksQuietlyAndIsThenWritten(Call call) {
    Instant until = call.underWay().now().plus(TWENTY);
    assertParksQuietlyAndIsThenWritten(call, keptBack(until), until);
  }

  /** What the pipeline fails a call with that it did not send. */
  private static ArmFailure keptBack(Instant until) {
    return ArmFailure.throttled("", "not sent, as an earlier answer asked to wait", until);
  }

  private static void assertParksQuietlyAndIsThenWritten(
      Call call, ArmFailure slow, Instant until) {
    PoolDriver pool = call.underWay();
    assertThat(pool.failed(slow))
        .containsExactly(call.refused(1), emitRetrying(WEB_1, slow), requeued(slow, 1), DIRTY);
    assertThat(pool.phase()).isEqualTo(new Phase.Parked(pool.now(), until));

    // Whatever happens meanwhile moves nothing.
    pool.after(Duration.ofSeconds(5));
    assertThat(pool.send(new PoolEvent.TimerDue())).isEmpty();
    assertThat(pool.send(desire(WEB_1, "n5=10.0.0.5"))).isEmpty();
    assertThat(pool.observed(pool.now(), "n4=10.0.0.4")).isEmpty();
    assertThat(pool.state().wakeAt()).contains(until);
    assertThat(pool.retries()).containsExactly(1);

    pool.toWriting("n4=10.0.0.4");
    assertThat(pool.now()).isEqualTo(until);
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
    assertUpdatedOnce(pool);
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  @DisplayName("spec 1 updater test 3: without a time to come, the next tick retries")
  void throttled_withoutTimeToCome_retriesByItself() {
    for (Instant past : List.of(Instant.EPOCH, Call.GET.underWay().now())) {
      assertRetriesByItself(throttled(past));
    }
  }

  @Test
  @DisplayName("spec 1 updater test 5: a gate that has opened meanwhile leaves it to the next tick")
  void gateClosed_openedMeanwhile_retriesByItself() {
    assertRetriesByItself(keptBack(Call.GET.underWay().now().minusNanos(1)));
  }

  private static void assertRetriesByItself(ArmFailure slow) {
    for (Call call : Call.values()) {
      PoolDriver pool = call.underWay();

      assertThat(pool.failed(slow)).contains(emitRetrying(WEB_1, slow));
      assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(MIN_INTERVAL)));

      pool.toWriting("n4=10.0.0.4");
      assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
      assertThat(pool.written()).contains(emitUpdated(WEB_1));
    }
  }

  @Test
  @DisplayName("spec 1 updater test 7: one parked change parks its whole pool")
  void parked_changeOfAnotherService_waitsToo() {
    PoolDriver pool = Call.GET.underWay();
    Instant until = pool.now().plus(TWENTY);
    pool.failed(throttled(until));

    pool.after(Duration.ofSeconds(5));
    assertThat(pool.send(desire(API_2, "n7=10.0.0.7"))).isEmpty();

    assertThat(pool.phase()).isEqualTo(new Phase.Parked(until.minus(TWENTY), until));
    pool.after(Duration.ofSeconds(15).minusNanos(1));
    assertThat(pool.send(new PoolEvent.TimerDue())).isEmpty();
    assertThat(pool.toReading().state().queue().isEmpty()).isTrue();
    assertThat(pool.now()).isEqualTo(until);
  }

  @Test
  @DisplayName("spec 1 updater test 8: parked changes stand in front of fresh ones")
  void parked_freshChangeOfTheSameService_isBehindAndItsLevelIsWritten() {
    PoolDriver pool = Call.GET.underWay();
    Instant failed = pool.now();
    pool.failed(throttled(pool.now().plus(TWENTY)));

    pool.after(Duration.ofSeconds(1)).send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.retries()).containsExactly(1, 0);
    assertThat(pool.state().queue().operations().getLast().queuedAt()).isAfter(failed);
    pool.toWriting("n4=10.0.0.4");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n6=10.0.0.6"));
    assertUpdatedOnce(pool);
  }

  @Test
  @DisplayName("spec 1 updater tests 18 and 20: a release takes parked changes along, quietly")
  void release_whileParked_dropsItsChangesAndLetsOthersGo() {
    PoolDriver pool = Call.GET.underWay();
    pool.failed(throttled(pool.now().plus(TWENTY)));
    pool.send(desire(API_2, "n7=10.0.0.7"));

    assertThat(pool.after(MIN_INTERVAL).send(new PoolEvent.Release(WEB))).isEmpty();

    assertThat(pool.state().queue().operations())
        .extracting(UpdateQueue.Operation::service)
        .containsExactly(API);
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
  }

  @Test
  @DisplayName("spec 1 updater test 21: a shutdown forgets parked changes without a word")
  void stop_whileParked_isSilent() {
    PoolDriver pool = Call.GET.underWay();
    pool.failed(throttled(pool.now().plus(TWENTY)));

    assertThat(pool.send(new PoolEvent.Stop())).isEmpty();

    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
    assertThat(pool.state().queue().isEmpty()).isTrue();
    assertThat(pool.after(TWENTY).send(new PoolEvent.TimerDue())).isEmpty();
  }

  private static void assertUpdatedOnce(PoolDriver pool) {
    assertThat(pool.written())
        .containsExactly(
            PoolFixtures.well(2),
            emitUpdated(WEB_1),
            countUpdated(Duration.ZERO),
            PoolFixtures.LOOK,
            CLEAN);
  }
}
