package io.poolkeeper.armsim.throttle;

/**
 * Counts the requests of the last seconds. It slides in {@value #SLICES} steps: a request expires
 * one window after the beginning of its slice, so at most one slice early. Whether Azure's window
 * slides or is fixed is not documented; in a sliding one, counting refused requests prolongs the
 * refusal, as users report.
 */
final class SlidingWindow {
  private static final int SLICES = 60;
  private static final long SECOND = 1_000_000_000L;

  private final long sliceNanos;
  private final long start;
  private final long[] counts = new long[SLICES];
  private long current;
  private long total;

  SlidingWindow(long seconds, long nanos) {
    this.sliceNanos = seconds * SECOND / SLICES;
    this.start = nanos;
  }

  long total(long nanos) {
    slide(nanos);
    return total;
  }

  /** Counts a request at the time of the last {@link #total}. */
  void add() {
    counts[index(current)]++;
    total++;
  }

  /**
   * Whole seconds, at least one, until the count falls below the limit without further requests.
   */
  long secondsUntilBelow(long limit, long nanos) {
    slide(nanos);
    long left = total;
    long slice = current - SLICES + 1;
    while (left >= limit && slice <= current) {
      left -= counts[index(slice)];
      slice++;
    }
    // The slice before this one must have expired.
    long free = start + (slice - 1 + SLICES) * sliceNanos;
    return Math.max(1, Math.ceilDiv(free - nanos, SECOND));
  }

  private void slide(long nanos) {
    long now = Math.max(current, (nanos - start) / sliceNanos);
    for (long gone = Math.max(current + 1, now - SLICES + 1); gone <= now; gone++) {
      total -= counts[index(gone)];
      counts[index(gone)] = 0;
    }
    current = now;
  }

  private static int index(long slice) {
    return (int) Math.floorMod(slice, (long) SLICES);
  }
}
