package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.pool.PoolDecision;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator does what the actors do: fifty histories of pools as the simulator went through
 * them, through the real actor, must have the same effects.
 */
class PoolActorAgreesTest {
  private static final Duration LENGTH = Duration.ofMinutes(20);

  /** One decision of a pool in the simulator. */
  record Step(Instant at, PoolEvent event, PoolDecision decision) {}

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theActorHasTheSameEffectsAsTheSimulatorsCell(long seed) {
    Map<PoolCell, List<Step>> histories = new LinkedHashMap<>();
    Run.of(
        seed,
        LENGTH,
        line -> {},
        (cell, event, decision) ->
            histories
                .computeIfAbsent(cell, any -> new ArrayList<>())
                .add(new Step(cell.life.time.now(), event, decision)));
    PoolCell longest =
        histories.keySet().stream()
            .max(Comparator.comparingInt(cell -> histories.get(cell).size()))
            .orElseThrow();
    PoolLimits limits = longest.life.swarm.poolLimits();
    PoolActorReplay actor = new PoolActorReplay(longest.id, longest.seed, limits);

    for (Step step : histories.get(longest)) {
      List<String> done = actor.lives(step.at(), step.event());
      assertThat(done)
          .as("%s at %s", step.event(), step.at())
          .isEqualTo(PoolActorReplay.expected(step.decision().effects()));
    }
    assertThat(histories.get(longest)).hasSizeGreaterThan(10);
  }
}
