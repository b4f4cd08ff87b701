package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.throttled;
import static io.poolkeeper.pool.PoolFixtures.web;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
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
          List<PoolEffect> effects = run(pool, racer, failure);
          if (released) {
            assertThat(effects).noneMatch(PoolEffect.Emit.class::isInstance);
          }
        }
        assertThat(pool.state().queue().operations())
            .allMatch(operation -> operation.assignment() == 7 && !operation.retried());
        boolean byThePut = call == Call.PUT && order.getLast() == Racer.FAILURE;
        assertEndsAsWanted(pool, order.contains(Racer.RETURN), byThePut);
      }
    }
  }

  /**
   * Nothing is left to do for a Service that is gone, and one that returned is written.
   *
   * @param byThePut whether it returned during a PUT that would have left the pool as it wants it:
   *     it has no change queued then, and the pool repairs itself when that PUT has failed
   */
  private static void assertEndsAsWanted(PoolDriver pool, boolean returned, boolean byThePut) {
    if (!returned) {
      assertThat(pool.state().queue().isEmpty()).isTrue();
      assertThat(pool.state().wakeAt()).isEmpty();
      return;
    }
    assertThat(pool.state().queue().operations()).hasSize(byThePut ? 0 : 1);
    pool.toWriting("n4=10.0.0.4");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
    assertThat(pool.written()).contains(PoolFixtures.emitUpdated(web(7)));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  private static List<PoolEffect> run(PoolDriver pool, Racer racer, ArmFailure failure) {
    return switch (racer) {
      case FAILURE -> pool.failed(failure);
      case RELEASE -> pool.send(new PoolEvent.Release(WEB));
      case RETURN -> pool.send(desire(web(7), "n5=10.0.0.5"));
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

      assertThat(pool.state().wakeAt()).isEmpty();
      assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    }
  }
}
