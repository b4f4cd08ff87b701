package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a load balancer is looked at whose last write has no known end. */
class SettlingTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Requester POOL =
      new Requester(new LoadBalancerId("sub", "rg", "lb").pool("pool"), 1);

  private final TurnstileCore core = new TurnstileCore(TurnstileFixtures.WIDE);
  private TurnstileState state = core.initial(START);
  private Instant now = START;

  /** Waits for the turn, gives it back at once, and says how long it took. */
  private Duration turn(TurnResult result) {
    Instant asked = now;
    Decision<TurnstileState, TurnstileEffect> decision =
        decide(new TurnstileEvent.Requested(POOL, Lane.UPDATE));
    while (decision.effects().isEmpty()) {
      now = core.wakeAt(decision.state()).orElseThrow();
      decision = decide(new TurnstileEvent.TimerDue());
    }
    TurnstileEffect.Grant grant = (TurnstileEffect.Grant) decision.effects().getFirst();
    decide(new TurnstileEvent.Returned(POOL, grant.turn(), result));
    return Duration.between(asked, now);
  }

  private Decision<TurnstileState, TurnstileEffect> decide(TurnstileEvent event) {
    Decision<TurnstileState, TurnstileEffect> decision =
        core.decide(state, event, now, TurnstileFixtures.RANDOM);
    state = decision.state();
    return decision;
  }

  @Test
  void returned_stillBeingWritten_isLookedAtMoreAndMoreSeldom() {
    turn(TurnResult.UNRESOLVED);

    assertThat(turn(TurnResult.OTHER_WRITER)).isEqualTo(Duration.ofSeconds(1));
    assertThat(turn(TurnResult.FAILED)).isEqualTo(Duration.ofSeconds(2));
    assertThat(turn(TurnResult.OTHER_WRITER)).isEqualTo(Duration.ofSeconds(4));
    assertThat(turn(TurnResult.SUCCEEDED)).isEqualTo(Duration.ofSeconds(8));
    assertThat(turn(TurnResult.SUCCEEDED)).isZero();
  }

  /** There would have been no write if the one before it had still been running. */
  @Test
  void returned_anotherWriteWithoutAnEnd_beginsAnew() {
    turn(TurnResult.UNRESOLVED);

    assertThat(turn(TurnResult.UNRESOLVED)).isEqualTo(Duration.ofSeconds(1));
    assertThat(turn(TurnResult.UNRESOLVED)).isEqualTo(Duration.ofSeconds(1));
    LoadBalancerQueue line =
        Optional.ofNullable(state.queues().get(POOL.loadBalancer())).orElseThrow();
    assertThat(line.settling().map(LoadBalancerQueue.Settling::until))
        .contains(now.plus(TurnstileFixtures.WIDE.settleLimit()));
  }
}
