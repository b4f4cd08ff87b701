package io.poolkeeper.admission;

import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.Bound;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.Terms;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import io.poolkeeper.service.Bindings;
import io.poolkeeper.service.BoundPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
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
  /** A status is written at most so often, but for a record that a write waits for. */
  static final Duration GAP = Duration.ofSeconds(1);

  /** After a write of unknown result. */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), Jitter.EQUAL);

  private static final String WATCH_LOST = "the watch of the bindings is lost";

  private final Resolution resolution;
  private final AdmissionChecks checks;
  private final Duration lateWrites;
  private final Instant now;
  private final RandomGenerator random;
  private final List<BindingsEffect> effects = new ArrayList<>();

  /** What must be looked at. */
  private final Set<BindingKey> affected = new TreeSet<>();

  private HashPMap<BindingKey, BindingView> bindings;
  private SortedMap<BindingKey, Outcome> outcomes;
  private HashPMap<BindingKey, Tie> ties;
  private Optional<Set<PoolId>> listed;
  private HashPMap<PoolId, PoolStatus> shown;
  private HashPMap<BindingKey, Progress> progress;
  private HashPMap<BindingKey, Instant> wakes;
  private Bindings sent;
  private HashPMap<PoolId, Long> since;
  private boolean tied;
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
    this.random = random;
    bindings = state.bindings();
    outcomes = state.outcomes();
    ties = state.ties();
    listed = state.listed();
    shown = state.shown();
    progress = state.progress();
    wakes = state.wakes();
    sent = state.sent();
    since = state.since();
    watched = state.watched();
    leadsSince = state.leadsSince();
  }

  void changed(Map<BindingKey, Optional<BindingView>> changes) {
    changes.forEach(
        (key, view) ->
            bindings = view.map(to -> bindings.plus(key, to)).orElseGet(() -> bindings.minus(key)));
    progress = progress.minusAll(gone(progress.keySet()));
    wakes = wakes.minusAll(gone(wakes.keySet()));
    SortedMap<BindingKey, Outcome> before = outcomes;
    outcomes = resolution.of(bindings.values());
    affected.addAll(changes.keySet());
    outcomes.forEach(
        (key, outcome) -> {
          if (!outcome.equals(before.get(key))) {
            affected.add(key);
          }
        });
    // What another binding of the pool has recorded counts as well.
    Stream.concat(
            changes.keySet().stream().flatMap(key -> pool(before.get(key)).stream()),
            changes.keySet().stream().flatMap(key -> pool(outcomes.get(key)).stream()))
        .collect(Collectors.toSet())
        .forEach(this::affect);
  }

  private Set<BindingKey> gone(Collection<BindingKey> keys) {
    return keys.stream().filter(key -> !bindings.containsKey(key)).collect(Collectors.toSet());
  }

  void watched(boolean is) {
    watched = is;
    affected.addAll(bindings.keySet());
  }

  void lead() {
    leadsSince = leadsSince.or(() -> Optional.of(now));
    affected.addAll(bindings.keySet());
  }

  void listed(Set<PoolId> pools) {
    if (!listed.equals(Optional.of(pools))) {
      listed = Optional.of(Set.copyOf(pools));
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
    Progress before = progress(key);
    BindingView view = bindings.get(key);
    if (before.inFlight().isEmpty() || view == null) {
      return;
    }
    String version = before.inFlight().get().version();
    switch (answer) {
      case WriteAnswer.Done done -> {
        progress = progress.plus(key, before.done(now.plus(GAP)));
        // The watch may have brought a newer version already.
        if (view.version().equals(version)) {
          changed(Map.of(key, Optional.of(done.now())));
        }
      }
      case WriteAnswer.Conflict conflict -> progress = progress.plus(key, before.conflict());
      case WriteAnswer.Failed failed ->
          progress =
              progress.plus(key, before.failed(now, BACKOFF.delay(before.failures() + 1, random)));
    }
    affected.add(key);
  }

  void timerDue() {
    wakes.forEach(
        (key, at) -> {
          if (!at.isAfter(now)) {
            affected.add(key);
          }
        });
  }

  void stop() {
    stopped = true;
  }

  Decision<BindingsState, BindingsEffect> decision() {
    if (!stopped) {
      affected.forEach(this::tie);
      bind();
      affected.stream().filter(bindings::containsKey).forEach(this::reconcile);
    }
    return new Decision<>(
        new BindingsState(
            bindings,
            outcomes,
            ties,
            listed,
            shown,
            progress,
            wakes,
            sent,
            since,
            watched,
            leadsSince,
            stopped),
        effects);
  }

  private void affect(PoolId pool) {
    outcomes.forEach(
        (key, outcome) -> {
          if (pool(outcome).equals(Optional.of(pool))) {
            affected.add(key);
          }
        });
  }

  private static Optional<PoolId> pool(@Nullable Outcome outcome) {
    return outcome instanceof Follows follows ? Optional.of(follows.pool()) : Optional.empty();
  }

  private Progress progress(BindingKey key) {
    return progress.getOrDefault(key, Progress.NONE);
  }

  /** What is written to a binding; what its pool hears of it is decided by now. */
  private void reconcile(BindingKey key) {
    BindingView view = Objects.requireNonNull(bindings.get(key));
    wakes = wakes.minus(key);
    if (leadsSince.isEmpty() || !watched) {
      return;
    }
    Outcome outcome = Objects.requireNonNull(outcomes.get(key));
    AdmissionDecision admission = checks.decide(view.admission(), now);
    admission.requeueAt().ifPresent(at -> wake(key, at));
    boolean followed = outcome instanceof Follows;
    boolean deleted = view.admission().deleted();
    if (deleted && view.finalizer() && (!followed || cleaned(view))) {
      write(new BindingsEffect.RemoveFinalizer(view), Optional.empty(), true);
    } else if (!deleted && !view.finalizer() && followed && view.admission().active()) {
      write(new BindingsEffect.AddFinalizer(view), Optional.empty(), true);
    } else if (!deleted || view.finalizer()) {
      report(view, outcome, admission);
    }
  }

  private void wake(BindingKey key, Instant at) {
    Instant soonest = wakes.getOrDefault(key, at);
    wakes = wakes.plus(key, at.isBefore(soonest) ? at : soonest);
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
      Bound what = new Bound(!target.exclusive(), added);
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
      Tie next = new Tie(target.service(), pool, terms);
      if (!next.equals(ties.get(key))) {
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

  /** Most statuses of pools change no tie: then nothing is compared. */
  private void bind() {
    if (!tied) {
      return;
    }
    Bindings next = Tie.all(sent.version() + 1, new TreeMap<>(ties).values());
    Set<PoolId> different = next.poolsOtherwise(sent);
    if (!different.isEmpty()) {
      different.forEach(pool -> since = since.plus(pool, next.version()));
      sent = next;
      effects.add(new BindingsEffect.Bind(next));
    }
  }

  /** Whether nothing of it is left in the pool, or there is no pool. */
  private boolean cleaned(BindingView view) {
    Optional<PoolId> pool = pool(outcomes.get(view.key()));
    boolean missing = listed.isPresent() && pool.filter(of -> listed.get().contains(of)).isEmpty();
    return missing || record(view).cleaned();
  }

  private Optional<PoolStatus> shownOf(BindingView view) {
    return pool(outcomes.get(view.key())).map(shown::get);
  }

  /** A status that does not know yet what this binding asks for proves nothing. */
  private AddedRecord record(BindingView view) {
    Optional<PoolId> pool = pool(outcomes.get(view.key()));
    Set<Address> others =
        bindings.values().stream()
            .filter(other -> !other.key().equals(view.key()) && !other.admission().deleted())
            .filter(other -> pool.isPresent() && pool(outcomes.get(other.key())).equals(pool))
            .flatMap(other -> other.added().stream())
            .collect(Collectors.toSet());
    Optional<PoolStatus> heard =
        shownOf(view)
            .filter(status -> ties.containsKey(view.key()))
            .filter(status -> status.bindings() >= since.getOrDefault(status.id(), 0L));
    boolean late = leadsSince.isPresent() && now.isBefore(leadsSince.get().plus(lateWrites));
    if (late) {
      wake(view.key(), leadsSince.get().plus(lateWrites));
    }
    Tie tie = ties.get(view.key());
    Set<Address> asked = tie == null ? view.added() : tie.pool().bound().added();
    Set<Address> desired = shownOf(view).map(PoolStatus::desired).orElse(Set.of());
    return new AddedRecord(view.added(), others, asked, desired, heard, late);
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
    Progress before = progress(view.key());
    boolean same = before.reported().equals(Optional.of(report));
    boolean asWritten = view.added().equals(report.added()) && admission.update().isEmpty();
    if (!same || !asWritten) {
      boolean urgent = !view.added().containsAll(report.added());
      write(new BindingsEffect.WriteStatus(view, report), Optional.of(report), urgent);
    }
  }

  private void write(BindingsEffect.Write write, Optional<BindingReport> report, boolean urgent) {
    BindingView view = write.binding();
    Progress before = progress(view.key());
    boolean failing = before.failures() > 0;
    if (!before.mayWrite(view)) {
      return;
    }
    if (now.isBefore(before.notBefore()) && (failing || !urgent)) {
      wake(view.key(), before.notBefore());
      return;
    }
    progress = progress.plus(view.key(), before.begin(view, report));
    effects.add(write);
  }
}
