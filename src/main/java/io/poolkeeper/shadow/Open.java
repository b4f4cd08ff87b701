package io.poolkeeper.shadow;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.pool.PoolStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A decision on members of a pool that has not ended yet.
 *
 * @param at when the decision was made; monotonic
 * @param left its entries that are still wrong in the pool; empty only when it ends
 * @param superseded whether an entry ceased to be wanted before it was put right
 */
public record Open(Instant at, Set<Entry> left, boolean superseded) {
  /** After so long it counts as not met, whatever becomes of it. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  /** The cloud provider writes what waits every 30 s. */
  private static final Duration USUAL = Duration.ofMinutes(1);

  /** What is to become of an address. */
  public record Entry(Address address, boolean add) {
    static Set<Entry> of(PoolEdit edit) {
      return Stream.concat(
              edit.add().keySet().stream().map(address -> new Entry(address, true)),
              edit.remove().stream().map(address -> new Entry(address, false)))
          .collect(Collectors.toSet());
    }

    private boolean isMet(PoolStatus pool) {
      return pool.members().inPool().contains(address) == add;
    }
  }

  public Open {
    left = Set.copyOf(left);
  }

  /** The decision in a pool with these wrong entries: the others of its entries have ended. */
  Open seenIn(PoolStatus pool, Set<Entry> wrong) {
    Set<Entry> gone = new HashSet<>(left);
    gone.removeAll(wrong);
    Set<Entry> next = new HashSet<>(left);
    next.retainAll(wrong);
    return new Open(at, next, superseded || gone.stream().anyMatch(entry -> !entry.isMet(pool)));
  }

  boolean ended() {
    return left.isEmpty();
  }

  boolean slow(Instant now) {
    return now.isAfter(at.plus(USUAL));
  }

  public boolean late(Instant now) {
    return !now.isBefore(at.plus(LONGEST));
  }
}
