package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.ratelimit.Priority;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * How far the admin states of a pool have followed the nodes that are out of service (spec 2). A
 * drain, which writes admin states, waits for neither the spacing of writes nor a parked change
 * (architecture, Invariants). A failed drain is tried again for as long as a state is wrong.
 *
 * @param set the newest level: all nodes that are out of service
 * @param setSince since when the set has its present nodes; monotonic
 * @param report the last one to the node watcher; about a view that is newer than its version
 * @param decided the version of the last level that was looked at in full; later ones moved nothing
 */
record Drain(
    OutOfService set,
    Instant setSince,
    Schedule schedule,
    Optional<AdminReport> report,
    long decided) {
  /** A level that comes and goes must not go round the backoff: it begins anew so seldom. */
  private static final Duration RESTART = Duration.ofMinutes(1);

  static final Drain NONE =
      new Drain(
          OutOfService.UNKNOWN,
          Instant.MIN,
          new Schedule(Optional.empty(), Share.NONE, 0, Duration.ZERO, Instant.MIN),
          Optional.empty(),
          0);

  /**
   * When the drain is tried.
   *
   * @param due when an attempt is to begin; present while a state is wrong and none is under way
   * @param share how many of the entries that were not Down when seen last must become Down
   * @param failures in a row, since a new level reset them
   * @param delay after the last failure; zero if there was none
   * @param mayRestart from when on a new level may reset the failures
   */
  record Schedule(
      Optional<Instant> due, Share share, int failures, Duration delay, Instant mayRestart) {
    private Schedule with(Optional<Instant> next) {
      return new Schedule(next, share, failures, delay, mayRestart);
    }

    private Schedule with(Share nextShare, int nextFailures) {
      Duration nextDelay = nextFailures == 0 ? Duration.ZERO : delay;
      return new Schedule(due, nextShare, nextFailures, nextDelay, mayRestart);
    }

    private Schedule failed(Share nextShare, Duration nextDelay, Instant now) {
      Instant retryAt = now.plus(nextDelay);
      return new Schedule(Optional.of(retryAt), nextShare, failures + 1, nextDelay, mayRestart);
    }

    private Schedule sooner(Instant at) {
      Instant next = at.isAfter(mayRestart) ? at : mayRestart;
      return due.filter(planned -> !next.isBefore(planned)).isPresent()
          ? this
          : new Schedule(Optional.of(next), share, 0, Duration.ZERO, next.plus(RESTART));
    }
  }

  /**
   * A newer level. If attempts have failed and it wants something else, it begins anew: what it
   * wants beyond the one before at once, and else with the first delay. The write of a failed
   * attempt may have come through, so that only a call shows whether a state is wrong.
   */
  Drain withLevel(
      PoolEvent.NodesOutOfService newer,
      Optional<PoolView> seen,
      PoolLimits limits,
      Instant now,
      RandomGenerator random) {
    Drain next = with(newer).asDecided();
    if (seen.isEmpty()) {
      return next;
    }
    PoolView view = seen.get();
    if (failure().isEmpty() || due().isEmpty()) {
      return next.wanted(view, now);
    }
    AdminPlan before = plan(view);
    AdminPlan after = next.plan(view);
    Schedule sameTimes = schedule.with(after.share(view), failures());
    if (after.edit().equals(before.edit())) {
      return next.with(sameTimes);
    }
    ArmFailure failure = failure().orElseThrow();
    boolean wantsMore = !before.edit().entrySet().containsAll(after.edit().entrySet());
    return next.with(
        sameTimes.sooner(
            wantsMore ? now : now.plus(limits.drainRetry(failure, 1, Duration.ZERO, random))));
  }

  /** A newer level, of which nothing follows yet. */
  Drain with(PoolEvent.NodesOutOfService newer) {
    boolean same =
        set.version() > 0 && set.live() == newer.set().live() && set.leavesAs(newer.set());
    return new Drain(newer.set(), same ? setSince : newer.at(), schedule, report, decided);
  }

  private Drain asDecided() {
    return new Drain(set, setSince, schedule, report, set.version());
  }

  /** Whether people see the same of it, and no old nodes are kept if only that was shown. */
  boolean showsAs(Drain before) {
    return decided == before.decided
        && set.nodes().is(before.set.nodes())
        && schedule.equals(before.schedule)
        && failure().equals(before.failure());
  }

  private Drain with(Schedule next) {
    return new Drain(set, setSince, next, report, decided);
  }

  Optional<Instant> due() {
    return schedule.due();
  }

  int failures() {
    return schedule.failures();
  }

  /** Of the last attempt, until a call has shown what it should have written. */
  Optional<ArmFailure> failure() {
    return report.flatMap(AdminReport::failure);
  }

  /** Whether nothing was wrong when the pool was seen last, and nothing is tried. */
  boolean rests() {
    return due().isEmpty() && failure().isEmpty() && schedule.share().equals(Share.NONE);
  }

  AdminPlan plan(PoolView view) {
    return AdminPlan.of(view, set);
  }

  /** An attempt is due as long as a state is wrong. */
  Drain wanted(PoolView view, Instant now) {
    AdminPlan plan = plan(view);
    Optional<Instant> next = plan.isEmpty() ? Optional.empty() : due().or(() -> Optional.of(now));
    return with(schedule.with(plan.share(view), failures()).with(next));
  }

  /** A write has succeeded, and leaves that view; failures count until a call shows it. */
  Drain written(PoolView view, Instant now) {
    Optional<AdminReport> last = report.map(AdminReport::succeeded);
    return new Drain(set, setSince, schedule, last, decided).wanted(view, now);
  }

  /** A call that began at that time has shown the pool. */
  Drain seen(PoolView view, Instant startedAt, Instant now) {
    AdminPlan plan = plan(view);
    Drain next = (plan.isEmpty() ? with(schedule.with(Share.NONE, 0)) : this).wanted(view, now);
    if (startedAt.isBefore(setSince) || set.version() == 0 || view.updating()) {
      return next;
    }
    Optional<ArmFailure> last = plan.isEmpty() ? Optional.empty() : failure();
    return next.with(new AdminReport(set.version(), plan.nodes(), plan.held(), last));
  }

  /** An attempt is under way for all states that are wanted by now, but not for a later level. */
  Drain begun() {
    return with(schedule.with(Optional.empty()));
  }

  /** Another client writes the pool: the attempt waits, and has not failed. */
  Drain later(Instant until) {
    return with(schedule.with(Optional.of(until)));
  }

  /** A write has not found the pool that a read had shown. */
  Drain missed(Instant until) {
    return with(schedule.with(schedule.share(), failures() + 1)).later(until);
  }

  /**
   * An attempt failed; what is due since it began is a newer level's. The report keeps its version,
   * and no node of it becomes done.
   */
  Drain failed(
      ArmFailure failure, PoolView view, PoolLimits limits, Instant now, RandomGenerator random) {
    AdminPlan plan = plan(view);
    long version = report.map(AdminReport::version).orElse(0L);
    Set<NodeKey> pending = new HashSet<>(report.map(AdminReport::pending).orElse(Set.of()));
    pending.removeAll(plan.held());
    pending.addAll(plan.nodes());
    Duration delay = limits.drainRetry(failure, failures() + 1, schedule.delay(), random);
    Schedule next = schedule.failed(plan.share(view), delay, now);
    return with(due().isPresent() && !plan.isEmpty() ? next.sooner(now) : next)
        .with(new AdminReport(version, pending, plan.held(), Optional.of(failure)));
  }

  private Drain with(AdminReport next) {
    return new Drain(set, setSince, schedule, Optional.of(next), decided);
  }

  /**
   * Whether no state is known to be wrong, but no call has confirmed that since the newest level
   * came.
   */
  boolean unconfirmed() {
    return due().isEmpty()
        && (set.version() > report.map(AdminReport::version).orElse(0L)
            || report.filter(last -> !last.pending().isEmpty()).isPresent());
  }

  /** How urgently a permit is wanted, if one is; a retry has the share of a first attempt. */
  Optional<Priority> priority(Instant now) {
    PriorityLevel priorityLevel = failures() == 0 ? PriorityLevel.DRAIN : PriorityLevel.DRAIN_RETRY;
    return due()
        .filter(at -> !at.isAfter(now))
        .map(at -> new Priority(priorityLevel, schedule.share()));
  }
}
