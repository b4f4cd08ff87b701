package io.poolkeeper.pool;

import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The changed levels that wait to be written: failed ones first, then fresh ones, each in order
 * (spec 1, Retry Model and Merge Rule, in the form of the architecture, From an endpoint to Azure).
 * An operation is accounting only; dropping it never drops the level.
 *
 * <p>Invariant: the operations of one Service have retry counts that fall from front to back, so
 * that there are at most {@code maxRetries + 1} of them.
 *
 * @param retryDue when the attempt after a failed one is due if nothing is parked, monotonic;
 *     present only while an operation waits that failed before
 * @param repair whether an attempt is wanted although no level changed
 */
public record UpdateQueue(List<Operation> operations, Optional<Instant> retryDue, boolean repair) {
  static final UpdateQueue EMPTY = new UpdateQueue(List.of(), Optional.empty(), false);

  public UpdateQueue {
    operations = List.copyOf(operations);
    Map<ServiceKey, Integer> last = new HashMap<>();
    for (Operation operation : operations) {
      Integer before = last.put(operation.service(), operation.retryCount());
      if (before != null && before <= operation.retryCount()) {
        throw new IllegalStateException("retry counts do not fall: " + operations);
      }
    }
    if (operations.stream().noneMatch(Operation::retried)) {
      retryDue = Optional.empty();
    }
  }

  /**
   * One changed level.
   *
   * @param ownership the number of the ownership; an older one makes the operation irrelevant
   * @param retryCount retriable failures that it has consumed
   * @param nextEligibleAt before this, no attempt may take any operation of the pool
   * @param queuedAt since when it waits, all attempts included
   */
  public record Operation(
      ServiceKey service,
      long ownership,
      int retryCount,
      Optional<Instant> nextEligibleAt,
      Instant queuedAt) {

    static Operation fresh(Ownership ownership, Instant now) {
      return new Operation(ownership.service(), ownership.number(), 0, Optional.empty(), now);
    }

    /** Whether an attempt with it failed, which was reported as retrying. */
    boolean retried() {
      return retryCount > 0;
    }

    /** The operation after one more retriable failure. */
    Operation consumed(Optional<Instant> eligible) {
      return new Operation(service, ownership, retryCount + 1, eligible, queuedAt);
    }

    private Operation since(Instant earlier) {
      return new Operation(service, ownership, retryCount, nextEligibleAt, earlier);
    }
  }

  /** Replaces the fresh operation of the same Service, or adds one at the end. */
  UpdateQueue add(Operation operation) {
    List<Operation> next = new ArrayList<>(operations);
    Predicate<Operation> replaced = old -> sameService(old, operation) && !old.retried();
    Optional<Operation> before = operations.stream().filter(replaced).findFirst();
    next.replaceAll(old -> replaced.test(old) ? operation.since(old.queuedAt()) : old);
    if (before.isEmpty()) {
      next.add(operation);
    }
    return new UpdateQueue(next, retryDue, repair);
  }

  /**
   * Puts the operations of an attempt in front of those that came meanwhile. A fresh operation that
   * a younger one of its Service replaces passes its age on.
   *
   * @param due when the next attempt is due if nothing is parked
   */
  UpdateQueue prepend(Collection<Operation> taken, Instant due) {
    List<Operation> next = new ArrayList<>();
    taken.stream().filter(old -> !isReplaced(old)).forEach(next::add);
    operations.stream().map(queued -> asOldAsBefore(queued, taken)).forEach(next::add);
    return new UpdateQueue(next, Optional.of(due), repair);
  }

  UpdateQueue without(ServiceKey service) {
    List<Operation> next =
        operations.stream().filter(queued -> !queued.service().equals(service)).toList();
    return new UpdateQueue(next, retryDue, repair);
  }

  /** Until when the whole pool is parked: the most restrictive operation decides. */
  public Optional<Instant> parkedUntil(Instant now) {
    return operations.stream()
        .flatMap(operation -> operation.nextEligibleAt().stream())
        .filter(eligible -> eligible.isAfter(now))
        .max(Comparator.naturalOrder());
  }

  UpdateQueue withRepair(boolean next) {
    return new UpdateQueue(operations, retryDue, next);
  }

  /** Whether nothing is to be done at ARM. */
  public boolean isEmpty() {
    return operations.isEmpty() && !repair;
  }

  /** Whether any change was never attempted. */
  boolean fresh() {
    return operations.stream().anyMatch(operation -> !operation.retried());
  }

  private boolean isReplaced(Operation old) {
    return operations.stream().anyMatch(younger -> replaces(younger, old));
  }

  private static Operation asOldAsBefore(Operation operation, Collection<Operation> taken) {
    return taken.stream()
        .filter(old -> replaces(operation, old))
        .findFirst()
        .map(old -> operation.since(old.queuedAt()))
        .orElse(operation);
  }

  private static boolean replaces(Operation younger, Operation old) {
    return sameService(old, younger) && !old.retried() && !younger.retried();
  }

  private static boolean sameService(Operation operation, Operation other) {
    return operation.service().equals(other.service());
  }
}
