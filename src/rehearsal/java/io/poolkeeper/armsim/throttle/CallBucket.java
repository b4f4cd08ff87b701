package io.poolkeeper.armsim.throttle;

/**
 * A token bucket, full at first. Counts in billionths of a token, so that refilling is exact. Times
 * are monotonic nanoseconds; an earlier time than the last is treated as the last.
 */
final class CallBucket {
  private static final long ONE = 1_000_000_000L;

  private final long capacity;
  private final long perNano;
  private long content;
  private long at;

  CallBucket(long burst, long perSecond, long nanos) {
    this.capacity = burst * ONE;
    this.perNano = perSecond;
    this.content = capacity;
    this.at = nanos;
  }

  long remaining(long nanos) {
    refill(nanos);
    return content / ONE;
  }

  void take() {
    content -= ONE;
  }

  /** Whole seconds, at least one, until a token is available. */
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
    // Compared before the multiplication, which could overflow after a long pause.
    content =
        elapsed >= Math.ceilDiv(capacity - content, perNano)
            ? capacity
            : content + elapsed * perNano;
  }
}
