package io.poolkeeper.pool;

import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.turnstile.Lane;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The desired state of a pool, and the changes that wait to be written. The levels are kept apart
 * from the queue: dropping an operation never drops a level. Invariant: each operation is of a
 * Service that owns the pool.
 *
 * @param services the Services that own the pool, each with what it wants
 */
record Desired(NavigableMap<ServiceKey, Assigned> services, UpdateQueue queue) {
  static final Desired NOTHING = new Desired(new TreeMap<>(), UpdateQueue.EMPTY);

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
    return DesiredMembers.of(services.values().stream().map(Assigned::level).toList());
  }

  /** The same; a Service that is no owner counts as unknown, so that nothing is removed. */
  DesiredMembers members(Set<ServiceKey> owners) {
    return DesiredMembers.of(
        services.values().stream()
            .map(s -> owners.contains(s.assignment().service()) ? s.level() : new Level.Unknown())
            .toList());
  }

  /** The Services that have one of the rules. */
  Set<ServiceKey> owners(Set<String> rules) {
    return services.values().stream()
        .map(Assigned::assignment)
        .filter(assignment -> Assignment.owns(assignment.rulePrefix(), rules))
        .map(Assignment::service)
        .collect(Collectors.toSet());
  }

  /** Whether no Service owns the pool. */
  boolean unowned() {
    return services.isEmpty();
  }

  /** Whether the operation's Service still owns the pool under the same assignment. */
  boolean relevant(Operation operation) {
    Assigned current = services.get(operation.service());
    return current != null && current.assignment().number() == operation.assignment();
  }

  /**
   * Why a turn is wanted: the most urgent lane that any of the changes could have alone.
   *
   * @param early whether fresh changes are
   */
  Lane lane(boolean early) {
    boolean fresh = queue.fresh();
    boolean retried = queue.operations().stream().anyMatch(Operation::retried);
    if (fresh && !early) {
      return Lane.UPDATE;
    }
    return retried ? Lane.RETRY : fresh ? Lane.EARLY : Lane.REPAIR;
  }

  Desired with(UpdateQueue next) {
    return new Desired(services, next);
  }

  Desired with(Assigned level) {
    TreeMap<ServiceKey, Assigned> next = new TreeMap<>(services);
    next.put(level.assignment().service(), level);
    return new Desired(next, queue);
  }

  /** Without a Service. A pool that is unowned needs no repair. */
  Desired without(ServiceKey service) {
    TreeMap<ServiceKey, Assigned> next = new TreeMap<>(services);
    next.remove(service);
    UpdateQueue left = queue.without(service);
    return new Desired(next, next.isEmpty() ? left.withRepair(false) : left);
  }
}
