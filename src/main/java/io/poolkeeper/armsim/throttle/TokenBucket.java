package io.poolkeeper.armsim.throttle;

/**
 * A token bucket, full when it is new. Counts in billionths of a token, so that refilling is exact
 * whenever it is asked. Times are monotonic nanoseconds; one that lies before an earlier one is
 * taken as the same moment.
 */
final class TokenBucket {
  private static final long ONE = 1_000_000_000L;

  private final long capacity;
  private final long perNano;
  private long content;
  private long at;

  TokenBucket(long burst, long perSecond, long nanos) {
    this.capacity = burst * ONE;
    this.perNano = perSecond;
    this.content = capacity;
    this.at = nanos;
  }

  /** Whole tokens that are there. */
  long remaining(long nanos) {
    refill(nanos);
    return content / ONE;
  }

  /** Takes a token, which must be there. */
  void take() {
    content -= ONE;
  }

  /** Whole seconds, at least one, until there is a token. */
  long secondsToNext() {
    long nanos = Math.ceilDiv(Math.max(0, ONE - content), perNano);
    return Math.max(1, Math.ceilDiv(nanos, ONE));
  }

  private void refill(long nanos) {
    long elapsed = nanos - at;
    if (elapsed <= 0) {
      return;
    }
    at = nanos;
    // Compared before it is multiplied: a long pause must not overflow.
    content =
        elapsed >= Math.ceilDiv(capacity - content, perNano)
            ? capacity
            : content + elapsed * perNano;
  }
}
