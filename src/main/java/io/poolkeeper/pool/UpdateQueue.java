package io.poolkeeper.pool;

import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The changed levels that no attempt has taken up yet, oldest first: at most one operation per
 * Service. An operation is accounting only; dropping it never drops the level (spec 1, Retry Model,
 * in the form of the architecture's section 4).
 */
record UpdateQueue(List<Operation> operations) {
  static final UpdateQueue EMPTY = new UpdateQueue(List.of());

  UpdateQueue {
    operations = List.copyOf(operations);
    long services = operations.stream().map(Operation::service).distinct().count();
    if (services != operations.size()) {
      throw new IllegalStateException("two operations of one Service: " + operations);
    }
  }

  /**
   * One changed level that waits to be written; the assignment's number tells if it still matters.
   */
  record Operation(ServiceKey service, long assignment, Instant queuedAt) {}

  /** With the operation in the place of the Service's earlier one, else at the end. */
  UpdateQueue add(Operation operation) {
    List<Operation> next = new ArrayList<>(operations);
    next.replaceAll(queued -> sameService(queued, operation) ? operation : queued);
    if (!next.contains(operation)) {
      next.add(operation);
    }
    return new UpdateQueue(next);
  }

  /** Puts operations that an attempt took, but had no chance to write, in front of fresh ones. */
  UpdateQueue putBack(List<Operation> taken) {
    List<Operation> next = new ArrayList<>();
    for (Operation operation : taken) {
      if (operations.stream().noneMatch(queued -> sameService(queued, operation))) {
        next.add(operation);
      }
    }
    next.addAll(operations);
    return new UpdateQueue(next);
  }

  UpdateQueue without(ServiceKey service) {
    return new UpdateQueue(
        operations.stream().filter(queued -> !queued.service().equals(service)).toList());
  }

  boolean isEmpty() {
    return operations.isEmpty();
  }

  private static boolean sameService(Operation one, Operation other) {
    return one.service().equals(other.service());
  }
}
