package io.poolkeeper.node;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when a snapshot of the nodes is sent to the pools. The first change after a quiet time
 * waits for the window, in which nodes that leave together are gathered. While more nodes leave,
 * snapshots are spaced, and the spacing doubles up to {@link #LONGEST}: many nodes make few
 * snapshots, and few writes of a pool. A new or moved node is not urgent, and delays no leaving
 * node.
 *
 * @param due when the next snapshot is sent; empty if nothing has changed
 * @param since when nodes first left or returned, or the watch was lost or came back, after the
 *     last snapshot; empty if the next snapshot is not urgent
 * @param last when the last urgent snapshot was sent
 * @param spacing the time between the last urgent snapshot and the next
 */
record SnapshotCoalescing(
    Optional<Instant> due, Optional<Instant> since, Instant last, Duration spacing) {
  static final SnapshotCoalescing NONE =
      new SnapshotCoalescing(Optional.empty(), Optional.empty(), Instant.EPOCH, Duration.ZERO);

  /** The longest spacing; a write at Azure takes longer. */
  static final Duration LONGEST = Duration.ofSeconds(1);

  /** The first spacing, unless the window is longer. */
  private static final Duration SHORTEST = Duration.ofMillis(20);

  private static final Duration QUIET = LONGEST.multipliedBy(2);

  /** Nodes went out of service, or came back. */
  SnapshotCoalescing changed(Duration window, Instant now) {
    Instant gathered = now.plus(window);
    Instant spaced = last.plus(spacing);
    Instant earliest = gathered.isAfter(spaced) ? gathered : spaced;
    Instant soonest = due.filter(planned -> planned.isBefore(earliest)).orElse(earliest);
    return new SnapshotCoalescing(
        Optional.of(soonest), since.or(() -> Optional.of(now)), last, spacing);
  }

  /** The placement of nodes has changed. */
  SnapshotCoalescing moved(Instant now) {
    return new SnapshotCoalescing(
        due.or(() -> Optional.of(now.plus(LONGEST))), since, last, spacing);
  }

  boolean isDue(Instant now) {
    return due.filter(at -> !at.isAfter(now)).isPresent();
  }

  /** The due time has passed; {@code sent} if a snapshot was sent. */
  SnapshotCoalescing passed(boolean sent, Duration window, Instant now) {
    if (!sent || since.isEmpty()) {
      return new SnapshotCoalescing(Optional.empty(), Optional.empty(), last, spacing);
    }
    Duration shortest = longer(window, SHORTEST);
    Duration longest = longer(shortest, LONGEST);
    Duration doubled = longer(spacing.multipliedBy(2), shortest);
    Duration bounded = doubled.compareTo(longest) < 0 ? doubled : longest;
    Duration next = now.isBefore(last.plus(QUIET)) ? bounded : shortest;
    return new SnapshotCoalescing(Optional.empty(), Optional.empty(), now, next);
  }

  private static Duration longer(Duration first, Duration second) {
    return first.compareTo(second) > 0 ? first : second;
  }
}
