package io.poolkeeper.judge;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What pools hold in truth, and what they ought to hold as far as that was delivered. What others
 * have changed is judged when a read that began later has shown it. Entries are addresses, each
 * with whether it is Down; pools are paths.
 */
public final class Pools {
  private final Map<String, Pool> pools = new HashMap<>();
  private final Set<String> changed = new HashSet<>();
  private final int minActive;

  /** Of every address of a node: whether that node is out of service; no entry if unsure. */
  private Map<String, Boolean> leaving = Map.of();

  /** Something that may be wrong in a pool; each has a clock of its own. */
  record Subject(String pool, String address, boolean members, String how) {}

  private static final class Pool {
    Map<String, Boolean> holds = Map.of();

    /** Null if nobody owns it. */
    @Nullable Set<String> wanted;

    /** Whether a node is not known, so that more may be there. */
    boolean vague;

    /** A read that begins then or later shows the change. */
    Instant changedAt = Instant.MIN;

    /** A listing that begins then or later shows the owner. */
    Instant goneAt = Instant.MIN;

    Instant shownAt = Instant.MIN;
    Instant listedAt = Instant.MIN;
  }

  public Pools(int minActive) {
    this.minActive = minActive;
  }

  private Pool at(String id) {
    changed.add(id);
    return pools.computeIfAbsent(id, any -> new Pool());
  }

  public void holds(String id, Map<String, Boolean> entries) {
    at(id).holds = entries;
  }

  /** Another client has changed the pool, or our write was not applied. */
  public void changed(String id, Instant now) {
    at(id).changedAt = now;
  }

  /** A write of ours has ended. A view from before that is old news to its writer. */
  public void written(String id, Instant sentAt, Instant now) {
    Pool pool = at(id);
    pool.changedAt = pool.changedAt.isBefore(sentAt) ? pool.changedAt : now;
  }

  /** The pool was deleted, or its rules have changed. */
  public void gone(String id, Instant now) {
    changed(id, now);
    at(id).goneAt = now;
  }

  public void wants(String id, @Nullable Set<String> exactly, boolean vague) {
    at(id).wanted = exactly;
    at(id).vague = vague;
  }

  public void nodes(Map<String, Boolean> outOfService) {
    leaving = outOfService;
    changed.addAll(pools.keySet());
  }

  /** A read that began then has shown the pool. */
  public void shown(String id, Instant asOf) {
    Pool pool = at(id);
    pool.shownAt = asOf.isAfter(pool.shownAt) ? asOf : pool.shownAt;
  }

  /** A listing of a resource group, by its path, that began then has shown all in it. */
  public void listed(String group, Instant asOf) {
    for (String id : pools.keySet()) {
      if (id.regionMatches(true, 0, group + "/", 0, group.length() + 1)) {
        shown(id, asOf);
        at(id).listedAt = asOf;
      }
    }
  }

  /** The pools in which something may be otherwise than the last time. */
  Set<String> changed() {
    Set<String> all = Set.copyOf(changed);
    changed.clear();
    return all;
  }

  /** What is wrong in a pool and was shown. */
  Set<Subject> wrong(String id) {
    Set<Subject> found = new HashSet<>();
    Pool pool = pools.getOrDefault(id, new Pool());
    if (!pool.shownAt.isBefore(pool.changedAt)) {
      members(id, pool, found);
      states(id, pool, found);
    }
    return found;
  }

  private static void members(String id, Pool pool, Set<Subject> found) {
    Set<String> wanted = pool.wanted;
    if (wanted != null && !pool.listedAt.isBefore(pool.goneAt)) {
      Set<String> missing = new HashSet<>(wanted);
      missing.removeAll(pool.holds.keySet());
      missing.forEach(address -> found.add(new Subject(id, address, true, "missing")));
      Set<String> surplus = new HashSet<>(pool.vague ? Set.of() : pool.holds.keySet());
      surplus.removeAll(wanted);
      surplus.forEach(address -> found.add(new Subject(id, address, true, "surplus")));
    }
  }

  private void states(String id, Pool pool, Set<Subject> found) {
    Set<Subject> out = new HashSet<>();
    pool.holds.forEach(
        (address, down) -> {
          boolean leaves = leaving.getOrDefault(address, down);
          if (leaves != down) {
            String how = leaves ? "not Down" : "still Down";
            (leaves ? out : found).add(new Subject(id, address, false, how));
          }
        });
    long active = pool.holds.values().stream().filter(down -> !down).count();
    // Else some of them stay in service; which ones is not judged.
    if (active - out.size() >= minActive) {
      found.addAll(out);
    }
  }
}
