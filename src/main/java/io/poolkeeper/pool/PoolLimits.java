package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Range;
import io.poolkeeper.model.Verdict;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The pace and the patience of one pool.
 *
 * @param interval the longest spacing of two writes
 * @param minInterval the spacing after a quiet change was written, which then doubles up to the
 *     interval; at most the interval, and equal to it without a leading edge
 * @param leadingEdge whether the first change after a quiet interval is written after the window
 *     instead of an interval later
 * @param window how long a change waits for further ones; at most the interval
 * @param verifyAfter how long after a write the first verification comes; zero if none
 * @param resync how often a listing comes at least
 * @param maxRetries how many retriable failures a change survives
 * @param drain how long a drain waits that failed and may be retried; its jitter spreads the delays
 *     of refused drains and of repairs, too
 * @param brake how long a large removal waits
 * @param shadow whether attempts end where they would begin to write
 */
public record PoolLimits(
    Duration interval,
    Duration minInterval,
    boolean leadingEdge,
    Duration window,
    Duration verifyAfter,
    Duration resync,
    int maxRetries,
    Backoff drain,
    Brake brake,
    boolean shadow) {
  /** Of both intervals. */
  public static final Range<Duration> INTERVAL =
      new Range<>(Duration.ofMillis(100), Duration.ofHours(1));

  public static final Range<Duration> VERIFY_AFTER =
      new Range<>(Duration.ZERO, Duration.ofHours(2));
  public static final Range<Duration> RESYNC =
      new Range<>(Duration.ofSeconds(10), Duration.ofHours(24));

  /** A higher number would make a queue of it. */
  public static final Range<Integer> MAX_RETRIES = new Range<>(0, 100);

  private static final Duration RECHECK = Duration.ofSeconds(1);
  private static final Duration REREAD = Duration.ofSeconds(2);

  /**
   * When each look after a write comes, counted from the first. Another client's tick may wait for
   * a lock, for minutes if much has changed.
   */
  public static final List<Duration> VERIFICATIONS =
      List.of(Duration.ZERO, Duration.ofSeconds(85), Duration.ofSeconds(265));

  /** The longest time between two repairs that fail. */
  public static final Duration LONGEST_REPAIR = Duration.ofMinutes(5);

  /** How soon a pool repairs itself (architecture, When something fails). */
  private static final Backoff REPAIR =
      new Backoff(Duration.ofSeconds(15), LONGEST_REPAIR, Jitter.EQUAL);

  /** How soon a drain is tried again that ARM has refused for good. */
  private static final Backoff REFUSED_DRAIN =
      new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(5), Jitter.EQUAL);

  /** The longest repair delay of a missing address in a fight: its traffic is missing. */
  static final Duration MISSING = Duration.ofMinutes(5);

  /** The share of its delay by which a retry comes earlier or later. */
  private static final double RETRY_JITTER = 0.1;

  public PoolLimits {
    INTERVAL.check("interval", interval);
    INTERVAL.check("min-interval", minInterval);
    new Range<>(Duration.ZERO, interval).check("window", window);
    VERIFY_AFTER.check("verify-after", verifyAfter);
    RESYNC.check("resync", resync);
    MAX_RETRIES.check("max retries", maxRetries);
    if (!leadingEdge || minInterval.compareTo(interval) > 0) {
      minInterval = interval;
    }
  }

  /** When a pool is read again after another client's write or a hold kept it from a write. */
  Instant recheck(Instant now) {
    return now.plus(RECHECK);
  }

  /** When a pool is read again that a GET has shown, and the PUT after it has not found. */
  Instant reread(Instant now) {
    return now.plus(REREAD);
  }

  /** The spacing after that number of doublings. */
  Duration spacing(int doublings) {
    Duration spacing = minInterval;
    for (int i = 0; i < doublings && spacing.compareTo(interval) < 0; i++) {
      spacing = spacing.multipliedBy(2);
    }
    return spacing.compareTo(interval) < 0 ? spacing : interval;
  }

  /**
   * When an attempt that fails now is made again if ARM did not say when: the spacing, four times
   * as long for each earlier retry.
   *
   * @param retries consumed before, by the change that consumed most
   */
  Instant retry(Instant now, int retries, RandomGenerator random) {
    double factor = 1 - RETRY_JITTER + 2 * RETRY_JITTER * random.nextDouble();
    return now.plusNanos((long) (spacing(2 * retries).toNanos() * factor));
  }

  /**
   * How long a repair waits that others have undone: nothing while it may be no fight, then the
   * interval, which doubles; up to 5 min for what is missing, and up to the time after which a
   * listing would find it anyway for what is too much.
   *
   * @param times how often it was found damaged within the last hour
   */
  Duration postponement(Drift.Direction direction, int times) {
    if (times < direction.patience()) {
      return Duration.ZERO;
    }
    Duration most = direction == Drift.Direction.MISSING ? MISSING : resync;
    Duration wait = interval;
    for (int i = direction.patience(); i < times && wait.compareTo(most) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(most) < 0 ? wait : most;
  }

  /** How long a pool waits with its repair after that number of failures in a row. */
  Duration repair(int failures, Duration previous, RandomGenerator random) {
    return REPAIR.with(drain.jitter()).delay(failures, previous, random);
  }

  /** How long it waits after that number of recoveries of others: no delay is the previous one. */
  Duration expedited(int recoveries, RandomGenerator random) {
    return REPAIR.delay(recoveries, random);
  }

  /** How long a drain waits after that number of failures in a row. */
  Duration drainRetry(ArmFailure failure, int failures, Duration previous, RandomGenerator random) {
    boolean refused = failure.verdict() == Verdict.TERMINAL;
    Backoff backoff = refused ? REFUSED_DRAIN.with(drain.jitter()) : drain;
    return backoff.delay(failures, previous, random);
  }

  /** Whether the delay of repairs is at its maximum after so many failures in a row. */
  boolean slowestRepair(int failures) {
    return REPAIR.slowest(failures);
  }
}
