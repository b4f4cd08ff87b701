package io.poolkeeper.shadow;

import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.shadow.Open.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * How often shadow mode would have written, and whether somebody else, in general the cloud
 * provider, came to write the same. A decision is what one attempt would have written to a pool
 * beyond what was decided before. It ends as met, as superseded, or as not met after 10 minutes.
 * Times are monotonic.
 *
 * @param since when the comparison began
 * @param decided how often each kind would have been written
 * @param pools what is decided of each pool; none without a decision that is open
 * @param outcomes of decisions on members
 */
public record ShadowComparison(
    Instant since, Map<Kind, Long> decided, HashPMap<PoolId, OfPool> pools, Outcomes outcomes) {
  public static ShadowComparison begin(Instant now) {
    return new ShadowComparison(now, Map.of(), HashTreePMap.empty(), Outcomes.NONE);
  }

  /**
   * What is decided of a pool, and not yet so there. A new actor of the pool knows no decisions:
   * open ones stay until they are seen to be met, or not to be wanted any more.
   *
   * @param edit as it was reported last
   * @param open the decisions on its members, oldest first; no entry is left in two of them
   */
  public record OfPool(PoolEdit edit, List<Open> open) {
    static final OfPool NONE = new OfPool(PoolEdit.NONE, List.of());

    public OfPool {
      open = List.copyOf(open);
    }

    private Set<Entry> left() {
      return open.stream()
          .flatMap(decision -> decision.left().stream())
          .collect(Collectors.toSet());
    }
  }

  public ShadowComparison {
    decided = Map.copyOf(decided);
  }

  /** Something else than a pool would have been written. */
  public ShadowComparison decided(Kind kind) {
    Map<Kind, Long> next = new EnumMap<>(Kind.class);
    next.putAll(decided);
    next.merge(kind, 1L, Long::sum);
    return new ShadowComparison(since, next, pools, outcomes);
  }

  public long count(Kind kind) {
    return decided.getOrDefault(kind, 0L);
  }

  public ShadowComparison shown(PoolStatus status, Instant now) {
    PoolEdit edit = status.activity().wouldWrite().edit();
    OfPool before = pools.getOrDefault(status.id(), OfPool.NONE);
    boolean unseen = !status.picture().seen() && !before.open().isEmpty();
    if (unseen || (edit.equals(before.edit()) && before.open().isEmpty())) {
      return this;
    }
    ShadowComparison next = this;
    if (!before.edit().adminStates().entrySet().containsAll(edit.adminStates().entrySet())) {
      next = next.decided(Kind.ADMIN_STATE);
    }
    Set<Entry> left = before.left();
    Set<Entry> wrong = Entry.of(edit);
    Set<Entry> fresh = new HashSet<>(wrong);
    fresh.removeAll(left);
    if (!wrong.containsAll(left)) {
      left.retainAll(Entry.of(status.picture().edit()));
      wrong.addAll(left);
    }
    List<Open> decisions = new ArrayList<>(before.open());
    if (!fresh.isEmpty()) {
      next = next.decided(status.activity().wouldWrite().drift() ? Kind.DRIFT : Kind.MEMBERS);
      decisions.add(new Open(now, fresh, false));
    }
    decisions.replaceAll(decision -> decision.seenIn(status, wrong));
    return next.with(status.id(), edit, decisions, now);
  }

  private ShadowComparison with(PoolId pool, PoolEdit edit, List<Open> decisions, Instant now) {
    Outcomes ended = outcomes;
    List<Open> open = new ArrayList<>();
    for (Open decision : decisions) {
      if (decision.ended()) {
        ended = ended.with(decision, now);
      } else {
        open.add(decision);
      }
    }
    boolean settled = edit.isEmpty() && open.isEmpty();
    return new ShadowComparison(
        since,
        decided,
        settled ? pools.minus(pool) : pools.plus(pool, new OfPool(edit, open)),
        ended);
  }

  /** A pool is not followed any more: nothing is wanted there. */
  public ShadowComparison forgotten(PoolId pool, Instant now) {
    Outcomes ended = outcomes;
    for (Open open : pools.getOrDefault(pool, OfPool.NONE).open()) {
      ended = ended.with(new Open(open.at(), open.left(), true), now);
    }
    return new ShadowComparison(since, decided, pools.minus(pool), ended);
  }

  /** How many decisions on members count as not met by now. */
  public long notMet(Instant now) {
    return outcomes.notMet() + open().filter(open -> open.late(now)).count();
  }

  /** How many may still be met in time. */
  public long due(Instant now) {
    return open().filter(open -> !open.late(now)).count();
  }

  /** How many of those are open for longer than a minute. */
  public long slow(Instant now) {
    return open().filter(open -> open.slow(now) && !open.late(now)).count();
  }

  private Stream<Open> open() {
    return pools.values().stream().flatMap(pool -> pool.open().stream());
  }

  /** What would have been written. Its name is a label of metrics and of the API. */
  public enum Kind {
    /** The members of a pool, for a change of the cluster. */
    MEMBERS,
    /** The members of a pool that differs without one. */
    DRIFT,
    /** Admin states of a pool's entries, which the cloud provider never writes. */
    ADMIN_STATE,
    /** The taint and the annotation of a node. */
    NODE,
    /** The finalizer or the status of a binding. */
    BINDING,
    EVENT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
