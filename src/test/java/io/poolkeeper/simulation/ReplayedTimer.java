package io.poolkeeper.simulation;

import java.time.Instant;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.jspecify.annotations.Nullable;

/**
 * The one timer of an actor that is replayed: when it is due, as the actor has set it. It fires
 * when the history says so, as a timer may be late.
 */
final class ReplayedTimer {
  private Effect.@Nullable TimerScheduled<?> scheduled;
  private Instant due = Instant.MAX;

  /** The actor may have set it or taken it back. */
  void hear(Effect effect, Instant now) {
    if (effect instanceof Effect.TimerScheduled<?> set) {
      scheduled = set;
      due = now.plus(set.duration());
    } else if (effect instanceof Effect.TimerCancelled) {
      scheduled = null;
    }
  }

  void fires(BehaviorTestKit<?> kit) {
    if (scheduled == null) {
      throw new AssertionError("the actor has no timer that could fire");
    }
    Effect.TimerScheduled<?> set = scheduled;
    scheduled = null;
    set.send().apply();
    kit.runOne();
  }

  /** When it fires next if it is not late; what was due before is due now. */
  Optional<Instant> due(Instant now) {
    return scheduled == null ? Optional.empty() : Optional.of(notBefore(now, due));
  }

  /** The same of what a cell wants. */
  static Optional<Instant> expected(Optional<Instant> wakeAt, Instant now) {
    return wakeAt.map(at -> notBefore(now, at));
  }

  private static Instant notBefore(Instant now, Instant at) {
    return at.isBefore(now) ? now : at;
  }
}
