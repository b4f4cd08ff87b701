package io.poolkeeper.pool;

import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.Range;
import io.poolkeeper.pool.Leftover.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rule by which a large removal waits: a cluster that loses most endpoints of a Service at once
 * more often has a defect than an operator who means it. Invariant: a removal that joins a waiting
 * one does not begin the wait anew.
 *
 * @param maxRemoval thousandths of a pool's entries that may go at once
 * @param minEntries a removal of fewer entries never waits, unless it empties the pool
 * @param delay how long a larger removal waits; zero: not at all
 */
public record Brake(int maxRemoval, int minEntries, Duration delay) {
  public static final Range<Integer> MAX_REMOVAL = new Range<>(1, 1_000);
  public static final Range<Integer> MIN_ENTRIES = new Range<>(1, 5_000);
  public static final Range<Duration> DELAY = new Range<>(Duration.ZERO, Duration.ofHours(1));
  public static final Brake OFF = new Brake(500, 3, Duration.ZERO);

  public Brake {
    MAX_REMOVAL.check("max removal", maxRemoval);
    MIN_ENTRIES.check("min entries", minEntries);
    DELAY.check("delay", delay);
  }

  boolean on() {
    return !delay.isZero();
  }

  /**
   * Until when the removals of the edit wait, which may be over; empty if they need not. The wait
   * begins when so many were wanted that they are too many, and further ones do not begin it anew.
   *
   * @param since when the removal of each entry was first wanted
   */
  Optional<Instant> until(PoolView view, PoolEdit edit, Map<Leftover, Instant> since, Instant now) {
    int entries = view.entries().size();
    int share = Math.max(minEntries, (int) ((long) entries * maxRemoval / 1_000) + 1);
    int least = edit.add().isEmpty() ? Math.min(share, entries) : share;
    List<Instant> wanted =
        view.entries().stream()
            .filter(entry -> on() && edit.removes(entry.name(), entry.address()))
            .map(
                entry ->
                    new Leftover(Kind.ADDRESS, entry.name(), Optional.empty(), Optional.empty()))
            .map(leftover -> since.getOrDefault(leftover, now))
            .sorted()
            .toList();
    return wanted.isEmpty() || wanted.size() < least
        ? Optional.empty()
        : Optional.of(wanted.get(least - 1).plus(delay));
  }
}
