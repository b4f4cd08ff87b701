package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolEdit;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The addresses of a pool that other clients have undone within the last hour, by direction. An
 * address is undone if a verification shows it wrong although our last write, or a verification
 * since, left it right. An address of which the desired state changes is forgotten: that is our own
 * change. Bounded; times are monotonic. User documentation: docs/topics/multislb.md.
 *
 * @param known the addresses undone since our last write, which do not count twice; empty if the
 *     pool may differ for a reason of our own
 * @param rows one for each address and direction that was undone
 */
record Drift(Optional<Set<Undone>> known, SortedMap<Undone, Row> rows) {
  static final Drift NONE = new Drift(Optional.empty(), new TreeMap<>());

  /** The maximum of rows, and of further addresses that are known as undone. */
  static final int MOST = 1_000;

  private static final Duration MEMORY = Duration.ofHours(1);

  enum Direction {
    /** The address is desired, and not in the pool. */
    MISSING(7),
    /** The address is in the pool, and not desired. */
    SURPLUS(3);

    private final int patience;

    Direction(int patience) {
      this.patience = patience;
    }

    /** How often within an hour an address may be undone before its repair waits. */
    int patience() {
      return patience;
    }
  }

  record Undone(Direction direction, Address address) implements Comparable<Undone> {
    private static final Comparator<Undone> ORDER =
        Comparator.comparing(Undone::direction).thenComparing(Undone::address);

    @Override
    public int compareTo(Undone other) {
      return ORDER.compare(this, other);
    }

    private boolean concerns(DesiredMembers desired) {
      return desired.members().containsKey(address) == (direction == Direction.MISSING);
    }

    static Set<Undone> of(PoolEdit edit) {
      return Stream.concat(
              edit.add().keySet().stream().map(address -> new Undone(Direction.MISSING, address)),
              edit.remove().stream().map(address -> new Undone(Direction.SURPLUS, address)))
          .collect(Collectors.toSet());
    }
  }

  /**
   * How often the same address was undone in one direction.
   *
   * @param times within the last hour, oldest first; never empty
   * @param fight whether the address was ever undone so often that its repair waits; reported once
   */
  record Row(List<Instant> times, boolean fight) {
    /** Enough times for the longest wait after the shortest interval. */
    static final int MOST = 20;

    Row {
      times = List.copyOf(times);
    }

    private static Row after(Optional<Row> before, Undone undone, Instant now) {
      List<Instant> recent =
          Stream.concat(before.stream().flatMap(row -> row.recent(now)), Stream.of(now)).toList();
      boolean fight = recent.size() >= undone.direction().patience();
      return new Row(
          recent.subList(Math.max(0, recent.size() - MOST), recent.size()),
          fight || before.filter(Row::fight).isPresent());
    }

    private Stream<Instant> recent(Instant now) {
      return times.stream().filter(at -> at.plus(MEMORY).isAfter(now));
    }

    private int count(Instant now) {
      return (int) recent(now).count();
    }
  }

  Drift {
    known = known.map(Set::copyOf);
    rows = Collections.unmodifiableSortedMap(rows);
  }

  /** Our own write has left the pool as desired. */
  Drift repaired() {
    return new Drift(Optional.of(Set.of()), rows);
  }

  /** A verification or a read shows the pool as desired. */
  Drift seenAsDesired(Instant now) {
    return new Drift(known.or(() -> Optional.of(Set.of())), recent(now));
  }

  /** The pool may differ from what is desired for a reason of our own. */
  Drift unknown() {
    return new Drift(Optional.empty(), rows);
  }

  /** Forgets the addresses of which the desired state has changed. */
  Drift withDesired(Desired desired) {
    if (rows.isEmpty() && known.stream().allMatch(Set::isEmpty)) {
      return this;
    }
    DesiredMembers members = desired.members();
    Predicate<Undone> concerns = undone -> undone.concerns(members);
    SortedMap<Undone, Row> left = new TreeMap<>(rows);
    left.keySet().removeIf(concerns.negate());
    return new Drift(
        known.map(old -> old.stream().filter(concerns).collect(Collectors.toSet())), left);
  }

  /** A verification shows differences to repair. Those count that others are known to have made. */
  Drift found(PoolEdit edit, Instant now) {
    Set<Undone> wrong = Undone.of(edit);
    SortedMap<Undone, Row> next = recent(now);
    Set<Undone> before = known.orElse(wrong);
    for (Undone undone : new TreeSet<>(wrong)) {
      boolean room = next.size() < MOST || next.containsKey(undone);
      if (!before.contains(undone) && room) {
        next.put(undone, Row.after(Optional.ofNullable(next.get(undone)), undone, now));
      }
    }
    Set<Undone> union = new HashSet<>(wrong);
    union.addAll(before);
    return new Drift(Optional.of(union.size() > wrong.size() + MOST ? wrong : union), next);
  }

  private SortedMap<Undone, Row> recent(Instant now) {
    SortedMap<Undone, Row> left = new TreeMap<>(rows);
    left.values().removeIf(row -> row.count(now) == 0);
    return left;
  }

  Set<Undone> fights() {
    return rows.entrySet().stream()
        .filter(row -> row.getValue().fight())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * When the first difference is to be repaired: at once, unless others have undone all of them too
   * often. A difference without a row waits for the others.
   */
  Instant due(PoolEdit edit, PoolLimits limits, Instant now) {
    boolean full = rows.size() >= MOST;
    return Undone.of(edit).stream()
        .filter(undone -> !full || rows.containsKey(undone))
        .map(undone -> due(undone, limits, now))
        .min(Comparator.naturalOrder())
        .orElse(now);
  }

  private Instant due(Undone undone, PoolLimits limits, Instant now) {
    Row row = rows.get(undone);
    if (row == null || row.count(now) == 0) {
      return now;
    }
    return row.times().getLast().plus(limits.postponement(undone.direction(), row.count(now)));
  }

  /** How often the most damaged address of the edit was undone. */
  int mostUndone(PoolEdit edit, Instant now) {
    return Undone.of(edit).stream()
        .flatMap(undone -> Stream.ofNullable(rows.get(undone)))
        .mapToInt(row -> row.count(now))
        .max()
        .orElse(0);
  }
}
