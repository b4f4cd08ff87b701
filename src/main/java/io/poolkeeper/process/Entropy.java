package io.poolkeeper.process;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The only place where time and chance enter the program; everything else takes them as arguments,
 * so that it can be driven by a test. Safe to share between threads.
 *
 * <p>There are two clocks. {@link #wall()} is what people read and what other machines send; it may
 * jump. {@link #monotonic()} is what intervals and deadlines are counted on: the wall time at the
 * start plus the nanoseconds elapsed since, so that it never goes back and its instants are still
 * readable. A wall time from outside is converted where it is received.
 */
public final class Entropy {
  /** An odd number near 2^64 divided by the golden ratio: successive seeds lie far apart. */
  private static final long SEED_STEP = 0x9E3779B97F4A7C15L;

  private final InstantSource wall;
  private final LongSupplier monotonicNanos;
  private final LongSupplier shownNanos;
  private final Instant startWall;
  private final long startNanos;
  private final AtomicLong nextSeed;

  private Entropy(
      InstantSource wall, LongSupplier monotonicNanos, LongSupplier shownNanos, long seed) {
    this.wall = wall;
    this.monotonicNanos = monotonicNanos;
    this.shownNanos = shownNanos;
    this.startWall = wall.instant();
    this.startNanos = monotonicNanos.getAsLong();
    this.nextSeed = new AtomicLong(seed);
  }

  /** The machine's clocks, and a seed from the operating system. */
  public static Entropy system() {
    return seeded(new SecureRandom().nextLong());
  }

  /** The machine's clocks, and the numbers of this seed. */
  public static Entropy seeded(long seed) {
    return of(InstantSource.system(), System::nanoTime, System::nanoTime, seed);
  }

  /**
   * The given clocks and the numbers of this seed.
   *
   * @param shownNanos the monotonic time for {@link #shown()}
   */
  public static Entropy of(
      InstantSource wall, LongSupplier monotonicNanos, LongSupplier shownNanos, long seed) {
    return new Entropy(wall, monotonicNanos, shownNanos, seed);
  }

  /** The time of day. It may be set back. */
  public InstantSource wall() {
    return wall;
  }

  /** Nanoseconds from an arbitrary origin, possibly negative; only differences mean anything. */
  public LongSupplier monotonicNanos() {
    return monotonicNanos;
  }

  /** Start time plus elapsed nanoseconds. It never goes back. */
  public InstantSource monotonic() {
    return () -> startWall.plusNanos(monotonicNanos.getAsLong() - startNanos);
  }

  /**
   * The monotonic clock for people. No decision reads it, so the fault simulator lets no read of it
   * fail.
   */
  public InstantSource shown() {
    return () -> startWall.plusNanos(shownNanos.getAsLong() - startNanos);
  }

  /**
   * A generator of its own for each caller, which keeps it: a generator is not safe to share. The
   * n-th call gives the same numbers whenever the seed is the same.
   */
  public RandomGenerator random() {
    return new SplittableRandom(nextSeed.getAndAdd(SEED_STEP));
  }
}
