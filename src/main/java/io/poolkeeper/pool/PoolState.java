package io.poolkeeper.pool;

import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.ratelimit.Priority;
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
    Leftovers leftovers,
    WouldWrite wouldWrite) {
  public static PoolState initial() {
    return new PoolState(
        Desired.NOTHING,
        new Phase.Idle(),
        Optional.empty(),
        Optional.empty(),
        Drain.NONE,
        History.NONE,
        Leftovers.NONE,
        WouldWrite.NOTHING);
  }

  /** Whether a level of the nodes moves nothing in this pool, which is at rest. */
  boolean unmovedBy(OutOfService next) {
    return phase instanceof Phase.Idle
        && drain.rests()
        && leftovers.begun()
        && wouldWrite.isEmpty()
        && observed.stream().allMatch(view -> drain.plan(view).isEmpty())
        && sameNodes(next);
  }

  /** Whether the nodes of all members and entries are in service as in that level, or are not. */
  private boolean sameNodes(OutOfService next) {
    OutOfService set = drain.set();
    return set.live() == next.live()
        && set.minActive() == next.minActive()
        && desired.members().members().values().stream().allMatch(node -> set.sameOf(node, next))
        && observed.stream()
            .flatMap(view -> view.entries().stream())
            .allMatch(entry -> set.sameOf(entry, next));
  }

  /** Whether people see the same of the pool as before. */
  boolean showsAs(PoolState before) {
    return drain.showsAs(before.drain)
        && with(before.drain).with(history.with(before.history.freshness())).equals(before);
  }

  public UpdateQueue queue() {
    return desired.queue();
  }

  /** Until when fresh changes are early; empty if there are none, or if they are not early. */
  Optional<Instant> earlyUntil(PoolLimits limits, Instant now) {
    return queue().fresh() ? history.spacing().earlyUntil(now, limits) : Optional.empty();
  }

  /** How urgently a permit is wanted for changes or a repair. */
  Priority priority(PoolLimits limits, Instant now) {
    return Priority.of(desired.priorityLevel(earlyUntil(limits, now).isPresent()))
        .in(desired.namespace());
  }

  public Optional<Instant> wakeAt() {
    return switch (phase) {
      case Phase.Quiescent s -> earliest(changesDue(), drainDue());
      case Phase.Waiting waiting -> waiting.wakeAt();
      case Phase.Attempting a -> Optional.empty();
      case Phase.Ending e -> Optional.empty();
    };
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  static Optional<Instant> earliest(Optional<Instant>... times) {
    return Stream.of(times).flatMap(Optional::stream).min(Instant::compareTo);
  }

  /** Whether members wait for the end of a hold. */
  boolean held() {
    return desired.whyHeld().isPresent();
  }

  /** Until when a removal is held, if that is all that is to be written. */
  Optional<Instant> braked(Instant now) {
    return leftovers
        .brakedUntil()
        .filter(now::isBefore)
        .filter(until -> decided(desired.writable().additions()));
  }

  /** Whether the pool held no entry of the mark when it was seen last. */
  boolean clean() {
    return observed.filter(this::holdsMark).isEmpty() && observed.isPresent();
  }

  boolean holdsMark(PoolView view) {
    return desired
        .bound()
        .filter(bound -> view.entries().stream().anyMatch(entry -> bound.mark().on(entry.name())))
        .isPresent();
  }

  /** Whether a binding is being deleted whose entries may be left, as far as reads show. */
  boolean bindingLeaves() {
    return desired
        .leaving()
        .filter(from -> history.clear().filter(at -> !at.isBefore(from)).isEmpty())
        .isPresent();
  }

  /**
   * When changes or a repair go on by themselves, behind a drain as well; never while they are
   * held, and no repair while a watch is lost.
   */
  Optional<Instant> changesDue() {
    return held() ? Optional.empty() : phase.quiescent().flatMap(this::due);
  }

  /** When an attempt that sets admin states is to begin. */
  Optional<Instant> drainDue() {
    return desired.drainsPaused() ? Optional.empty() : drain.due();
  }

  boolean isDue(Instant now) {
    return changesDue().filter(due -> !due.isAfter(now)).isPresent();
  }

  /** What waits is due: a pool at rest is repaired. */
  PoolState repairingAtRest() {
    boolean rests = phase.quiescent().filter(Phase.Resting.class::isInstance).isPresent();
    return withRepair(queue().repair() || rests);
  }

  private Optional<Instant> due(Phase.Quiescent quiescent) {
    return switch (quiescent) {
      case Phase.Gathering gathering -> Optional.of(gathering.due());
      case Phase.Parked parked -> Optional.of(parked.until());
      case Phase.Braked braked -> Optional.of(braked.until());
      case Phase.Failed failed ->
          desired.watchLost() ? Optional.empty() : Optional.of(failed.repairAt());
      case Phase.Postponed postponed ->
          desired.watchLost() ? Optional.empty() : Optional.of(postponed.repairAt());
      case Phase.Idle i -> Optional.empty();
    };
  }

  PoolState with(Phase next) {
    return new PoolState(desired, next, observed, failing, drain, history, leftovers, wouldWrite);
  }

  /** The state with another phase that goes on by itself, behind a drain as well. */
  PoolState withQuiescent(Phase.Quiescent next) {
    return with(phase.withQuiescent(next));
  }

  PoolState with(Desired next) {
    return new PoolState(next, phase, observed, failing, drain, history, leftovers, wouldWrite);
  }

  PoolState with(UpdateQueue next) {
    return with(desired.with(next));
  }

  /** Whether the pool, as it was seen last, differs from that; empty if it was never seen. */
  Optional<Boolean> differsFrom(DesiredMembers members) {
    return observed.map(view -> !PoolPlan.of(view, members).isEmpty());
  }

  /** Whether the pool has those members, or shadow mode has decided on all differences. */
  private boolean decided(DesiredMembers members) {
    return expected().filter(view -> wouldWrite.covers(PoolPlan.of(view, members))).isPresent();
  }

  /** The pool as it was seen last, or as the PUT in flight will leave it. */
  Optional<PoolView> expected() {
    return phase instanceof Phase.Writing writing
        ? observed.map(view -> view.with(writing.edit()))
        : observed;
  }

  /**
   * Why members are left as they are, or not all are written, as the pool was seen last; empty for
   * a pool that no Service or binding owns.
   */
  Optional<String> leftAlone() {
    return observed
        .filter(view -> !desired.unowned() && !(view.ipBased() && view.networked()))
        .flatMap(view -> PoolPlan.obstacle(view, PoolPlan.of(view, desired.members())));
  }

  /** Without a Service. A pool that is unowned cannot fail; any other may hold too much now. */
  PoolState without(ServiceKey service) {
    if (!desired.services().containsKey(service)) {
      return this;
    }
    Desired left = desired.without(service);
    PoolState next = with(left).with(history.drift().unknown().withDesired(left));
    return next.desired.unowned() ? next.recovered() : next;
  }

  PoolState withRepair(boolean repair) {
    return with(queue().withRepair(repair));
  }

  PoolState with(Failing next) {
    return new PoolState(
        desired, phase, observed, Optional.of(next), drain, history, leftovers, wouldWrite);
  }

  /** The pool is known to be as desired, or nothing about it is to be done. */
  PoolState recovered() {
    return new PoolState(
        desired, phase, observed, Optional.empty(), drain, history, leftovers, wouldWrite);
  }

  PoolState withObserved(PoolView next) {
    return new PoolState(
        desired, phase, Optional.of(next), failing, drain, history, leftovers, wouldWrite);
  }

  /** The attempt has ended. A pool without an owner cannot fail. */
  PoolState rested() {
    PoolState ended = phase instanceof Phase.Attempting attempting ? with(attempting.end()) : this;
    return ended.desired.unowned() ? ended.recovered() : ended;
  }

  /** A call that began at that time showed the pool. */
  PoolState seen(PoolView view, Instant startedAt, Instant now) {
    return withObserved(view).with(drain.seen(view, startedAt, now));
  }

  PoolState with(Drift next) {
    return with(history.with(next));
  }

  PoolState with(Drain next) {
    return new PoolState(desired, phase, observed, failing, next, history, leftovers, wouldWrite);
  }

  PoolState with(History next) {
    return new PoolState(desired, phase, observed, failing, drain, next, leftovers, wouldWrite);
  }

  PoolState with(Leftovers next) {
    return new PoolState(desired, phase, observed, failing, drain, history, next, wouldWrite);
  }

  PoolState with(WouldWrite next) {
    return new PoolState(desired, phase, observed, failing, drain, history, leftovers, next);
  }

  /** Forgets decisions of shadow mode that are fulfilled, or not wanted any more. */
  PoolState withoutFulfilledDecisions() {
    if (wouldWrite.isEmpty() || observed.isEmpty()) {
      return this;
    }
    PoolView view = observed.get();
    PoolState next = with(wouldWrite.intersect(wanted(view)));
    return wouldWrite.covers(PoolEdit.NONE.with(drain.plan(view).edit()))
        ? next.with(drain.begun())
        : next;
  }

  private PoolEdit wanted(PoolView view) {
    PoolEdit members = PoolPlan.of(view, desired.members());
    return members.with(drain.plan(view.with(members)).edit());
  }
}
