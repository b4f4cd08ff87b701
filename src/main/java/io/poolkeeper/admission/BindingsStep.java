package io.poolkeeper.admission;

import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.Bound;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.Terms;
import io.poolkeeper.service.Bindings;
import io.poolkeeper.service.BoundPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;

/** One decision of the bindings: a working copy of their state that takes one event. */
final class BindingsStep {
  private static final String WATCH_LOST = "the watch of the bindings is lost";

  private final Resolution resolution;
  private final AdmissionChecks checks;
  private final Duration lateWrites;
  private final Instant now;
  private final Writes writes;
  private final List<BindingsEffect> effects = new ArrayList<>();

  /** What must be looked at. */
  private final Set<BindingKey> affected = new TreeSet<>();

  private HashPMap<BindingKey, BindingView> bindings;
  private SortedMap<BindingKey, Outcome> outcomes;
  private Map<PoolId, Set<BindingKey>> byPool;
  private HashPMap<BindingKey, Tie> ties;
  private Listed listed;
  private HashPMap<PoolId, PoolStatus> shown;
  private Bindings sent;
  private HashPMap<PoolId, Long> since;
  private boolean tied;
  private boolean leads;
  private boolean watched;
  private Optional<Instant> leadsSince;
  private boolean stopped;

  BindingsStep(
      Resolution resolution,
      AdmissionChecks checks,
      Duration lateWrites,
      BindingsState state,
      Instant now,
      RandomGenerator random) {
    this.resolution = resolution;
    this.checks = checks;
    this.lateWrites = lateWrites;
    this.now = now;
    writes = new Writes(state, now, random, effects);
    bindings = state.bindings();
    outcomes = state.outcomes();
    byPool = state.byPool();
    ties = state.ties();
    listed = state.listed();
    shown = state.shown();
    sent = state.sent();
    since = state.since();
    watched = state.watched();
    leadsSince = state.leadsSince();
  }

  void changed(Map<BindingKey, Optional<BindingView>> changes) {
    boolean respecified =
        changes.entrySet().stream()
            .anyMatch(change -> respecified(bindings.get(change.getKey()), change.getValue()));
    changes.forEach(
        (key, view) ->
            bindings = view.map(to -> bindings.plus(key, to)).orElseGet(() -> bindings.minus(key)));
    affected.addAll(changes.keySet());
    changes.keySet().forEach(key -> affectPool(outcomes.get(key)));
    if (respecified) {
      writes.retain(bindings.keySet());
      resolve();
    }
    // What another binding of the pool has recorded counts as well.
    changes.keySet().forEach(key -> affectPool(outcomes.get(key)));
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
    SortedMap<BindingKey, Outcome> before = outcomes;
    outcomes = resolution.of(bindings.values());
    byPool = new HashMap<>();
    outcomes.forEach(
        (key, outcome) -> {
          pool(outcome)
              .ifPresent(of -> byPool.computeIfAbsent(of, pool -> new TreeSet<>()).add(key));
          if (!outcome.equals(before.get(key))) {
            affected.add(key);
          }
        });
  }

  void watched(boolean is) {
    watched = is;
    affected.addAll(bindings.keySet());
  }

  void lead() {
    leadsSince = leadsSince.or(() -> Optional.of(now));
    leads = true;
    affected.addAll(bindings.keySet());
  }

  void listed(Listed shown) {
    if (!listed.equals(shown)) {
      listed = shown;
      affected.addAll(bindings.keySet());
    }
  }

  void shown(PoolStatus status) {
    shown = shown.plus(status.id(), status);
    affect(status.id());
  }

  void forgotten(PoolId pool) {
    shown = shown.minus(pool);
    affect(pool);
  }

