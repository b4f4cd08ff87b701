package io.poolkeeper.simulation;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the checker knows of one pool's actor: what it was told, and what it has told since. */
final class PoolBooks {
  final Map<ServiceKey, Told> told = new HashMap<>();
  boolean stopped;

  /** What the last attempt that failed met. */
  Optional<ArmFailure> failure = Optional.empty();

  boolean repairing;

  /** What a pool was told of a Service, and what people were told since. */
  static final class Told {
    Assignment assignment;
    Level level;
    int retrying;
    int retryingSinceChange;

    Told(Assignment assignment, Level level) {
      this.assignment = assignment;
      this.level = level;
    }
  }

  void desired(Assignment assignment, Level level, boolean underWay) {
    Told before = told.get(assignment.service());
    if (before == null || before.assignment.number() != assignment.number()) {
      told.put(assignment.service(), new Told(assignment, level));
      return;
    }
    if (!before.level.equals(level)) {
      // The attempt under way is about older changes, and its end may be told first.
      before.retryingSinceChange = underWay ? -1 : 0;
    }
    before.level = level;
  }
}
