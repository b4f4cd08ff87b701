package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.throttled;
import static io.poolkeeper.pool.PoolFixtures.web;

import io.poolkeeper.model.ArmFailure;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The numbered tests of spec 1 about locks. A lock of the spec is the pool's mailbox here: what
 * raced for the lock is an order of events, and every order is tried.
 */
class RetryRaceTest {
  private static final ArmFailure SLOW = throttled(Instant.parse("2030-01-01T00:00:00Z"));
  private static final List<ArmFailure> RETRIABLE = List.of(CONFLICT, SLOW);

  /** What may race with the end of an attempt. */
  enum Racer {
    FAILURE,
    RELEASE,
    RETURN
  }

  /** Every order in which a failure, the release and, after it, the Service's return can come. */
  static Stream<List<Racer>> orders() {
    return Stream.of(
        List.of(Racer.FAILURE, Racer.RELEASE),
        List.of(Racer.RELEASE, Racer.FAILURE),
        List.of(Racer.FAILURE, Racer.RELEASE, Racer.RETURN),
        List.of(Racer.RELEASE, Racer.FAILURE, Racer.RETURN),
        List.of(Racer.RELEASE, Racer.RETURN, Racer.FAILURE));
  }

  @ParameterizedTest
  @MethodSource("orders")
  @DisplayName("spec 1 updater tests 16 and 17: in no order is anything left behind")
  void release_racesWithAFailure_noChangeOfTheOldAssignmentSurvives(List<Racer> order) {
    for (Call call : Call.values()) {
      for (ArmFailure failure : List.of(CONFLICT, SLOW, FORBIDDEN)) {
        PoolDriver pool = call.underWay();
        boolean released = false;
        for (Racer racer : order) {
          released |= racer == Racer.RELEASE;
          run(pool, racer, failure);
          if (released) {
            pool.lacks("web");
          }
        }
        assertEndsAsWanted(pool, order.contains(Racer.RETURN));
      }
    }
  }

  /** Nothing is left to do for a Service that is gone, and one that returned is written. */
  private static void assertEndsAsWanted(PoolDriver pool, boolean returned) {
    if (!returned) {
      pool.is("Idle").rests();
      return;
    }
    // A change of the old assignment would be one more, or would have been retried.
    pool.is("Gathering", 0);
    pool.writing("n4").out("put -4 +n5").written().has("web updated").is("Idle");
  }

  private static PoolDriver run(PoolDriver pool, Racer racer, ArmFailure failure) {
    return switch (racer) {
      case FAILURE -> pool.failed(failure);
      case RELEASE -> pool.release(WEB);
      case RETURN -> pool.send(PoolFixtures.desire(web(7), "n5"));
    };
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 16: what a failure has requeued, the move then removes")
  void move_afterARequeue_removesItWithoutAWord(Call call) {
    for (ArmFailure failure : RETRIABLE) {
      requeued(call, failure).release(WEB).out("dropped").is("Idle").rests();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 17: what a failure has requeued is dropped with its Service")
  void deletion_afterARequeue_leavesTheNextTickNothing(Call call) {
    for (ArmFailure failure : RETRIABLE) {
      PoolDriver pool = requeued(call, failure);
      Instant tick = pool.state().wakeAt().orElseThrow();

      pool.release(WEB).out("dropped").at(tick).tick().out("").is("Idle").rests();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 17: a tick that has begun is called off")
  void deletion_afterTheTickOfARequeue_readsNothing(Call call) {
    PoolDriver pool = requeued(call, CONFLICT).timer().out("permit RETRY");

    pool.release(WEB).out("cancel; dropped").granted().out("return UNUSED").is("Idle").rests();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 17: the next tick is about the other Services only")
  void deletion_afterARequeueBesideAnother_takesItsOwnOnly(Call call) {
    PoolDriver pool = requeued(call, CONFLICT).api("n7").is("Gathering", 1, 0);

    pool.release(WEB).out("").is("Gathering", 0).writing("n4").out("put -4 +n7").failed(CONFLICT);
    pool.out("return CONFLICT; api retrying; requeue 1 again").is("Gathering", 1);
  }

  /** A failure that comes before the Service goes: it is reported, and its change waits again. */
  private static PoolDriver requeued(Call call, ArmFailure failure) {
    PoolDriver pool = call.underWay().failed(failure);
    var result = failure.permitResult(call == Call.PUT);
    String throttled = failure.refused() ? "; throttled" : "";
    pool.out("return " + result + throttled + "; web retrying; requeue 1; failing");
    return pool.is(failure.equals(CONFLICT) ? "Gathering" : "Parked", 1);
  }

  /** What the PUT in flight would leave is not there yet. */
  @Test
  void firstLevel_duringAPutThatLeavesItSo_isTriedAndReportedByItself() {
    PoolDriver pool = Call.PUT.underWay().api("n5").failed(FORBIDDEN).has("web failed");

    pool.lacks("api").is("Gathering", 0).writing("n4").failed(FORBIDDEN).has("api failed");
  }
}
