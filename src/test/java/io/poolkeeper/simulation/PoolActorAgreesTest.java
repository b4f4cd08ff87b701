package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.pool.Phase;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator does what the actors do: fifty histories of pools as the simulator went through
 * them, through the real actor, must have the same effects.
 */
class PoolActorAgreesTest {
  private static final Duration LENGTH = Duration.ofMinutes(15);

  /** One decision of a pool in the simulator. */
  record Step(Instant at, PoolEvent event, Decision<PoolState, PoolEffect> decision) {}

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theActorHasTheSameEffectsAsTheSimulatorsCell(long seed) {
    Histories<PoolCell, Step> histories = new Histories<>();
    Witness witness =
        new Witness() {
          @Override
          public void decided(
              PoolCell cell, PoolEvent event, Decision<PoolState, PoolEffect> decision) {
            histories.add(cell, new Step(cell.life.time.now(), event, decision));
          }
        };
    Run.of(seed, LENGTH, line -> {}, witness);
    PoolCell longest = histories.longest();
    PoolLimits limits = longest.life.swarm.poolLimits();
    PoolActorReplay actor = new PoolActorReplay(longest.id, longest.seed, limits);

    for (Step step : histories.of(longest)) {
      List<String> done = actor.lives(step.at(), step.event());
      assertThat(done)
          .as("%s at %s", step.event(), step.at())
          .isEqualTo(PoolActorReplay.expected(step.decision().effects(), ended(step)));
      assertThat(actor.wakesAt())
          .as("the timer after %s at %s", step.event(), step.at())
          .isEqualTo(wakeAt(step));
    }
    assertThat(histories.of(longest)).hasSizeGreaterThan(10);
  }

  private static boolean ended(Step step) {
    return step.decision().state().phase() instanceof Phase.Stopped;
  }

  /** Who has ended has no timer. */
  private static Optional<Instant> wakeAt(Step step) {
    return ended(step)
        ? Optional.empty()
        : ReplayedTimer.expected(step.decision().state().wakeAt(), step.at());
  }
}
