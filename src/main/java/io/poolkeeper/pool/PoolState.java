package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.turnstile.Lane;
import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything a pool knows. The levels are kept apart from the queue: dropping an operation never
 * drops a level. Times are monotonic.
 *
 * @param assigned the Services that own the pool, each with what it wants
 * @param repair whether the next attempt is made although no level changed
 * @param trouble why the pool may differ from its wish; empty once an attempt or a listing showed
 *     that it does not
 * @param seen the newest view of the pool, from a listing or a GET
 * @param settledAt when the last attempt ended; a listing that is older tells nothing
 * @param lastWrite when the last PUT was sent
 */
public record PoolState(
    NavigableMap<ServiceKey, Assigned> assigned,
    UpdateQueue queue,
    Phase phase,
    boolean repair,
    Optional<Trouble> trouble,
    Optional<PoolView> seen,
    Optional<Instant> settledAt,
    Optional<Instant> lastWrite) {

  /** A Service's tie to the pool and the level it wants there. */
  public record Assigned(Assignment assignment, Level level) {}

  /**
   * What went wrong, and how often.
   *
   * @param last the failure of the last attempt
   * @param outcomes how many attempts in a row failed for good; the pace of repairs follows from it
   * @param hastened how many repairs were made earlier because another pool recovered
   */
  public record Trouble(ArmFailure last, int outcomes, int hastened) {
    private static Trouble of(Optional<Trouble> before, ArmFailure failure, int more) {
      // No overflow: an attempt each 7.5 s makes a billion in two centuries.
      return new Trouble(
          failure,
          before.map(Trouble::outcomes).orElse(0) + more,
          before.map(Trouble::hastened).orElse(0));
    }

    /** An attempt failed that will be made again. */
    static Trouble retried(Optional<Trouble> before, ArmFailure failure) {
      return of(before, failure, 0);
    }

    /** An attempt failed for good. */
    static Trouble failed(Optional<Trouble> before, ArmFailure failure) {
      return of(before, failure, 1);
    }

    Trouble hastenedOnce() {
      return new Trouble(last, outcomes, hastened + 1);
    }
  }

  public PoolState {
    assigned = Collections.unmodifiableNavigableMap(assigned);
    for (Operation operation : queue.operations()) {
      if (!assigned.containsKey(operation.service())) {
        throw new IllegalStateException("an operation of nobody: " + operation);
      }
    }
  }

  static PoolState initial() {
    return new PoolState(
        new TreeMap<>(),
        UpdateQueue.EMPTY,
        new Phase.Idle(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The wish of all Services together. */
  Wish wish() {
    return Wish.of(assigned.values().stream().map(Assigned::level).toList());
  }

  /** Whether the operation's Service still owns the pool under the same assignment. */
  boolean relevant(Operation operation) {
    Assigned current = assigned.get(operation.service());
    return current != null && current.assignment().number() == operation.assignment();
  }

  /** Why a turn is wanted: changes that were never attempted go before those that were. */
  Lane lane() {
    boolean fresh = queue.operations().stream().anyMatch(operation -> !operation.retried());
    return fresh ? Lane.UPDATE : queue.isEmpty() ? Lane.REPAIR : Lane.RETRY;
  }

  /** Whether anything is to be done at ARM. */
  boolean busy() {
    return repair || !queue.isEmpty();
  }

  /** When the timer must fire, if at all. */
  Optional<Instant> wakeAt() {
    return switch (phase) {
      case Phase.Gathering gathering -> Optional.of(gathering.due());
      case Phase.Parked parked -> Optional.of(parked.until());
      case Phase.Failed failed -> Optional.of(failed.repairAt());
      case Phase.Idle i -> Optional.empty();
      case Phase.Waiting w -> Optional.empty();
      case Phase.Reading r -> Optional.empty();
      case Phase.Writing w -> Optional.empty();
      case Phase.Stopped s -> Optional.empty();
    };
  }

  PoolState with(Phase next) {
    return new PoolState(assigned, queue, next, repair, trouble, seen, settledAt, lastWrite);
  }

  PoolState with(UpdateQueue next) {
    return new PoolState(assigned, next, phase, repair, trouble, seen, settledAt, lastWrite);
  }

  PoolState with(Assigned level) {
    TreeMap<ServiceKey, Assigned> next = new TreeMap<>(assigned);
    next.put(level.assignment().service(), level);
    return new PoolState(next, queue, phase, repair, trouble, seen, settledAt, lastWrite);
  }

  /** Without a Service. A pool that is nobody's has no trouble and needs no repair. */
  PoolState without(ServiceKey service) {
    TreeMap<ServiceKey, Assigned> next = new TreeMap<>(assigned);
    next.remove(service);
    return new PoolState(
        next,
        queue.without(service),
        phase,
        repair && !next.isEmpty(),
        next.isEmpty() ? Optional.empty() : trouble,
        seen,
        settledAt,
        lastWrite);
  }

  PoolState withRepair(boolean next) {
    return new PoolState(assigned, queue, phase, next, trouble, seen, settledAt, lastWrite);
  }

  PoolState with(Trouble next) {
    return new PoolState(
        assigned, queue, phase, repair, Optional.of(next), seen, settledAt, lastWrite);
  }

  /** The pool is known to be as wished, or nothing about it is to be done. */
  PoolState clean() {
    return new PoolState(
        assigned, queue, phase, repair, Optional.empty(), seen, settledAt, lastWrite);
  }

  PoolState withSeen(PoolView next) {
    return new PoolState(
        assigned, queue, phase, repair, trouble, Optional.of(next), settledAt, lastWrite);
  }

  PoolState settled(Instant now) {
    return new PoolState(
        assigned, queue, phase, repair, trouble, seen, Optional.of(now), lastWrite);
  }

  PoolState writing(Instant now) {
    return new PoolState(
        assigned, queue, phase, repair, trouble, seen, settledAt, Optional.of(now));
  }
}
