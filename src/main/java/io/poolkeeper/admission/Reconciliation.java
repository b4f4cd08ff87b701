package io.poolkeeper.admission;

import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectEvent.Type;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.PoolStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.HashPMap;

/** Decides which bindings are written, after the levels of their pools are decided. */
record Reconciliation(
    BindingsCore core,
    Observed observed,
    HashPMap<PoolId, BoundPool> bound,
    Writes writes,
    Instant now) {
  /** The time after which a deletion ends although the pool cannot be reached. */
  static final Duration LONGEST_DELETION = Duration.ofMinutes(30);

  /** Between two looks at a deletion that still waits for a permit after that. */
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private static final Set<PoolStatus.State> IN_PERMIT =
      EnumSet.of(PoolStatus.State.WAITING, PoolStatus.State.READING, PoolStatus.State.WRITING);

  private static final String LEFT_BEHIND = "BackendPoolEntriesLeftBehind";

  /** Writes what the binding needs now, if anything may be written. */
  void reconcile(BindingKey key) {
    writes.noWake(key);
    BindingView view = observed.bindings().get(key);
    if (view == null || !observed.mayWrite()) {
      return;
    }
    if (view.ends()) {
      end(view);
    } else if (view.deleted().isEmpty()) {
      boolean owns = owner(view).filter(owner -> owner.key().equals(view.key())).isPresent();
      if (observed.acts() && owns && !view.finalizer()) {
        // Comes before the pool's level, and before another deleted binding relies on it.
        writes.write(new BindingsEffect.AddFinalizer(view), Optional.empty(), Writes.AT_ONCE);
      } else {
        report(view);
      }
    }
  }

  /** The binding that owns the pool which this one names. */
  private Optional<BindingView> owner(BindingView view) {
    return core.resolution().pool(view).flatMap(observed::owner);
  }

  /** Ends a deletion once the pool has no entry of the mark, or does not exist. */
  private void end(BindingView view) {
    BindingsEffect.RemoveFinalizer remove = new BindingsEffect.RemoveFinalizer(view);
    if (view.pool().isEmpty() && !view.reported() && writes.reported(view.key()).isEmpty()) {
      // A stored one with wrong names can be changed only when it has a status: see the schema.
      report(view);
      return;
    }
    if (!mayLeave(view)) {
      if (writes.write(remove, Optional.empty(), Writes.AT_ONCE)) {
        core.resolution().pool(view).flatMap(pool -> notRead(view, pool)).ifPresent(writes::emit);
      }
      return;
    }
    if (observed.cleanups().waits(view.key())) {
      report(view);
      return;
    }
    // Before all of these times, nobody could clean up.
    Instant giveUpAt =
        Stream.of(
                view.deleted(),
                observed.leadsSince(),
                observed.runsSince(),
                Optional.ofNullable(observed.cleanups().begun().get(view.key())))
            .flatMap(Optional::stream)
            .max(Instant::compareTo)
            .orElseThrow()
            .plus(LONGEST_DELETION);
    if (now.isBefore(giveUpAt) || waitsForAPermit(view)) {
      writes.wake(view.key(), now.isBefore(giveUpAt) ? giveUpAt : now.plus(AGAIN));
      report(view);
    } else if (writes.write(remove, Optional.empty(), Writes.AT_ONCE)) {
      writes.emit(gaveUp(view, core.resolution().pool(view).orElseThrow()));
    }
  }

  /** Whether the pool is reached as soon as its permit comes, which may take long if many go. */
  private boolean waitsForAPermit(BindingView view) {
    return core.resolution()
        .pool(view)
        .map(observed.shown()::get)
        .filter(status -> IN_PERMIT.contains(status.state()) && status.lastError().isEmpty())
        .isPresent();
  }

  /** Whether the end of this binding may leave entries of which no other binding takes care. */
  private boolean mayLeave(BindingView view) {
    return observed.outcome(view) instanceof Leaves leaves
        ? !clean(leaves.pool())
        : owner(view).filter(owner -> !owner.finalizer()).isPresent();
  }

  /** Whether the pool does not exist, or a read has shown no entry of the mark in time. */
  private boolean clean(PoolId pool) {
    Optional<Instant> from = Optional.ofNullable(bound.get(pool)).flatMap(BoundPool::leaving);
    PoolStatus status = observed.shown().get(pool);
    Optional<Instant> clear = status == null ? Optional.empty() : status.attempts().clear();
    return observed.listed().missing().contains(pool)
        || (from.isPresent() && clear.filter(seen -> !seen.isBefore(from.get())).isPresent());
  }

  private ObjectEvent gaveUp(BindingView view, PoolId pool) {
    PoolStatus status = observed.shown().get(pool);
    int count = status == null ? 0 : status.members().added().size();
    return leftBehind(
        view,
        ("Gave up after %d minutes: the entries named *%s (%d when it was read last) could not be"
                + " removed from the pool %s. Remove them by hand.")
            .formatted(LONGEST_DELETION.toMinutes(), suffix(), count, pool.path()));
  }

  /** The event about a pool that is not read; the configuration may have named it before. */
  private Optional<ObjectEvent> notRead(BindingView view, PoolId pool) {
    Optional<String> why = core.resolution().whyUnreadable(pool);
    if (why.isEmpty()) {
      return Optional.empty();
    }
    String text =
        "Not read: %s. If it has entries named *%s, remove them from the pool %s by hand."
            .formatted(why.get(), suffix(), pool.path());
    return Optional.of(leftBehind(view, text));
  }

  private String suffix() {
    return observed.mark().known().map(Mark::suffix).orElse(Mark.BEGIN + "*");
  }

  private static ObjectEvent leftBehind(BindingView view, String text) {
    BindingKey key = view.key();
    ObjectReference about = ObjectReference.ofBinding(key.namespace(), key.name(), view.uid());
    return new ObjectEvent(about, Type.WARNING, LEFT_BEHIND, text);
  }

  private void report(BindingView view) {
    Outcome outcome = observed.outcome(view);
    boolean refused = outcome instanceof Refused;
    AdmissionSubject subject = refused ? view.admission().unasked() : view.admission();
    AdmissionDecision admission = core.checks().decide(subject, now);
    admission.requeueAt().map(subject::ours).ifPresent(at -> writes.wake(view.key(), at));
    BindingConditions conditions =
        new BindingConditions(
            outcome, admission.admission(), observed.listed(), observed.status(view));
    boolean asks = admission.update().isPresent();
    Optional<BindingReport> last = writes.reported(view.key());
    if (!asks && !conditions.known() && view.reported() && last.isEmpty()) {
      // The status of an earlier leader stays until something is known.
      return;
    }
    BindingReport report = report(view, admission, conditions);
    if (asks || !last.equals(Optional.of(report))) {
      boolean reset = admission.update().filter(AdmissionDecision.Update::reset).isPresent();
      writes.write(
          new BindingsEffect.WriteStatus(view, report, reset),
          Optional.of(report),
          refused ? Writes.REFUSED : Writes.GAP);
    }
  }

  private BindingReport report(
      BindingView view, AdmissionDecision admission, BindingConditions conditions) {
    return new BindingReport(
        conditions.ready(),
        conditions.admitted(),
        conditions.throttled(),
        core.resolution().pool(view),
        observed.status(view).map(pool -> BindingReport.Shown.of(pool, view.target())),
        admission.requeueAt(),
        admission
            .update()
            .map(AdmissionDecision.Update::checks)
            .orElse(view.admission().reported()));
  }
}
