package io.poolkeeper.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Virtual time: one queue of everything that is still to happen. What is due at the same moment
 * happens in the order in which it was entered.
 */
public final class Timeline {
  /** When it begins. */
  public static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  /** More would be a run that feeds itself. */
  private static final int MOST_ENTRIES = 1_000_000;

  private final PriorityQueue<Entry> queue =
      new PriorityQueue<>(
          Comparator.comparing((Entry entry) -> entry.at).thenComparingLong(entry -> entry.order));
  private Instant now = START;
  private long entered;
  private long happened;

  /** Something to happen, unless it is cancelled before. */
  public static final class Entry {
    private final Instant at;
    private final long order;
    private final Runnable what;
    private boolean cancelled;

    private Entry(Instant at, long order, Runnable what) {
      this.at = at;
      this.order = order;
      this.what = what;
    }

    void cancel() {
      cancelled = true;
    }
  }

  /** Monotonic and wall time alike. */
  public Instant now() {
    return now;
  }

  /** Since the beginning. */
  public Duration elapsed() {
    return Duration.between(START, now);
  }

  long nanos() {
    return elapsed().toNanos();
  }

  /** How much has happened. */
  long happened() {
    return happened;
  }

  /** After a delay. */
  public Entry after(Duration delay, Runnable what) {
    return at(now.plus(delay), what);
  }

  /** At a time, or at once if it is past. */
  public Entry at(Instant when, Runnable what) {
    if (queue.size() >= MOST_ENTRIES) {
      throw new IllegalStateException("more than " + MOST_ENTRIES + " things wait to happen");
    }
    Entry entry = new Entry(when.isBefore(now) ? now : when, entered++, what);
    queue.add(entry);
    return entry;
  }

  /** When the next thing happens. */
  public Optional<Instant> next() {
    while (!queue.isEmpty() && queue.peek().cancelled) {
      queue.remove();
    }
    return Optional.ofNullable(queue.peek()).map(entry -> entry.at);
  }

  /** Lets the next thing happen. */
  public void step() {
    if (next().isPresent()) {
      Entry entry = queue.remove();
      now = entry.at;
      happened++;
      entry.what.run();
    }
  }

  /** Time passes in which nothing happens. */
  public void pass(Instant until) {
    if (until.isAfter(now)) {
      now = until;
    }
  }
}
