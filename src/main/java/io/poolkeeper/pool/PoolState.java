package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything a pool knows. The levels are kept apart from the queue: dropping an operation never
 * drops a level. Invariant: the queue holds at most one operation per assigned Service.
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
    Optional<ArmFailure> trouble,
    Optional<PoolView> seen,
    Optional<Instant> settledAt,
    Optional<Instant> lastWrite) {

  /** A Service's tie to the pool and the level it wants there. */
  public record Assigned(Assignment assignment, Level level) {}

  public PoolState {
    assigned = Collections.unmodifiableNavigableMap(assigned);
    if (queue.operations().size() > assigned.size()) {
      throw new IllegalStateException("more operations than Services: " + queue);
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

  /** When the timer must fire, if at all. */
  Optional<Instant> wakeAt() {
    return phase instanceof Phase.Gathering gathering
        ? Optional.of(gathering.due())
        : Optional.empty();
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

  PoolState without(ServiceKey service) {
    TreeMap<ServiceKey, Assigned> next = new TreeMap<>(assigned);
    next.remove(service);
    return new PoolState(
        next, queue.without(service), phase, repair, trouble, seen, settledAt, lastWrite);
  }

  PoolState withRepair(boolean next) {
    return new PoolState(assigned, queue, phase, next, trouble, seen, settledAt, lastWrite);
  }

  PoolState withTrouble(Optional<ArmFailure> next) {
    return new PoolState(assigned, queue, phase, repair, next, seen, settledAt, lastWrite);
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
