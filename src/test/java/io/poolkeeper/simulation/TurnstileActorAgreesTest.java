package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.turnstile.TurnstileCore;
import io.poolkeeper.turnstile.TurnstileEffect;
import io.poolkeeper.turnstile.TurnstileEvent;
import io.poolkeeper.turnstile.TurnstileState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator does what the actors do: fifty histories of the turnstile as the simulator went
 * through them, through the real actor, must tell everybody the same.
 */
class TurnstileActorAgreesTest {
  private static final Duration LENGTH = Duration.ofMinutes(15);
  private static final Set<Class<?>> met = new HashSet<>();

  /** One decision of the turnstile in the simulator. */
  record Step(
      Instant at, TurnstileEvent event, Decision<TurnstileState, TurnstileEffect> decision) {}

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theActorTellsTheSameAsTheSimulatorsCell(long seed) {
    Histories<TurnstileCell, Step> histories = new Histories<>();
    Witness witness =
        new Witness() {
          @Override
          public void decided(
              TurnstileCell cell,
              TurnstileEvent event,
              Decision<TurnstileState, TurnstileEffect> decision) {
            histories.add(cell, new Step(cell.life.time.now(), event, decision));
          }
        };
    Run.of(seed, LENGTH, line -> {}, witness);
    TurnstileCell longest = histories.longest();
    TurnstileCore core = new TurnstileCore(longest.life.swarm.turnstileLimits());
    TurnstileActorReplay actor =
        new TurnstileActorReplay(longest.life.swarm.turnstileLimits(), longest.life.begun);

    for (Step step : histories.of(longest)) {
      assertThat(actor.lives(step.at(), step.event()))
          .as("%s at %s", step.event(), step.at())
          .isEqualTo(TurnstileActorReplay.expected(step.decision().effects()));
      assertThat(actor.wakesAt())
          .as("the timer after %s at %s", step.event(), step.at())
          .isEqualTo(ReplayedTimer.expected(core.wakeAt(step.decision().state()), step.at()));
      met.add(step.event().getClass());
      step.decision().effects().forEach(effect -> met.add(effect.getClass()));
    }
    assertThat(histories.of(longest)).hasSizeGreaterThan(10);
  }

  /** Or else the histories would show less than they seem to. */
  @AfterAll
  static void theHistoriesMeetEveryEventAndEveryEffectThatIsTold() {
    assertThat(met)
        .contains(TurnstileEvent.class.getPermittedSubclasses())
        .contains(
            TurnstileEffect.Grant.class,
            TurnstileEffect.GrantListing.class,
            TurnstileEffect.TurnLost.class,
            TurnstileEffect.RetryHeldBack.class);
  }
}
