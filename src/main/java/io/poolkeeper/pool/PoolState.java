package io.poolkeeper.pool;

import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a pool.
 *
 * @param observed the newest view of the pool, from a listing or a GET
 * @param failing present while the pool may differ from what is desired because an attempt failed
 */
public record PoolState(
    Desired desired,
    Phase phase,
    Optional<PoolView> observed,
    Optional<Failing> failing,
    History history) {
  public static PoolState initial() {
    return new PoolState(
        Desired.NOTHING, new Phase.Idle(), Optional.empty(), Optional.empty(), History.NONE);
  }

  /** What waits to be written. */
  public UpdateQueue queue() {
    return desired.queue();
  }

  /** Until when fresh changes are early, if there are any and they are. */
  Optional<Instant> earlyUntil(PoolLimits limits, Instant now) {
    return queue().fresh() ? history.spacing().earlyUntil(now, limits) : Optional.empty();
  }

  /** When the timer must fire, if at all. */
  public Optional<Instant> wakeAt() {
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
    return new PoolState(desired, next, observed, failing, history);
  }

  PoolState with(Desired next) {
    return new PoolState(next, phase, observed, failing, history);
  }

  PoolState with(UpdateQueue next) {
    return with(desired.with(next));
  }

  /**
   * Whether the pool, as it was seen last or as the PUT in flight will leave it, differs from what
   * is desired; empty if it was never seen.
   */
  Optional<Boolean> differsFrom(DesiredMembers members) {
    Optional<PoolView> expected =
        phase instanceof Phase.Writing writing
            ? observed.map(seen -> seen.with(writing.edit()))
            : observed;
    return expected.map(seen -> !PoolPlan.of(seen, members).isEmpty());
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
    return new PoolState(desired, phase, observed, Optional.of(next), history);
  }

  /** The pool is known to be as desired, or nothing about it is to be done. */
  PoolState recovered() {
    return new PoolState(desired, phase, observed, Optional.empty(), history);
  }

  PoolState observed(PoolView next) {
    return new PoolState(desired, phase, Optional.of(next), failing, history);
  }

  PoolState with(Damage next) {
    return with(history.with(next));
  }

  PoolState with(History next) {
    return new PoolState(desired, phase, observed, failing, next);
  }
}