  void written(BindingKey key, WriteAnswer answer) {
    Optional<String> version = writes.ended(key, answer);
    BindingView view = bindings.get(key);
    if (version.isEmpty() || view == null) {
      return;
    }
    // The watch may have brought a newer version already.
    if (answer instanceof WriteAnswer.Done done && view.version().equals(version.get())) {
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

  Decision<BindingsState, BindingsEffect> decision() {
    if (!stopped) {
      affected.forEach(this::tie);
      bind();
      if (leads) {
        effects.add(new BindingsEffect.Lead());
      }
      affected.stream().filter(bindings::containsKey).forEach(this::reconcile);
    }
    return new Decision<>(
        new BindingsState(
            bindings,
            outcomes,
            byPool,
            ties,
            listed,
            shown,
            writes.progress(),
            writes.wakes(),
            sent,
            since,
            watched,
            leadsSince,
            stopped),
        effects);
  }

  private void affect(PoolId pool) {
    affected.addAll(byPool.getOrDefault(pool, Set.of()));
  }

  private void affectPool(@Nullable Outcome outcome) {
    pool(outcome).ifPresent(this::affect);
  }

  private static Optional<PoolId> pool(@Nullable Outcome outcome) {
    return outcome instanceof Follows follows ? Optional.of(follows.pool()) : Optional.empty();
  }

  /** What is written to a binding; what its pool hears of it is decided by now. */
  private void reconcile(BindingKey key) {
    BindingView view = Objects.requireNonNull(bindings.get(key));
    writes.noWake(key);
    if (leadsSince.isEmpty() || !watched) {
      return;
    }
    Outcome outcome = Objects.requireNonNull(outcomes.get(key));
    AdmissionDecision admission = checks.decide(view.admission(), now);
    admission.requeueAt().ifPresent(at -> writes.wake(key, at));
    boolean followed = outcome instanceof Follows;
    boolean deleted = view.admission().deleted();
    if (deleted && view.finalizer() && (!followed || cleaned(view))) {
      writes.write(new BindingsEffect.RemoveFinalizer(view), Optional.empty(), true);
    } else if (!deleted && !view.finalizer() && followed && view.admission().active()) {
      writes.write(new BindingsEffect.AddFinalizer(view), Optional.empty(), true);
    } else if (!deleted || view.finalizer()) {
      report(view, outcome, admission);
    }
  }

  /** Nothing that is known is let go because the watch is lost; it is held. */
  private void tie(BindingKey key) {
    Optional<BindingView> bound = Optional.ofNullable(bindings.get(key)).filter(this::binds);
    if (bound.isEmpty() || !(outcomes.get(key) instanceof Follows follows)) {
      tied |= ties.containsKey(key);
      ties = ties.minus(key);
    } else if (watched || ties.containsKey(key)) {
      BindingView view = bound.get();
      BindingTarget target = follows.target();
      boolean leaving = view.admission().deleted();
      Set<Address> added = leaving ? view.added() : record(view).usable();
      Bound what = new Bound(!target.exclusive(), added, leaving ? Set.of() : added);
      BoundPool pool = new BoundPool(follows.pool(), target.family(), what, leaving);
      Admission admission = checks.decide(view.admission(), now).admission();
      Optional<String> held = held(key, admission);
      Optional<String> why = watched ? held : Optional.of(WATCH_LOST);
      // That the watch is lost is no check's answer: drains that were not held go on.
      boolean drains = held.isPresent() && checks.holdDrains();
      Terms terms =
          leaving
              ? new Terms(why, drains, Optional.empty(), Optional.empty())
              : new Terms(why, drains, target.maxRetries(), target.interval());
      Tie before = ties.get(key);
      Optional<Instant> begun = before == null ? Optional.empty() : before.heldSince();
      Tie next = new Tie(target.service(), pool, terms, why.map(any -> begun.orElse(now)));
      if (!next.equals(before)) {
        ties = ties.plus(key, next);
        tied = true;
      }
    }
  }

  private boolean binds(BindingView view) {
    return leadsSince.isPresent()
        && view.finalizer()
        && (view.admission().deleted() || view.admission().active());
  }

  private static Optional<String> held(BindingKey key, Admission admission) {
    return switch (admission) {
      case Admission.Held held -> Optional.of(key + ": " + held.why());
      case Admission.Rejected rejected -> Optional.of(key + ": " + rejected.why());
      case Admission.Admitted a -> Optional.empty();
      case Admission.Inactive i -> Optional.empty();
    };
  }

  /**
   * Most statuses of pools change no tie: then nothing is compared. The first time it is said even
   * if nothing is bound, as the map may wait for it.
   */
  private void bind() {
    boolean first = watched && leadsSince.isPresent() && sent.version() == 0;
    if (!tied && !first) {
      return;
    }
    Bindings next = Tie.all(sent.version() + 1, new TreeMap<>(ties).values());
    Set<PoolId> different = next.poolsOtherwise(sent);
    if (first || !different.isEmpty()) {
      different.forEach(pool -> since = since.plus(pool, next.version()));
      sent = next;
      effects.add(new BindingsEffect.Bind(next));
    }
  }

  /** Whether nothing of it is left in the pool, or there is no pool. */
  private boolean cleaned(BindingView view) {
    Optional<PoolId> pool = pool(outcomes.get(view.key()));
    return pool.filter(listed.missing()::contains).isPresent() || record(view).cleaned();
  }

  private Optional<PoolStatus> shownOf(BindingView view) {
    return pool(outcomes.get(view.key())).map(shown::get);
  }

  /** What other bindings of the pool have recorded. */
  private Set<Address> beside(BindingView view, boolean ending) {
    return pool(outcomes.get(view.key())).map(byPool::get).stream()
        .flatMap(Collection::stream)
        .filter(key -> !key.equals(view.key()))
        .flatMap(key -> Stream.ofNullable(bindings.get(key)))
        .filter(other -> ending || !other.admission().deleted())
        .flatMap(other -> other.added().stream())
        .collect(Collectors.toSet());
  }

  /** A status that does not know yet what this binding asks for proves nothing. */
  private AddedRecord record(BindingView view) {
    Optional<PoolStatus> heard =
        shownOf(view)
            .filter(status -> ties.containsKey(view.key()))
            .filter(status -> status.bindings() >= since.getOrDefault(status.id(), 0L));
    boolean late = leadsSince.isPresent() && now.isBefore(leadsSince.get().plus(lateWrites));
    if (late) {
      writes.wake(view.key(), leadsSince.get().plus(lateWrites));
    }
    Tie tie = ties.get(view.key());
    Set<Address> asked = tie == null ? view.added() : tie.pool().bound().added();
    Set<Address> desired = shownOf(view).map(PoolStatus::desired).orElse(Set.of());
    Set<Address> wanted =
        view.target()
            .flatMap(of -> shownOf(view).map(status -> status.services().get(of.service())))
            .orElse(Set.of());
    return new AddedRecord(
        view.added(), beside(view, true), beside(view, false), asked, desired, wanted, heard, late);
  }

  private void report(BindingView view, Outcome outcome, AdmissionDecision admission) {
    AddedRecord record = record(view);
    boolean grows =
        !view.admission().deleted() && view.admission().active() && outcome instanceof Follows;
    Optional<PoolStatus> pool = shownOf(view);
    BindingConditions conditions =
        new BindingConditions(view, outcome, admission.admission(), listed, pool);
    BindingReport report =
        new BindingReport(
            conditions.ready(),
            conditions.admitted(),
            conditions.throttled(),
            pool(outcome),
            pool.map(BindingReport.Shown::of),
            record.next(grows),
            admission.requeueAt(),
            admission
                .update()
                .map(AdmissionDecision.Update::checks)
                .orElse(view.admission().reported()));
    boolean same = writes.reported(view.key()).equals(Optional.of(report));
    boolean asWritten = view.added().equals(report.added()) && admission.update().isEmpty();
    if (!same || !asWritten) {
      boolean urgent = !view.added().containsAll(report.added());
      boolean reset = admission.update().filter(AdmissionDecision.Update::reset).isPresent();
      writes.write(
          new BindingsEffect.WriteStatus(view, report, reset), Optional.of(report), urgent);
    }
  }
}
