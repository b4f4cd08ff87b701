package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.exactly;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.TurnstileActor;
import java.time.Instant;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** The one timer of a pool's actor: set to what the state says, whatever the clock says. */
class PoolTimerTest {
  private final TestInbox<TurnstileActor.Command> turnstile = TestInbox.create();
  private Instant now = T0;
  private final BehaviorTestKit<PoolEvent> pool =
      BehaviorTestKit.create(PoolFixtures.actor(new InMemoryArm(), turnstile.getRef(), () -> now));

  private Effect.TimerScheduled<?> timerOfAChange() {
    pool.run(new PoolEvent.Desire(WEB_1, exactly("n5")));
    return timer();
  }

  private Effect.TimerScheduled<?> timer() {
    return pool.getAllEffects().stream()
        .filter(Effect.TimerScheduled.class::isInstance)
        .map(Effect.TimerScheduled.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private void fire(Effect.TimerScheduled<?> timer) {
    timer.send().apply();
    pool.runOne();
  }

  @Test
  void desire_setsTheTimerToTheWindow() {
    assertThat(timerOfAChange().duration()).isEqualTo(WINDOW);
  }

  @Test
  void timer_due_asksForATurn() {
    Effect.TimerScheduled<?> timer = timerOfAChange();
    now = now.plus(WINDOW);

    fire(timer);

    assertThat(turnstile.receiveMessage()).isInstanceOf(TurnstileActor.RequestTurn.class);
  }

  @Test
  void timer_aheadOfTheClock_isSetAgain() {
    Effect.TimerScheduled<?> timer = timerOfAChange();
    now = now.plus(WINDOW.dividedBy(2));

    fire(timer);

    assertThat(turnstile.hasMessages()).isFalse();
    assertThat(timer().duration()).isEqualTo(WINDOW.dividedBy(2));
  }

  @Test
  void release_nothingLeftToGather_cancelsTheTimer() {
    timerOfAChange();

    pool.run(new PoolEvent.Release(WEB));

    assertThat(pool.getAllEffects()).anyMatch(Effect.TimerCancelled.class::isInstance);
  }
}
