package io.poolkeeper.pool;

import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a pool does when a watch of the cluster is lost, and when all watches are live again. */
final class WatchPolicy {
  private WatchPolicy() {}

  /** Changes that wait or are in flight came over live watches and go on; repairs do not. */
  static PoolState lost(PoolState state, PoolEvent.WatchLost lost) {
    return state.with(state.desired().withLostWatch(lost.firstUnseen(), inFlight(state)));
  }

  /**
   * All watches are live: withheld changes are due as fresh ones, and other known differences as a
   * repair. An attempt that still reads will write all of them.
   */
  static PoolState live(PoolState state, Instant now) {
    Optional<LostWatch> lostWatch = state.desired().lostWatch();
    PoolState next = state.with(state.desired().withLiveWatches());
    Optional<Boolean> differs = next.differsFrom(next.desired().members());
    if (lostWatch.isEmpty() || differs.equals(Optional.of(false))) {
      return next;
    }
    Set<ServiceKey> reading =
        next.phase() instanceof Phase.Reading
            ? inFlight(next).stream().map(Operation::service).collect(Collectors.toSet())
            : Set.of();
    UpdateQueue queue = next.queue();
    for (Ownership ownership : next.desired().services().values()) {
      if (lostWatch.get().withheld().contains(ownership.service())
          && !reading.contains(ownership.service())) {
        queue = queue.add(Operation.fresh(ownership, now));
      }
    }
    boolean rests = next.phase().quiescent().filter(Phase.Idle.class::isInstance).isPresent();
    boolean drift = queue.isEmpty() && differs.isPresent() && rests;
    return next.with(queue.withRepair(queue.repair() || drift));
  }

  private static List<Operation> inFlight(PoolState state) {
    return state.phase() instanceof Phase.Attempting attempting
        ? attempting.attempt().operations()
        : List.of();
  }
}
