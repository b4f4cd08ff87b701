package io.poolkeeper.pool;

import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.turnstile.Priority;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The state of a pool.
 *
 * @param observed the newest view of the pool, from a listing or a GET
 * @param failing present while the pool may differ from what is desired because an attempt failed
 * @param leftovers what is wrong in the pool as it was seen last
 * @param drain the nodes that are out of service, and how far the pool has followed them
 */
public record PoolState(
    Desired desired,
    Phase phase,
    Optional<PoolView> observed,
    Optional<Failing> failing,
    Drain drain,
    History history,
    Leftovers leftovers) {
  public static PoolState initial() {
    return new PoolState(
        Desired.NOTHING,
        new Phase.Idle(),
        Optional.empty(),
        Optional.empty(),
        Drain.NONE,
        History.NONE,
        Leftovers.NONE);
  }

  /** What waits to be written. */
  public UpdateQueue queue() {
    return desired.queue();
  }

  /**
   * Whether what waits to be written may go along with a drain: it is as far from the last write as
   * it must be, and nothing of it is parked or held.
   */
  boolean mayGoAlong(PoolLimits limits, Instant now) {
    return !queue().isEmpty()
        && desired.held().isEmpty()
        && Stream.of(queue().parkedUntil(now), queue().retryDue(), history.spacing().next(limits))
            .flatMap(Optional::stream)
            .noneMatch(due -> due.isAfter(now));
  }

  /** Until when fresh changes are early, if there are any and they are. */
  Optional<Instant> earlyUntil(PoolLimits limits, Instant now) {
    return queue().fresh() ? history.spacing().earlyUntil(now, limits) : Optional.empty();
  }

  /** When the timer must fire, if at all. */
  public Optional<Instant> wakeAt() {
    Optional<Instant> drained = phase instanceof Phase.Still ? drain.due() : Optional.empty();
    return Stream.of(changesDue(), drained.filter(due -> !drainsHeld()))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  /** Whether members wait for the end of a hold, all of them. */
  boolean held() {
    return desired.held().isPresent() && !frees();
  }

  /** Whether they are held, but for some that only bindings which end have added. */
  boolean frees() {
    return desired.held().isPresent()
        && expected().filter(view -> !desired.freed(view).isEmpty()).isPresent();
  }

  /** How urgently a turn is wanted to set admin states, if one is; not while those are held. */
  Optional<Priority> drains(Instant now) {
    return drain.priority(now).filter(wanted -> !drainsHeld());
  }

  boolean drainsHeld() {
    return desired.bind().terms().drainsHeld();
  }

  /** When it goes on by itself with what its Services want; not while that is held. */
  Optional<Instant> changesDue() {
    return held() ? Optional.empty() : phaseDue();
  }

  private Optional<Instant> phaseDue() {
    return switch (phase) {
      case Phase.Gathering gathering -> Optional.of(gathering.due());
      case Phase.Parked parked -> Optional.of(parked.until());
      case Phase.Failed failed ->
          desired.lost() ? Optional.empty() : Optional.of(failed.repairAt());
      case Phase.Postponed postponed ->
          desired.lost() ? Optional.empty() : Optional.of(postponed.repairAt());
      case Phase.Idle i -> Optional.empty();
      case Phase.Waiting waiting -> waiting.earlyUntil();
      case Phase.Reading r -> Optional.empty();
      case Phase.Writing w -> Optional.empty();
      case Phase.Ending e -> Optional.empty();
    };
  }

  PoolState with(Phase next) {
    return new PoolState(desired, next, observed, failing, drain, history, leftovers);
  }

  PoolState with(Desired next) {
    return new PoolState(next, phase, observed, failing, drain, history, leftovers);
  }

  PoolState with(UpdateQueue next) {
    return with(desired.with(next));
  }

  /**
   * Whether the pool, as it was seen last or as the PUT in flight will leave it, differs from what
   * is desired; empty if it was never seen.
   */
  Optional<Boolean> differsFrom(DesiredMembers members) {
    return expected().map(seen -> !PoolPlan.of(seen, members).isEmpty());
  }

  /** The pool as it was seen last, or as the PUT in flight will leave it. */
  Optional<PoolView> expected() {
    return phase instanceof Phase.Writing writing
        ? observed.map(seen -> seen.with(writing.edit()))
        : observed;
  }

  /** Without a Service. A pool that is unowned cannot fail; any other may hold too much now. */
  PoolState without(ServiceKey service) {
    if (!desired.services().containsKey(service)) {
      return this;
    }
    PoolState next = with(desired.without(service)).with(history.damage().unknown());
    return next.desired.unowned() ? next.recovered() : next;
  }

  PoolState withRepair(boolean repair) {
    return with(queue().withRepair(repair));
  }

  PoolState with(Failing next) {
    return new PoolState(desired, phase, observed, Optional.of(next), drain, history, leftovers);
  }

  /** The pool is known to be as desired, or nothing about it is to be done. */
  PoolState recovered() {
    return new PoolState(desired, phase, observed, Optional.empty(), drain, history, leftovers);
  }

  PoolState observed(PoolView next) {
    return new PoolState(desired, phase, Optional.of(next), failing, drain, history, leftovers);
  }

  /** A call that began then showed the pool. */
  PoolState seen(PoolView view, Instant startedAt, Instant now) {
    return observed(view).with(drain.seen(view, startedAt, now));
  }

  PoolState with(Damage next) {
    return with(history.with(next));
  }

  PoolState with(Drain next) {
    return new PoolState(desired, phase, observed, failing, next, history, leftovers);
  }

  PoolState with(History next) {
    return new PoolState(desired, phase, observed, failing, drain, next, leftovers);
  }

  PoolState with(Leftovers next) {
    return new PoolState(desired, phase, observed, failing, drain, history, next);
  }
}
