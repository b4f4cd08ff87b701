package io.poolkeeper.admission;

import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
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
  private final Writes writes;
  private final List<BindingsEffect> effects = new ArrayList<>();

  /** What must be looked at. */
  private final Set<BindingKey> affected = new TreeSet<>();

  private HashPMap<BindingKey, BindingView> bindings;
  private SortedMap<BindingKey, Outcome> outcomes;
  private Map<PoolId, Set<BindingKey>> byPool;
  private Listed listed;
  private HashPMap<PoolId, PoolStatus> shown;
  private HashPMap<BindingKey, Mirror> mirrors;
  private boolean watched;
  private boolean installed;
  private Optional<Instant> leadsSince;
  private boolean leads;
  private boolean stopped;

  BindingsStep(BindingsCore core, BindingsState state, Instant now, RandomGenerator random) {
    this.core = core;
    this.before = state;
    this.now = now;
    writes = new Writes(state, now, random, effects);
    Observed observed = state.observed();
    bindings = observed.bindings();
    outcomes = observed.outcomes();
    byPool = observed.byPool();
    listed = observed.listed();
    shown = observed.shown();
    mirrors = observed.mirrors();
    watched = observed.watched();
    installed = observed.installed();
    leadsSince = observed.leadsSince();
  }

  void changed(Map<BindingKey, Optional<BindingView>> changes) {
    boolean respecified =
        changes.entrySet().stream()
            .anyMatch(change -> respecified(bindings.get(change.getKey()), change.getValue()));
    changes.forEach(
        (key, view) -> {
          bindings = view.map(to -> bindings.plus(key, to)).orElseGet(() -> bindings.minus(key));
          if (view.isEmpty()) {
            writes.forget(key);
          }
        });
    affected.addAll(changes.keySet());
    changes.keySet().forEach(key -> affect(outcomes.get(key)));
    if (respecified) {
      resolve();
    }
    // What another binding of the pool has recorded counts as well.
    changes.keySet().forEach(key -> affect(outcomes.get(key)));
  }

  /** Whether it may follow from the change which bindings are followed. */
  private static boolean respecified(@Nullable BindingView before, Optional<BindingView> after) {
    return before == null
        || after.isEmpty()
        || !before.target().equals(after.get().target())
        || !before.problems().equals(after.get().problems())
        || before.admission().deleted() != after.get().admission().deleted();
  }

  private void resolve() {
    SortedMap<BindingKey, Outcome> last = outcomes;
    outcomes = core.resolution().of(bindings.values());
    byPool = new HashMap<>();
    outcomes.forEach(
        (key, outcome) -> {
          Observed.pool(outcome)
              .ifPresent(of -> byPool.computeIfAbsent(of, pool -> new TreeSet<>()).add(key));
          if (!outcome.equals(last.get(key))) {
            affected.add(key);
          }
        });
  }

  void watched(boolean is) {
    watched = is;
    // What was not installed may be by now.
    installed |= is;
    affectAll();
  }

  void lead() {
    leadsSince = leadsSince.or(() -> Optional.of(now));
    leads = true;
    affectAll();
  }

  void listed(Listed last) {
    if (!listed.equals(last)) {
      listed = last;
      affected.addAll(bindings.keySet());
    }
  }

  void shown(PoolStatus status) {
    mirror(shown.get(status.id()), status);
    shown = shown.plus(status.id(), status);
    affect(status.id());
  }

  void forgotten(PoolId pool) {
    mirror(shown.get(pool), null);
    shown = shown.minus(pool);
    affect(pool);
  }

  private void mirror(@Nullable PoolStatus last, @Nullable PoolStatus next) {
    if (last != null && next != null && last.services().keySet().equals(next.services().keySet())) {
      return;
    }
    for (Mirror mirror : mirrorsOf(last)) {
      mirrors = mirrors.minus(mirror.key());
      affected.add(mirror.key());
    }
    for (Mirror mirror : mirrorsOf(next)) {
      mirrors = mirrors.plus(mirror.key(), mirror);
      affected.add(mirror.key());
    }
  }

  private List<Mirror> mirrorsOf(@Nullable PoolStatus status) {
    return status != null && core.resolution().mirrors(status.id()) ? Mirror.of(status) : List.of();
  }

  void written(BindingsEvent.Written written) {
    BindingKey key = written.binding();
    WriteAnswer answer = written.answer();
    installed &= !(answer instanceof WriteAnswer.NotInstalled);
    if (!writes.ended(key, written.version(), answer)) {
      return;
    }
    BindingView view = bindings.get(key);
    if (view == null) {
      // What was made is brought by the watch; what may not have been made is tried again.
      if (!(answer instanceof WriteAnswer.Done)) {
        affected.add(key);
      }
      return;
    }
    // The watch may have brought a newer version already.
    if (answer instanceof WriteAnswer.Done done && view.version().equals(written.version())) {
      changed(Map.of(key, Optional.of(done.now())));
    }
    affected.add(key);
  }

  void timerDue() {
    affected.addAll(writes.due());
  }

  void stop() {
    stopped = true;
  }

  private void affectAll() {
    affected.addAll(bindings.keySet());
    affected.addAll(mirrors.keySet());
  }

  private void affect(@Nullable Outcome outcome) {
    Observed.pool(outcome).ifPresent(this::affect);
  }

  private void affect(PoolId pool) {
    affected.addAll(byPool.getOrDefault(pool, Set.of()));
  }

  Decision<BindingsState, BindingsEffect> decision() {
    Observed observed =
        new Observed(
            bindings, outcomes, byPool, listed, shown, mirrors, watched, installed, leadsSince);
    Ties ties = new Ties(core, before, observed, writes, now);
    if (!stopped) {
      affected.forEach(ties::reconcile);
      ties.news().map(BindingsEffect.Bind::new).ifPresent(effects::add);
      if (leads) {
        effects.add(new BindingsEffect.Lead());
      }
      affected.forEach(new Reconciliation(core, observed, ties, writes, now)::of);
    }
    return new Decision<>(
        new BindingsState(
            observed,
            ties.all(),
            writes.progress(),
            writes.wakes(),
            ties.sent(),
            ties.since(),
            stopped),
        effects);
  }
}
