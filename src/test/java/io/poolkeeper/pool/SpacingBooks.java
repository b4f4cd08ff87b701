package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;

import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.ratelimit.PriorityLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Counts for itself how far apart the writes of a pool have to be, and at which priority level its
 * changes may wait. Writes of admin states alone do not count.
 *
 * @param end when the last write or failed read ended
 * @param next how long after that the next write may come, unless the interval is shorter
 */
record SpacingBooks(Optional<Instant> end, Duration next) {
  static final SpacingBooks NONE = new SpacingBooks(Optional.empty(), MIN_INTERVAL);

  SpacingBooks after(PoolState before, PoolEvent event, Instant now) {
    boolean over =
        (event instanceof PoolEvent.WriteDone
                && before.phase() instanceof Phase.Writing writing
                && writing.edit().changesMembers())
            || event instanceof PoolEvent.AttemptFailed;
    if (!over
        || !(before.phase() instanceof Phase.Attempting attempting)
        || !attempting.attempt().writesMembers()) {
      return this;
    }
    List<Operation> fresh =
        attempting.attempt().operations().stream().filter(one -> one.retryCount() == 0).toList();
    if (fresh.isEmpty()) {
      return new SpacingBooks(Optional.of(now), next);
    }
    boolean quiet = fresh.stream().noneMatch(one -> isEarly(one.queuedAt()));
    Duration longer = next.compareTo(INTERVAL) < 0 ? next.multipliedBy(2) : next;
    return new SpacingBooks(Optional.of(now), quiet ? MIN_INTERVAL : longer);
  }

  boolean allows(Instant now) {
    Duration least = next.compareTo(INTERVAL) < 0 ? next : INTERVAL;
    return end.map(ended -> !now.isBefore(ended.plus(least))).orElse(true);
  }

  boolean early(UpdateQueue queue, Instant now) {
    return queue.operations().stream().anyMatch(one -> one.retryCount() == 0) && isEarly(now);
  }

  PriorityLevel level(UpdateQueue queue, Instant now) {
    boolean fresh = queue.operations().stream().anyMatch(one -> one.retryCount() == 0);
    boolean retried = queue.operations().stream().anyMatch(one -> one.retryCount() > 0);
    if (fresh && !isEarly(now)) {
      return PriorityLevel.UPDATE;
    }
    return retried ? PriorityLevel.RETRY : fresh ? PriorityLevel.EARLY : PriorityLevel.REPAIR;
  }

  /** From when on a change is not early any more. */
  Optional<Instant> quietAt() {
    return end.map(ended -> ended.plus(INTERVAL));
  }

  private boolean isEarly(Instant time) {
    return end.map(ended -> time.isBefore(ended.plus(INTERVAL))).orElse(false);
  }
}
