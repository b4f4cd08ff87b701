package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.Pause;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.ratelimit.PriorityLevel;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The desired state of a pool, and the changes that wait to be written. The levels are kept apart
 * from the queue: dropping an operation never drops a level. Invariant: each operation is of a
 * Service that owns the pool.
 *
 * @param services the Services that own the pool, each with what it wants
 * @param lostWatch present while a watch of the cluster is lost
 * @param bound what the pool's binding wants, if it has one
 * @param paused present while all is paused
 */
record Desired(
    NavigableMap<ServiceKey, Ownership> services,
    UpdateQueue queue,
    Optional<LostWatch> lostWatch,
    Optional<BoundPool> bound,
    Optional<Pause> paused) {
  static final Desired NOTHING =
      new Desired(
          new TreeMap<>(), UpdateQueue.EMPTY, Optional.empty(), Optional.empty(), Optional.empty());

  Desired {
    services = Collections.unmodifiableNavigableMap(services);
    for (Operation operation : queue.operations()) {
      if (!services.containsKey(operation.service())) {
        throw new IllegalStateException("an unowned operation: " + operation);
      }
    }
  }

  /** The union of the Services' levels. */
  DesiredMembers members() {
    return members(services.keySet());
  }

  /** The same union; the level of a Service that is no owner counts as unknown. */
  DesiredMembers members(Set<ServiceKey> owners) {
    if (leaving().isPresent()) {
      return DesiredMembers.none(bound.orElseThrow().mark());
    }
    return DesiredMembers.of(
        services.values().stream().map(service -> level(service, owners)).toList(),
        bound.map(BoundPool::mark));
  }

  /** The level of a Service; unknown if it is no owner, or has lost its binding. */
  private Level level(Ownership ownership, Set<ServiceKey> owners) {
    boolean known = ownership.rulePrefix().isPresent() || bound.isPresent();
    return known && owners.contains(ownership.service()) ? ownership.level() : new Level.Unknown();
  }

  /** The part of the members that may be written: all, unless a watch is lost. */
  DesiredMembers writable(DesiredMembers members) {
    return watchLost() ? lostWatch.orElseThrow().limit(members) : members;
  }

  DesiredMembers writable() {
    return writable(members());
  }

  /** Whether an address may be added now that might not be added before. */
  boolean addsMoreThan(Desired before) {
    return !before.writable().members().keySet().containsAll(writable().members().keySet());
  }

  /** Whether a watch is lost on which the members depend. */
  boolean watchLost() {
    return lostWatch.isPresent() && leaving().isEmpty();
  }

  /** A watch was lost; {@code inFlight} are the changes that an attempt has taken. */
  Desired withLostWatch(long firstUnseen, List<Operation> inFlight) {
    if (lostWatch.isPresent()) {
      return this;
    }
    Set<ServiceKey> changing =
        Stream.concat(queue.operations().stream(), inFlight.stream())
            .map(Operation::service)
            .collect(Collectors.toSet());
    Set<Address> frozen = new HashSet<>(members().members().keySet());
    services.values().stream()
        .filter(ownership -> changing.contains(ownership.service()))
        .forEach(ownership -> frozen.removeAll(ownership.level().addresses()));
    LostWatch begun = new LostWatch(firstUnseen, frozen, changing);
    return new Desired(services, queue.withRepair(false), Optional.of(begun), bound, paused);
  }

  Desired withLiveWatches() {
    return new Desired(services, queue, Optional.empty(), bound, paused);
  }

  /** The Services that own a pool of these rules. */
  Set<ServiceKey> owners(Set<String> rules) {
    return services.values().stream()
        .filter(ownership -> ownership.holds(rules))
        .map(Ownership::service)
        .collect(Collectors.toSet());
  }

  /** Whether neither a Service nor a binding that is being deleted owns the pool. */
  boolean unowned() {
    return services.isEmpty() && leaving().isEmpty();
  }

  /** From when on a read shows what a deleted binding has left; empty without one. */
  Optional<Instant> leaving() {
    return bound.flatMap(BoundPool::leaving);
  }

  /** Whether the operation's Service still owns the pool by the same ownership. */
  boolean relevant(Operation operation) {
    Ownership current = services.get(operation.service());
    return current != null && current.number() == operation.ownership();
  }

  /**
   * Why a permit is wanted: the most urgent priority level that any of the changes could have
   * alone.
   *
   * @param early whether fresh changes are
   */
  PriorityLevel priorityLevel(boolean early) {
    if (queue.fresh() && !early) {
      return PriorityLevel.UPDATE;
    }
    if (queue.operations().stream().anyMatch(Operation::retried)) {
      return PriorityLevel.RETRY;
    }
    return queue.fresh() ? PriorityLevel.EARLY : PriorityLevel.REPAIR;
  }

  /** The only namespace whose Services or binding own the pool; empty if several do, or none. */
  String namespace() {
    Set<String> namespaces = new HashSet<>();
    services.keySet().forEach(service -> namespaces.add(service.namespace()));
    bound.ifPresent(binding -> namespaces.add(binding.namespace()));
    return namespaces.size() == 1 ? namespaces.iterator().next() : "";
  }

  Desired withBound(Optional<BoundPool> next) {
    return new Desired(services, queue, lostWatch, next, paused);
  }

  /** Why members must not be written for now, whatever waits; empty if they may. */
  Optional<String> whyHeld() {
    return paused.map(Pause::text).or(() -> bound.flatMap(BoundPool::held));
  }

  /** Whether admin states must not be written for now. */
  boolean drainsPaused() {
    return paused.filter(Pause::drains).isPresent();
  }

  Desired withPause(Optional<Pause> next) {
    return new Desired(services, queue, lostWatch, bound, next);
  }

  Desired with(UpdateQueue next) {
    return new Desired(services, next, lostWatch, bound, paused);
  }

  Desired with(Ownership ownership) {
    TreeMap<ServiceKey, Ownership> next = new TreeMap<>(services);
    next.put(ownership.service(), ownership);
    Desired after = new Desired(next, queue, lostWatch, bound, paused);
    Optional<LostWatch> lost = lostWatch.map(watch -> watch.withLevel(this, ownership, after));
    return new Desired(next, queue, lost, bound, paused);
  }

  /** Without a Service. A pool that is unowned needs no repair. */
  Desired without(ServiceKey service) {
    TreeMap<ServiceKey, Ownership> next = new TreeMap<>(services);
    next.remove(service);
    UpdateQueue left = queue.without(service);
    Desired after = new Desired(next, left, lostWatch, bound, paused);
    return after.unowned() ? after.with(left.withRepair(false)) : after;
  }
}
