package io.poolkeeper.admission;

import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.PoolStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;

/**
 * The policy of the bindings (spec 5): the levels that the map of Services is sent, and the writes
 * of bindings.
 *
 * <p>Invariants: nothing is bound before all bindings and the cluster's mark are known and this
 * replica leads, nor before the binding has our finalizer. A finalizer stays until the pool has no
 * entry of the mark, or cannot be reached for long. At most one write of a binding is in flight,
 * for the version that it was decided from, and none while all is paused. Deletions whose pool no
 * pattern allows read a few pools at once. An event of one binding or pool touches others only if a
 * pool's owner changes, or gets its finalizer, or such a deletion makes room for the next.
 *
 * @param lateWrites how long a write of the leader before may still arrive
 */
public record BindingsCore(Resolution resolution, AdmissionChecks checks, Duration lateWrites)
    implements Core<BindingsState, BindingsEvent, BindingsEffect> {
  @Override
  public Decision<BindingsState, BindingsEffect> decide(
      BindingsState state, BindingsEvent event, Instant now, RandomGenerator random) {
    if (state.stopped()) {
      return Decision.of(state);
    }
    Step step = new Step(state, now, random);
    step.take(event);
    return step.decision();
  }

  @Override
  public Optional<Instant> wakeAt(BindingsState state) {
    return state.wakeAt();
  }

  /** One decision: takes one event, finds out which bindings it concerns, and reconciles those. */
  private final class Step {
    private final BindingsState before;
    private final Instant now;
    private final RandomGenerator random;
    private final Writes writes;
    private final List<BindingsEffect> effects = new ArrayList<>();
    private final Set<BindingKey> affected = new TreeSet<>();

    /** Pools whose bindings have changed. */
    private final Set<PoolId> claimed = new HashSet<>();

    private HashPMap<BindingKey, BindingView> bindings;
    private HashPMap<BindingKey, Outcome> outcomes;
    private HashPMap<PoolId, Claims> claims;
    private Cleanups cleanups;
    private Listed listed;
    private HashPMap<PoolId, PoolStatus> shown;
    private ClusterMark mark;
    private boolean watched;
    private Optional<Instant> leadsSince;
    private Optional<Instant> runsSince;
    private HashPMap<PoolId, BoundPool> bound;
    private boolean stopped;

    Step(BindingsState state, Instant now, RandomGenerator random) {
      before = state;
      this.now = now;
      this.random = random;
      writes = new Writes(state, now, random, effects);
      Observed observed = state.observed();
      bindings = observed.bindings();
      outcomes = observed.outcomes();
      claims = observed.claims();
      cleanups = observed.cleanups();
      listed = observed.listed();
      shown = observed.shown();
      mark = observed.mark();
      watched = observed.watched();
      leadsSince = observed.leadsSince();
      runsSince = observed.runsSince();
      bound = state.bound();
    }

    void take(BindingsEvent event) {
      switch (event) {
        case BindingsEvent.Changed changed -> changed.changes().forEach(this::changed);
        case BindingsEvent.Synced synced -> {
          watched = true;
          affected.addAll(bindings.keySet());
        }
        case BindingsEvent.WatchLost lost -> {
          watched = false;
          affected.addAll(bindings.keySet());
        }
        // All bindings that were due during a pause are looked at when it ends.
        case BindingsEvent.Paused pause -> {
          runsSince = pause.paused() ? Optional.empty() : runsSince.or(() -> Optional.of(now));
          affected.addAll(bindings.keySet());
        }
        case BindingsEvent.Lead lead -> {
          leadsSince = leadsSince.or(() -> Optional.of(now));
          affected.addAll(bindings.keySet());
        }
        case BindingsEvent.MarkRead read -> {
          mark = read.mark().map(mark::read).orElseGet(() -> mark.failed(now, random));
          if (read.mark().isPresent()) {
            affected.addAll(bindings.keySet());
          }
        }
        case Listed last -> {
          listed.differing(last).forEach(this::affectOwner);
          listed = last;
        }
        case BindingsEvent.PoolShown pool -> {
          shown = shown.plus(pool.status().id(), pool.status());
          affectOwner(pool.status().id());
        }
        case BindingsEvent.PoolForgotten forgotten -> {
          shown = shown.minus(forgotten.pool());
          affectOwner(forgotten.pool());
        }
        case BindingsEvent.Written written -> written(written);
        case BindingsEvent.TimerDue due -> {
          affected.addAll(writes.due());
          if (mark.due(now)) {
            mark = mark.reading();
            effects.add(new BindingsEffect.ReadMark());
          }
        }
        case BindingsEvent.Stop stop -> stopped = true;
      }
    }

    private void changed(BindingKey key, Optional<BindingView> next) {
      Optional<BindingView> last = Optional.ofNullable(bindings.get(key));
      affected.add(key);
      last.ifPresent(view -> changeClaims(view, ofPool -> ofPool.without(view)));
      next.ifPresent(view -> changeClaims(view, ofPool -> ofPool.with(view)));
      if (!last.map(BindingView::uid).equals(next.map(BindingView::uid))) {
        writes.forget(key);
      }
      bindings = next.map(view -> bindings.plus(key, view)).orElseGet(() -> bindings.minus(key));
    }

    private void changeClaims(BindingView view, UnaryOperator<Claims> change) {
      Optional<PoolId> pool = resolution.pool(view);
      if (pool.isPresent()) {
        Claims known = claims.get(pool.get());
        Claims before = known == null ? resolution.unclaimed(pool.get()) : known;
        claims = claims.plus(pool.get(), change.apply(before));
        claimed.add(pool.get());
      }
    }

    /** Bindings depend on their pool's owner; deleted ones also on its finalizer. */
    private void affectOthers() {
      for (PoolId pool : claimed) {
        Claims ofPool = Objects.requireNonNull(claims.get(pool));
        Optional<BindingView> last = before.observed().owner(pool);
        Optional<BindingView> next = ofPool.owner();
        boolean other = !last.map(BindingView::key).equals(next.map(BindingView::key));
        if (other || !last.map(BindingView::finalizer).equals(next.map(BindingView::finalizer))) {
          ofPool.inOrder().stream()
              .filter(view -> other || view.ends())
              .forEach(view -> affected.add(view.key()));
        }
        claims = ofPool.inOrder().isEmpty() ? claims.minus(pool) : claims;
      }
    }

    private void affectOwner(PoolId pool) {
      Optional.ofNullable(claims.get(pool))
          .flatMap(Claims::owner)
          .map(BindingView::key)
          .ifPresent(affected::add);
    }

    private void written(BindingsEvent.Written written) {
      BindingKey key = written.binding();
      WriteAnswer answer = written.answer();
      BindingView view = bindings.get(key);
      if (!writes.ended(key, written.version(), answer) || view == null) {
        return;
      }
      // The watch may have brought a newer version already.
      if (answer instanceof WriteAnswer.Done done && view.version().equals(written.version())) {
        changed(key, Optional.of(done.now()));
      }
      affected.add(key);
    }

    Decision<BindingsState, BindingsEffect> decision() {
      if (stopped) {
        return Decision.of(before.stop());
      }
      Set<PoolId> pools = new LinkedHashSet<>();
      affectOthers();
      affected.forEach(key -> resolve(key).forEach(pools::add));
      for (BindingKey key : cleanups.next(checks.limits().cleanups())) {
        cleanups = cleanups.begin(key, now);
        affected.add(key);
        Observed.pool(outcomes.get(key)).ifPresent(pools::add);
      }
      Observed observed =
          new Observed(
              bindings,
              outcomes,
              claims,
              cleanups,
              listed,
              shown,
              mark,
              watched,
              leadsSince,
              runsSince);
      BoundPools levels = new BoundPools(BindingsCore.this, observed, now);
      pools.forEach(pool -> bind(pool, levels));
      Reconciliation reconciliation =
          new Reconciliation(BindingsCore.this, observed, bound, writes, now);
      affected.forEach(reconciliation::reconcile);
      return new Decision<>(
          new BindingsState(observed, bound, writes.progress(), writes.wakes(), false), effects);
    }

    private void bind(PoolId pool, BoundPools levels) {
      Optional<BoundPool> last = Optional.ofNullable(bound.get(pool));
      Optional<BoundPool> next = levels.level(pool, last);
      if (!next.equals(last)) {
        bound = next.isPresent() ? bound.plus(pool, next.get()) : bound.minus(pool);
        effects.add(new BindingsEffect.Bind(pool, next));
      }
    }

    /** Resolves a binding. Returns the pools for which that may make a difference. */
    private Stream<PoolId> resolve(BindingKey key) {
      @Nullable Outcome last = outcomes.get(key);
      Optional<BindingView> view = Optional.ofNullable(bindings.get(key));
      Optional<PoolId> pool = view.flatMap(resolution::pool);
      Outcome next =
          view.map(binding -> resolution.outcome(binding, pool.map(claims::get))).orElse(null);
      if (!Objects.equals(next, last)) {
        cleanups = cleanups.without(key);
        if (next == null) {
          outcomes = outcomes.minus(key);
        } else {
          outcomes = outcomes.plus(key, next);
          effects.add(new BindingsEffect.Resolved(key, next));
        }
        if (next instanceof Resolution.Leaves leaves) {
          // An earlier listing proves nothing about a cleanup that begins now.
          listed = listed.without(leaves.pool());
          cleanups = leaves.allowed() ? cleanups : cleanups.with(key);
        }
      }
      return Stream.concat(Observed.pool(last).stream(), pool.stream());
    }
  }
}
