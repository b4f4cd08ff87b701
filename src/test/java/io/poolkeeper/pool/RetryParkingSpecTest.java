package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.STOP;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The numbered tests of spec 1 about what ARM makes wait: parked pools, closed gates. */
class RetryParkingSpecTest {
  private static final String UPDATED =
      "return SUCCEEDED; web updated; count updated; verification; recovered";

  /** What the pipeline fails a call with that it did not send. */
  private static ArmFailure keptBack(Instant until) {
    return ArmFailure.held("not sent, as an earlier answer asked to wait", until);
  }

  private static PoolDriver parked() {
    return Call.GET.underWay().throttled(20).is("Parked", 1).wakes(20);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater tests 1 and 2: a Retry-After parks the pool, quietly")
  void throttled_untilLater_parksQuietlyAndIsThenWritten(Call call) {
    assertParksQuietlyAndIsThenWritten(call, call.underWay().throttled(20), "throttled");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 4: a call that a closed gate kept back parks the pool")
  void gateClosed_untilLater_parksQuietlyAndIsThenWritten(Call call) {
    PoolDriver pool = call.underWay();
    PoolDriver held = pool.failed(keptBack(pool.now().plusSeconds(20)));
    assertParksQuietlyAndIsThenWritten(call, held, "held");
  }

  private static void assertParksQuietlyAndIsThenWritten(
      Call call, PoolDriver pool, String counted) {
    pool.out(call.refused() + "; " + counted + "; web retrying; requeue 1; failing");
    pool.is("Parked", 1);
    assertThat(pool.status().activity().why()).isEqualTo("ARM said Retry-After 20 s");

    // Whatever happens meanwhile moves nothing.
    pool.after(5).tick().out("").web("n5").out("").shows("n4").out("").is("Parked", 1).wakes(15);

    pool.writing("n4").out("put -4 +n5").written().out(UPDATED).is("Idle");
  }

  @Test
  @DisplayName("spec 1 updater test 3: without a time to come, the next tick retries")
  void throttled_withoutTimeToCome_retriesByItself() {
    for (Instant past : new Instant[] {Instant.EPOCH, Call.GET.underWay().now()}) {
      assertRetriesByItself(PoolFixtures.throttled(past));
    }
  }

  @Test
  @DisplayName("spec 1 updater test 5: a gate that has opened meanwhile leaves it to the next tick")
  void gateClosed_openedMeanwhile_retriesByItself() {
    assertRetriesByItself(keptBack(Call.GET.underWay().now().minusNanos(1)));
  }

  private static void assertRetriesByItself(ArmFailure slow) {
    for (Call call : Call.values()) {
      PoolDriver pool = call.underWay().failed(slow).has("web retrying").is("Gathering", 1);

      pool.wakes(2).writing("n4").out("put -4 +n5").written().has("web updated");
    }
  }

  @Test
  @DisplayName("spec 1 updater test 7: one parked change parks its whole pool")
  void parked_changeOfAnotherService_waitsToo() {
    PoolDriver pool = parked().after(5).api("n7").out("").is("Parked", 1, 0).wakes(15);

    assertThat(pool.status().activity().why()).isEqualTo("ARM said Retry-After 20 s");
    pool.copy().after(14.999).tick().out("").is("Parked", 1, 0);
    pool.reading().is("Reading");
  }

  @Test
  @DisplayName("spec 1 updater test 8: parked changes stand in front of fresh ones")
  void parked_freshChangeOfTheSameService_isBehindAndItsLevelIsWritten() {
    PoolDriver pool = parked();
    var failed = pool.now();
    pool.after(1).web("n6").is("Parked", 1, 0);

    pool.writing("n4").out("put -4 +n6");
    assertThat(pool.status().picture().writing().getLast()).isAfter(failed);
    pool.written().out(UPDATED);
  }

  @Test
  @DisplayName("spec 1 updater tests 18 and 20: a release takes parked changes along, quietly")
  void release_whileParked_dropsItsChangesAndLetsOthersGo() {
    PoolDriver pool = parked().api("n7").after(2).release(WEB).out("").is("Gathering", 0);

    pool.wakes(0.1).writing("n4").out("put -4 +n7").written().has("api updated").lacks("web");
  }

  @Test
  @DisplayName("spec 1 updater test 21: a shutdown forgets parked changes without a word")
  void stop_whileParked_isSilent() {
    parked().send(STOP).out("").is("Stopped").rests().after(20).tick().out("");
  }
}
