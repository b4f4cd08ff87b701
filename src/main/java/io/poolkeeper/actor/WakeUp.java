package io.poolkeeper.actor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The single timer of an actor: it sends the same message at the time in the actor's state. A timer
 * may fire a little ahead of the clock; the receiver compares and sets it again.
 *
 * @param clock monotonic, the one that the state's times are of
 */
public record WakeUp<M>(TimerScheduler<M> timers, InstantSource clock, M message) {
  /** Wakes the actor then, instead of at any earlier time; never, if there is no time. */
  public void at(Optional<Instant> time) {
    if (time.isEmpty()) {
      timers.cancel(message);
      return;
    }
    Duration wait = Duration.between(clock.instant(), time.get());
    timers.startSingleTimer(message, message, wait.isNegative() ? Duration.ZERO : wait);
  }
}
