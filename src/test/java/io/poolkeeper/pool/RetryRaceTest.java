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
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The numbered tests of spec 1 about locks. A lock of the spec is the pool's mailbox here: what
 * raced for the lock is an order of events, and every order is tried.
 */
class RetryRaceTest {
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
  @DisplayName("spec 1 updater test 16: a requeue that races with a move leaves nothing behind")
  void requeue_racesWithAMove_noChangeOfTheOldAssignmentSurvives(List<Racer> order) {
    for (Call call : Call.values()) {
      for (ArmFailure failure :
          List.of(CONFLICT, throttled(Instant.parse("2030-01-01T00:00:00Z")), FORBIDDEN)) {
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
  @MethodSource("orders")
  @DisplayName("spec 1 updater test 17: a requeue that races with a deletion is never attempted")
  void requeue_racesWithADeletion_nothingIsReadForIt(List<Racer> order) {
    for (Call call : Call.values()) {
      PoolDriver pool = call.underWay();
      order.stream()
          .filter(racer -> racer != Racer.RETURN)
          .forEach(racer -> run(pool, racer, CONFLICT));

      pool.rests().is("Idle");
    }
  }

  /** What the PUT in flight would leave is not there yet. */
  @Test
  void firstLevel_duringAPutThatLeavesItSo_isTriedAndReportedByItself() {
    PoolDriver pool = Call.PUT.underWay().api("n5").failed(FORBIDDEN).has("web failed");

    pool.lacks("api").is("Gathering", 0).writing("n4").failed(FORBIDDEN).has("api failed");
  }
}
