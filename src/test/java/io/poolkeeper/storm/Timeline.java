package io.poolkeeper.storm;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Virtual time: what happens at one instant happens in the order in which it was planned, and
 * nothing happens by itself. The same plan gives the same history.
 */
final class Timeline {
  static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  private record Due(Instant at, long sequence, Runnable what) {}

  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::sequence));
  private Instant now = START;
  private long sequence;

  Instant now() {
    return now;
  }

  /** Since the beginning. */
  Duration elapsed() {
    return Duration.between(START, now);
  }

  void at(Instant time, Runnable what) {
    queue.add(new Due(time.isBefore(now) ? now : time, sequence++, what));
  }

  void after(Duration delay, Runnable what) {
    at(now.plus(delay), what);
  }

  /** Lets happen what is planned, up to that much time after the beginning. */
  void runFor(Duration time) {
    Instant end = START.plus(time);
    while (!queue.isEmpty() && !queue.peek().at().isAfter(end)) {
      Due due = queue.poll();
      now = due.at();
      due.what().run();
    }
    now = end;
  }
}
