package io.poolkeeper.arm.azure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The schedulers of the adapter.
 *
 * @param work runs what may take its time, such as parsing
 * @param delays runs pauses and deadlines, which must not take any
 */
record Threads(Scheduler work, Scheduler delays) {
  static Threads ofMachine() {
    return new Threads(Schedulers.boundedElastic(), Schedulers.parallel());
  }

  static Threads of(Wire wire) {
    Scheduler scheduler = new OnWire(wire);
    return new Threads(scheduler, scheduler);
  }

  /** A scheduler of Reactor that runs all tasks by the time of a {@link Wire}. */
  private record OnWire(Wire wire) implements Scheduler {
    @Override
    public Disposable schedule(Runnable task) {
      return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      Duration wait = Duration.ofNanos(unit.toNanos(Math.max(0, delay)));
      Runnable cancel = wire.later(wait, task);
      return cancel::run;
    }

    @Override
    public long now(TimeUnit unit) {
      throw new UnsupportedOperationException("the wire's time is not asked for by reactor");
    }

    @Override
    public Worker createWorker() {
      return new OneWorker(this, new AtomicBoolean());
    }
  }

  /** A worker of {@link OnWire} that runs nothing once it is disposed. */
  private record OneWorker(OnWire scheduler, AtomicBoolean disposed) implements Scheduler.Worker {
    @Override
    public Disposable schedule(Runnable task) {
      return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      return scheduler.schedule(
          () -> {
            if (!disposed.get()) {
              task.run();
            }
          },
          delay,
          unit);
    }

    @Override
    public void dispose() {
      disposed.set(true);
    }

    @Override
    public boolean isDisposed() {
      return disposed.get();
    }
  }
}
