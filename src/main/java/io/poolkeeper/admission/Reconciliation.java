package io.poolkeeper.admission;

import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Mirrors;
import io.poolkeeper.pool.PoolStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What is written to each binding, during one decision. What its pool hears is decided by then. */
final class Reconciliation {
  /** So long after the start of a leader a mirror may not be known to be one. */
  private static final Duration MIRRORS_KNOWN = Duration.ofMinutes(2);

  private final BindingsCore core;
  private final Observed observed;
  private final Ties ties;
  private final Writes writes;
  private final Instant now;

  Reconciliation(BindingsCore core, Observed observed, Ties ties, Writes writes, Instant now) {
    this.core = core;
    this.observed = observed;
    this.ties = ties;
    this.writes = writes;
    this.now = now;
  }

  void of(BindingKey key) {
    writes.noWake(key);
    if (observed.leadsSince().isEmpty() || !observed.watched()) {
      return;
    }
    BindingView view = observed.bindings().get(key);
    if (view != null) {
      of(view);
    } else if (observed.installed() && observed.mirrors().containsKey(key)) {
      Mirror mirror = Objects.requireNonNull(observed.mirrors().get(key));
      writes.write(new BindingsEffect.Create(mirror), Optional.empty(), Writes.AT_ONCE);
    }
  }

  private void of(BindingView view) {
    boolean deleted = view.admission().deleted();
    boolean bound = observed.outcome(view) instanceof Follows;
    if (observed.outcome(view) instanceof Mirrors && !observed.mirrors(view)) {
      stale(view);
    } else if (deleted && view.finalizer() && (!bound || cleaned(view))) {
      writes.write(new BindingsEffect.RemoveFinalizer(view), Optional.empty(), Writes.AT_ONCE);
    } else if (!deleted && !view.finalizer() && bound && view.admission().active()) {
      writes.write(new BindingsEffect.AddFinalizer(view), Optional.empty(), Writes.AT_ONCE);
    } else if (!deleted || view.finalizer()) {
      report(view);
    }
  }

  /** Pools show themselves soon after the start, if they are there. */
  private void stale(BindingView view) {
    Instant known = observed.leadsSince().orElseThrow().plus(MIRRORS_KNOWN);
    if (now.isBefore(known)) {
      writes.wake(view.key(), known);
    } else if (!view.admission().deleted()) {
      writes.write(new BindingsEffect.Delete(view), Optional.empty(), Writes.AT_ONCE);
    }
  }

  /** Whether nothing of it is left in the pool, or there is no pool. */
  private boolean cleaned(BindingView view) {
    boolean missing =
        observed.pool(view.key()).filter(observed.listed().missing()::contains).isPresent();
    return missing || record(view).cleaned();
  }

  private AddedRecord record(BindingView view) {
    ties.lateUntil().ifPresent(at -> writes.wake(view.key(), at));
    return ties.record(view);
  }

  private void report(BindingView view) {
    AdmissionDecision admission = core.checks().decide(view.admission(), now);
    admission.requeueAt().ifPresent(at -> writes.wake(view.key(), at));
    BindingReport report = report(view, admission);
    boolean asks = admission.update().isPresent();
    boolean same = writes.reported(view.key()).equals(Optional.of(report));
    boolean grows = !view.added().containsAll(report.added());
    if (!same || asks || !view.added().equals(report.added())) {
      boolean reset = admission.update().filter(AdmissionDecision.Update::reset).isPresent();
      boolean first = writes.reported(view.key()).isEmpty();
      Duration gap = observed.outcome(view) instanceof Mirrors && !asks ? Writes.SHOWN : Writes.GAP;
      writes.write(
          new BindingsEffect.WriteStatus(view, report, reset),
          Optional.of(report),
          grows || first ? Writes.AT_ONCE : gap);
    }
  }

  private BindingReport report(BindingView view, AdmissionDecision admission) {
    boolean grows =
        !view.admission().deleted()
            && view.admission().active()
            && observed.outcome(view) instanceof Follows;
    Optional<PoolStatus> pool = observed.status(view);
    BindingConditions conditions =
        new BindingConditions(
            view, observed.outcome(view), admission.admission(), observed.listed(), pool);
    return new BindingReport(
        conditions.ready(),
        conditions.admitted(),
        conditions.throttled(),
        view.target().map(core.resolution()::pool),
        pool.map(of -> BindingReport.Shown.of(of, view.target())),
        record(view).next(grows),
        admission.requeueAt(),
        admission
            .update()
            .map(AdmissionDecision.Update::checks)
            .orElse(view.admission().reported()));
  }
}
