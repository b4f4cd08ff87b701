package io.poolkeeper.admission;

import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
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
 * One decision of the bindings: takes one event, finds out which bindings it concerns, and
 * reconciles those.
 */
final class BindingsStep {
  private final BindingsCore core;
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
  private Listed listed;
  private HashPMap<PoolId, PoolStatus> shown;
  private ClusterMark mark;
  private boolean watched;
  private Optional<Instant> leadsSince;
  private Optional<Instant> runsSince;
  private boolean stopped;

  BindingsStep(BindingsCore core, BindingsState state, Instant now, RandomGenerator random) {
    this.core = core;
    this.before = state;
    this.now = now;
    this.random = random;
    writes = new Writes(state, now, random, effects);
    Observed observed = state.observed();
    bindings = observed.bindings();
    outcomes = observed.outcomes();
    claims = observed.claims();
    listed = observed.listed();
    shown = observed.shown();
    mark = observed.mark();
    watched = observed.watched();
    leadsSince = observed.leadsSince();
    runsSince = observed.runsSince();
  }

  void changed(BindingKey key, Optional<BindingView> next) {
    Optional<BindingView> last = Optional.ofNullable(bindings.get(key));
    affected.add(key);
    last.ifPresent(view -> claim(view, all -> all.without(view)));
    next.ifPresent(view -> claim(view, all -> all.with(view)));
    if (!last.map(BindingView::uid).equals(next.map(BindingView::uid))) {
      writes.forget(key);
    }
    bindings = next.map(view -> bindings.plus(key, view)).orElseGet(() -> bindings.minus(key));
  }

  private void claim(BindingView view, UnaryOperator<Claims> change) {
    for (PoolId pool : core.resolution().pool(view).stream().toList()) {
      Claims all =
          Optional.ofNullable(claims.get(pool)).orElseGet(() -> core.resolution().unclaimed(pool));
      claims = claims.plus(pool, change.apply(all));
      claimed.add(pool);
    }
  }

  /** The others depend on who owns the pool; those that end also on whether that one cleans up. */
  private void affectOthers() {
    for (PoolId pool : claimed) {
      Claims all = Objects.requireNonNull(claims.get(pool));
      Optional<BindingView> last = before.observed().owner(pool);
      Optional<BindingView> next = all.owner();
      boolean other = !last.map(BindingView::key).equals(next.map(BindingView::key));
      if (other || !last.map(BindingView::finalizer).equals(next.map(BindingView::finalizer))) {
        all.inOrder().stream()
            .filter(view -> other || view.ends())
            .forEach(view -> affected.add(view.key()));
      }
      claims = all.inOrder().isEmpty() ? claims.minus(pool) : claims;
    }
  }

  void watched(boolean is) {
    watched = is;
    affected.addAll(bindings.keySet());
  }

  void lead() {
    leadsSince = leadsSince.or(() -> Optional.of(now));
    affected.addAll(bindings.keySet());
  }

  /** All that was due meanwhile is looked at when it ends. */
  void paused(boolean is) {
    runsSince = is ? Optional.empty() : runsSince.or(() -> Optional.of(now));
    affected.addAll(bindings.keySet());
  }

  void marked(Optional<Mark> read) {
    mark = read.map(mark::read).orElseGet(() -> mark.failed(now, random));
    read.ifPresent(any -> affected.addAll(bindings.keySet()));
  }

  void listed(Listed last) {
    listed.differing(last).forEach(this::affectOwner);
    listed = last;
  }

  void shown(PoolStatus status) {
    shown = shown.plus(status.id(), status);
    affectOwner(status.id());
  }

  void forgotten(PoolId pool) {
    shown = shown.minus(pool);
    affectOwner(pool);
  }

  private void affectOwner(PoolId pool) {
    Optional.ofNullable(claims.get(pool))
        .flatMap(Claims::owner)
        .map(BindingView::key)
        .ifPresent(affected::add);
  }

  void written(BindingsEvent.Written written) {
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

  void timerDue() {
    affected.addAll(writes.due());
    if (mark.due(now)) {
      mark = mark.reading();
      effects.add(new BindingsEffect.ReadMark());
    }
  }

  void stop() {
    stopped = true;
  }

  Decision<BindingsState, BindingsEffect> decision() {
    if (stopped) {
      return new Decision<>(
          new BindingsState(
              before.observed(), before.bound(), writes.progress(), writes.wakes(), true),
          List.of());
    }
    Set<PoolId> pools = new LinkedHashSet<>();
    affectOthers();
    affected.forEach(key -> resolve(key).forEach(pools::add));
    Observed observed =
        new Observed(
            bindings, outcomes, claims, listed, shown, mark, watched, leadsSince, runsSince);
    BoundPools bound = new BoundPools(core, observed, before.bound(), now);
    pools.forEach(pool -> effects.addAll(bound.of(pool)));
    Reconciliation reconciliation = new Reconciliation(core, observed, bound.all(), writes, now);
    affected.forEach(reconciliation::of);
    return new Decision<>(
        new BindingsState(observed, bound.all(), writes.progress(), writes.wakes(), false),
        effects);
  }

  /** What a binding comes to now; the pools for which that may make a difference. */
  private Stream<PoolId> resolve(BindingKey key) {
    @Nullable Outcome last = outcomes.get(key);
    Optional<BindingView> view = Optional.ofNullable(bindings.get(key));
    Optional<PoolId> pool = view.flatMap(core.resolution()::pool);
    Optional<Outcome> next = view.map(of -> core.resolution().of(of, pool.map(claims::get)));
    if (!next.equals(Optional.ofNullable(last))) {
      outcomes = next.map(is -> outcomes.plus(key, is)).orElseGet(() -> outcomes.minus(key));
      next.ifPresent(is -> effects.add(new BindingsEffect.Resolved(key, is)));
      if (next.orElse(null) instanceof Resolution.Leaves leaves) {
        // What a listing has shown before proves nothing.
        listed = listed.without(leaves.pool());
      }
    }
    return Stream.concat(Observed.pool(last).stream(), pool.stream());
  }
}
