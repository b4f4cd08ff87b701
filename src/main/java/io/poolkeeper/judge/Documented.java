package io.poolkeeper.judge;

import java.time.Duration;
import java.util.Optional;

/**
 * What the settings and the documents promise about waiting (docs/topics/multislb.md,
 * docs/topics/admin-state.md, docs/turnstile.md).
 *
 * @param writes the common bucket
 * @param reserve for drains; its rate is not used, it fills with what the common one cannot hold
 * @param earlyShare the part of a load balancer's time for early writes, more than 0 to 1
 * @param drainMin the first pause of a drain that failed, and {@code drainMax} the longest
 * @param minActive entries of each pool that stay in service
 * @param drainWait how long a drain waits for the shared Lease; empty if for ever
 * @param unreachableAfter how long members wait while it is unreachable; empty if for ever
 * @param maxTail how long before a time at which members leave it free they are granted nothing
 * @param leaseTail how long a write that has no answer keeps it, after its time; 0 without a Lease
 */
public record Documented(
    Duration interval,
    Duration minInterval,
    boolean leadingEdge,
    Duration verifyAfter,
    Duration resync,
    int maxRetries,
    Bucket writes,
    Bucket reserve,
    Bucket reads,
    Bucket early,
    double earlyShare,
    Budget budget,
    int maxInFlight,
    Duration turnDeadline,
    Duration settleLimit,
    Duration maxRetryAfter,
    Duration drainMin,
    Duration drainMax,
    int minActive,
    Optional<Duration> drainWait,
    Optional<Duration> unreachableAfter,
    Duration maxTail,
    Duration leaseTail) {
  /** For everything that no documented wait explains. */
  static final Duration MEMBERS = Duration.ofSeconds(5);

  static final Duration STATES = Duration.ofSeconds(3);

  /** For each PUT that is accepted at the load balancer meanwhile, besides its GET. */
  static final Duration EACH_PUT = Duration.ofSeconds(1);

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONGEST_REPAIR = Duration.ofMinutes(5);

  /** A missing address is put back at the spacing so often in an hour. */
  private static final int PUT_BACK = 6;

  /** From which surplus in a row on repairs wait. */
  private static final int SURPLUS = 3;

  /** Tokens: per second, the most, and at the start. */
  public record Bucket(double rate, int burst, int initial) {}

  /** The retry budget; {@code worth} is the part of a retry that a deposit is. */
  public record Budget(
      int cap, Duration ttl, double perSecond, double worth, boolean depositAttempts) {}

  /** Between the end of one write and the next, after so many doublings. */
  Duration spacing(int doublings) {
    return shorter(doubled(shortest(), doublings), interval);
  }

  private Duration shortest() {
    return leadingEdge ? shorter(minInterval, interval) : interval;
  }

  /** Until the retry number so much, counted from 1; a tenth late at most. */
  Duration retry(int number) {
    return spacing(2 * (number - 1)).multipliedBy(11).dividedBy(10);
  }

  /** Until the repair after so many failures for good. */
  static Duration repair(int failures) {
    return shorter(doubled(SECOND.multipliedBy(15), failures - 1), LONGEST_REPAIR);
  }

  /** Until a drain is tried again that has failed so often in a row. */
  Duration drain(int failures, boolean retriable) {
    return retriable
        ? shorter(doubled(drainMin, failures - 1), drainMax)
        : shorter(doubled(SECOND.multipliedBy(30), failures - 1), LONGEST_REPAIR);
  }

  /** Until an address is put back that others have taken out so often in an hour. */
  Duration putBack(int times) {
    return times <= PUT_BACK
        ? Duration.ZERO
        : shorter(doubled(interval, times - PUT_BACK - 1), LONGEST_REPAIR);
  }

  /** Until an address is taken out that others have put in so often in a row. */
  Duration takeOut(int inRow) {
    return inRow < SURPLUS ? Duration.ZERO : shorter(doubled(interval, inRow - SURPLUS), resync);
  }

  private static Duration doubled(Duration first, int times) {
    return first.multipliedBy(1L << Math.clamp(times, 0, 20));
  }

  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
