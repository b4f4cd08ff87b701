package io.poolkeeper.arm.azure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Where the adapter's work is done, and what its pauses and deadlines are counted by.
 *
 * @param work may take its time, as parsing does
 * @param delays never does
 */
record Threads(Scheduler work, Scheduler delays) {
  /** Those of the machine. */
  static Threads ofMachine() {
    return new Threads(Schedulers.boundedElastic(), Schedulers.parallel());
  }

  /** The one that a wire has. */
  static Threads of(Wire wire) {
    Scheduler scheduler = new OnWire(wire);
    return new Threads(scheduler, scheduler);
  }

  /** A wire's time as reactor wants it. */
  private record OnWire(Wire wire) implements Scheduler {
    private static final ThreadLocal<Boolean> RUNNING = ThreadLocal.withInitial(() -> false);

    static {
      // The library reads models on Reactor's own threads; a wire has its own thread and order.
      // Reactor may be shared with this program loaded a second time, whose wires have their own.
      Schedulers.onScheduleHook("wire of " + OnWire.class.getClassLoader(), OnWire::here);
    }

    /** What a task of a wire hands to another thread is run at once; other tasks stay as is. */
    private static Runnable here(Runnable task) {
      if (!RUNNING.get()) {
        return task;
      }
      task.run();
      return () -> {};
    }

    private static void run(Runnable task) {
      boolean nested = RUNNING.get();
      RUNNING.set(true);
      try {
        task.run();
      } finally {
        RUNNING.set(nested);
      }
    }

    @Override
    public Disposable schedule(Runnable task) {
      return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      Duration wait = Duration.ofNanos(unit.toNanos(Math.max(0, delay)));
      Runnable cancel = wire.later(wait, () -> run(task));
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

  /** What was disposed of runs no more; the order is the wire's. */
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
