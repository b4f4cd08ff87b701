package io.poolkeeper.arm.azure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The schedulers of the adapter's work, and of its pauses and deadlines.
 *
 * @param work may take its time, as parsing does
 * @param delays must not
 */
record Threads(Scheduler work, Scheduler delays) {
  static Threads ofMachine() {
    return new Threads(Schedulers.boundedElastic(), Schedulers.parallel());
  }

  static Threads of(Wire wire) {
    Scheduler scheduler = new OnWire(wire);
    return new Threads(scheduler, scheduler);
  }

  /** The time of a wire, in the form of reactor. */
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

  /** A worker that runs nothing after its end, in the order of the wire. */
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
