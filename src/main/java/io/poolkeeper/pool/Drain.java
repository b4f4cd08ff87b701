package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import io.poolkeeper.turnstile.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * How far a pool has followed the nodes that are out of service (spec 2). A drain waits for neither
 * the spacing of writes nor the end of a parked change (architecture, Invariants); if it fails it
 * is tried again for as long as a state is wrong.
 *
 * @param set the newest level
 * @param heardAt since when that one is known; monotonic
 * @param due when an attempt is to begin; present while a state is wrong and none is under way
 * @param share of the pool as it was seen last: what is to become Down of what is not yet
 * @param failures in a row
 * @param untried whether a level has come that wants more than the attempts that failed
 * @param report what the owner was sent last; it is about a view that is newer than its version
 */
record Drain(
    OutOfService set,
    Instant heardAt,
    Optional<Instant> due,
    Share share,
    int failures,
    boolean untried,
    Optional<AdminReport> report) {
  static final Drain NONE =
      new Drain(
          OutOfService.UNKNOWN,
          Instant.MIN,
          Optional.empty(),
          Share.NONE,
          0,
          false,
          Optional.empty());

  /**
   * A newer level. What it wants beyond the one before is a first attempt, and does not wait for a
   * backoff. The write of a failed attempt may have come through, so that only a call shows whether
   * a state is wrong.
   */
  Drain heard(PoolEvent.NodesOutOfService newer, Optional<PoolView> seen, Instant now) {
    Drain next = new Drain(newer.set(), newer.at(), due, share, failures, untried, report);
    if (seen.isEmpty()) {
      return next;
    }
    PoolView view = seen.get();
    if (failures > 0 && next.plan(view).isEmpty()) {
      return new Drain(newer.set(), newer.at(), due, Share.NONE, failures, untried, report);
    }
    boolean more = !plan(view).edit().entrySet().containsAll(next.plan(view).edit().entrySet());
    return (more ? next.begun().with(true) : next).wanted(view, now);
  }

  AdminPlan plan(PoolView view) {
    return AdminPlan.of(view, set);
  }

  /** An attempt is due as long as a state is wrong. */
  Drain wanted(PoolView view, Instant now) {
    AdminPlan plan = plan(view);
    Optional<Instant> next = plan.isEmpty() ? Optional.empty() : due.or(() -> Optional.of(now));
    int left = plan.isEmpty() ? 0 : failures;
    return new Drain(set, heardAt, next, plan.share(view), left, untried, report);
  }

  /** A call that began at that time has shown the pool. */
  Drain seen(PoolView view, Instant startedAt, Instant now) {
    Drain next = wanted(view, now);
    if (startedAt.isBefore(heardAt) || set.version() == 0 || view.updating()) {
      return next;
    }
    AdminPlan plan = plan(view);
    Optional<ArmFailure> failure =
        report.flatMap(AdminReport::failure).filter(any -> !plan.isEmpty());
    return next.with(new AdminReport(set.version(), plan.nodes(), plan.held(), failure));
  }

  Drain begun() {
    return new Drain(set, heardAt, Optional.empty(), share, failures, untried, report);
  }

  /** An attempt is under way for all states that are wanted by now, but not for a later level. */
  Drain tried() {
    return begun().with(false);
  }

  private Drain with(boolean nextUntried) {
    return new Drain(set, heardAt, due, share, failures, nextUntried, report);
  }

  /** Another client writes the pool: the attempt waits, and has not failed. */
  Drain later(Instant until) {
    return new Drain(set, heardAt, Optional.of(until), share, failures, untried, report);
  }

  /** An attempt failed. The report keeps its version, and no node of it becomes done. */
  Drain failed(ArmFailure failure, PoolView view, Duration delay, Instant now) {
    AdminPlan plan = plan(view);
    long version = report.map(AdminReport::version).orElse(0L);
    Set<NodeKey> pending = new HashSet<>(report.map(AdminReport::pending).orElse(Set.of()));
    pending.removeAll(plan.held());
    pending.addAll(plan.nodes());
    Instant next = due.filter(any -> untried && !plan.isEmpty()).orElse(now.plus(delay));
    return new Drain(
            set, heardAt, Optional.of(next), plan.share(view), failures + 1, untried, report)
        .with(new AdminReport(version, pending, plan.held(), Optional.of(failure)));
  }

  private Drain with(AdminReport next) {
    return new Drain(set, heardAt, due, share, failures, untried, Optional.of(next));
  }

  /**
   * Whether no state is known to be wrong, but no call has confirmed that since the newest level
   * came.
   */
  boolean unconfirmed() {
    return due.isEmpty()
        && (set.version() > report.map(AdminReport::version).orElse(0L)
            || report.filter(last -> !last.pending().isEmpty()).isPresent());
  }

  /** How urgently a turn is wanted, if one is; a retry has the share of a first attempt. */
  Optional<Priority> priority(Instant now) {
    return due.filter(at -> !at.isAfter(now))
        .map(at -> new Priority(failures == 0 || untried ? Lane.DRAIN : Lane.DRAIN_RETRY, share));
  }
}
