package io.poolkeeper.judge;

import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one pool holds in truth, what it ought to hold as far as that was delivered, and what was
 * shown of it. An entry is waited for in one way if truth and what was shown are wrong in that way.
 */
final class Pools {
  private final Map<PoolId, Pool> pools = new HashMap<>();
  private final int minActive;

  /** Of every address of a node: whether that node is out of service; no entry if unsure. */
  private Map<String, Boolean> leaving = Map.of();

  /** Since when an address is out of service, to tell which of several a floor keeps. */
  private final Map<String, Instant> leavingSince = new HashMap<>();

  /**
   * What a pool ought to hold.
   *
   * @param vague whether a node is not known, so that more may be there
   */
  record Wanted(Set<String> exactly, boolean vague) {
    private boolean is(Set<String> addresses) {
      return vague ? addresses.containsAll(exactly) : addresses.equals(exactly);
    }
  }

  /**
   * Entries, each with whether it is Down.
   *
   * @param asOf when what has shown them began
   * @param at when it arrived
   */
  private record View(Map<String, Boolean> entries, Instant asOf, Instant at) {}

  private static final class Pool {
    Optional<Map<String, Boolean>> holds = Optional.empty();
    Optional<Wanted> wanted = Optional.empty();
    Optional<View> shown = Optional.empty();

    /** When it was gone last, or its rules others, or a call has shown that it is gone. */
    Instant goneAt = Instant.MIN;

    /** Since then no listing has shown whose it is. */
    boolean unlisted;
  }

  Pools(int minActive) {
    this.minActive = minActive;
  }

  Set<PoolId> ids() {
    return pools.keySet();
  }

  private Pool at(PoolId id) {
    return pools.computeIfAbsent(id, any -> new Pool());
  }

  Optional<Map<String, Boolean>> holds(PoolId id) {
    return at(id).holds;
  }

  void holds(PoolId id, Optional<Map<String, Boolean>> entries, Instant now) {
    at(id).holds = entries.map(Map::copyOf);
    if (entries.isEmpty()) {
      gone(id, now);
    }
  }

  /** Another pool of that name must be shown anew. */
  void gone(PoolId id, Instant now) {
    Pool pool = at(id);
    pool.shown = Optional.empty();
    pool.goneAt = now;
    pool.unlisted = true;
  }

  Optional<Wanted> wanted(PoolId id) {
    return at(id).wanted;
  }

  void wants(PoolId id, Optional<Wanted> wanted) {
    at(id).wanted = wanted;
  }

  /** A view of it has arrived that began then; an older one than is known shows nothing. */
  void shown(PoolId id, Map<String, Boolean> entries, Instant asOf, Instant now) {
    Pool pool = at(id);
    boolean old = pool.shown.filter(view -> view.asOf().isAfter(asOf)).isPresent();
    if (!old && !asOf.isBefore(pool.goneAt)) {
      pool.shown = Optional.of(new View(Map.copyOf(entries), asOf, now));
    }
  }

  /** Whether the newest view shows just what is wanted. */
  boolean asWanted(PoolId id) {
    Pool pool = at(id);
    return pool.shown.isPresent()
        && pool.wanted.filter(any -> any.is(pool.shown.get().entries().keySet())).isPresent();
  }

  /** Whether the newest view shows every admin state as it is wanted, whatever a floor keeps. */
  boolean drained(PoolId id) {
    return at(id)
        .shown
        .filter(view -> view.entries().entrySet().stream().allMatch(this::right))
        .isPresent();
  }

  private boolean right(Map.Entry<String, Boolean> entry) {
    return entry.getValue().equals(leaving.getOrDefault(entry.getKey(), false));
  }

  /** A listing that began then has shown it and its rules; it may be older than a GET meanwhile. */
  void listed(PoolId id, Map<String, Boolean> entries, Instant asOf, Instant now) {
    Pool pool = at(id);
    pool.unlisted &= asOf.isBefore(pool.goneAt);
    if (pool.shown.filter(view -> view.at().isAfter(asOf)).isEmpty()) {
      shown(id, entries, asOf, now);
    }
  }

  /** Whether a view of it has arrived that began then or later. */
  boolean shownSince(PoolId id, Instant then) {
    return at(id).shown.filter(view -> !view.asOf().isBefore(then)).isPresent();
  }

  boolean everShown(PoolId id) {
    return at(id).shown.isPresent();
  }

  void nodes(Map<String, Boolean> next, Instant now) {
    next.forEach(
        (address, out) -> {
          if (out) {
            leavingSince.putIfAbsent(address, now);
          } else {
            leavingSince.remove(address);
          }
        });
    leavingSince.keySet().retainAll(next.keySet());
    leaving = Map.copyOf(next);
  }

  /** What is wrong there and was shown. */
  Set<Subject> wrong(PoolId id) {
    Pool pool = at(id);
    Set<Subject> found = new HashSet<>();
    if (pool.holds.isEmpty() || pool.shown.isEmpty()) {
      return found;
    }
    Map<String, Boolean> holds = pool.holds.get();
    Map<String, Boolean> shown = pool.shown.get().entries();
    pool.wanted
        .filter(any -> !pool.unlisted)
        .ifPresent(wanted -> members(id, wanted, holds, shown, found));
    states(id, holds, shown, found);
    return found;
  }

  private static void members(
      PoolId id,
      Wanted wanted,
      Map<String, Boolean> holds,
      Map<String, Boolean> shown,
      Set<Subject> found) {
    for (String address : wanted.exactly()) {
      if (!holds.containsKey(address) && !shown.containsKey(address)) {
        found.add(new Subject(id, address, Subject.How.MISSING));
      }
    }
    if (!wanted.vague()) {
      for (String address : holds.keySet()) {
        if (shown.containsKey(address) && !wanted.exactly().contains(address)) {
          found.add(new Subject(id, address, Subject.How.SURPLUS));
        }
      }
    }
  }

  private void states(
      PoolId id, Map<String, Boolean> holds, Map<String, Boolean> shown, Set<Subject> found) {
    TreeSet<String> out = new TreeSet<>();
    holds.forEach(
        (address, down) -> {
          boolean seen = down.equals(shown.get(address));
          Boolean leaves = leaving.get(address);
          if (seen && leaves != null && leaves && !down) {
            out.add(address);
          } else if (seen && leaves != null && !leaves && down) {
            found.add(new Subject(id, address, Subject.How.STILL_DOWN));
          }
        });
    long active = holds.values().stream().filter(down -> !down).count();
    out.stream()
        .sorted(Comparator.comparing(address -> leavingSince.getOrDefault(address, Instant.MIN)))
        .limit(Math.max(0, active - minActive))
        .forEach(address -> found.add(new Subject(id, address, Subject.How.NOT_DOWN)));
  }
}
