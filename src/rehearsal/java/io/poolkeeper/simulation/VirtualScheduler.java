package io.poolkeeper.simulation;

import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.event.LoggingAdapter;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * Pekko's timers on the time of a {@link VirtualTime}. Pekko makes it by its name. A timer that
 * another thread sets, as Pekko's dispatchers do while the system ends, is taken up by the system's
 * own; nobody cancels such a one.
 */
@SuppressWarnings("deprecation") // The method that repeats is abstract in the interface.
public final class VirtualScheduler implements Scheduler {
  private final SeededSystem system;

  public VirtualScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
    system = SeededExecutor.system(config.getConfig("pekko.scheduler"));
  }

  @Override
  public double maxFrequency() {
    return 1_000;
  }

  @Override
  public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext executor) {
    if (!system.isOwnThread()) {
      system.execute(() -> scheduleOnce(delay, task, executor));
      return Cancellable.alreadyCancelled();
    }
    VirtualTime.Entry entry =
        system
            .world()
            .after(java.time.Duration.ofNanos(delay.toNanos()), () -> executor.execute(task));
    return new Cancellable() {
      @Override
      public boolean cancel() {
        return entry.cancel();
      }

      @Override
      public boolean isCancelled() {
        return entry.cancelled();
      }
    };
  }

  /** Nothing in the program repeats by itself. */
  @Override
  public Cancellable schedule(
      FiniteDuration initial, FiniteDuration interval, Runnable task, ExecutionContext executor) {
    throw new UnsupportedOperationException("a repeating timer");
  }
}
