package io.poolkeeper.ops;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.turnstile.TurnstileDriver;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Statuses of pools and the turnstile for tests. */
final class Statuses {
  private Statuses() {}

  /** The status of pool {@code p} of a load balancer, otherwise empty. */
  static PoolStatus of(String balancer, String state, Optional<Instant> pendingSince) {
    return of(balancer, state, pendingSince, 0, 0, new TreeMap<>(), Optional.empty());
  }

  /** The status of an idle pool with so many entries of each state. */
  static PoolStatus withEntries(String balancer, int down, int up) {
    return of(balancer, "Idle", Optional.empty(), down, up, new TreeMap<>(), Optional.empty());
  }

  /** The status of an idle pool with entries that are not as they should be. */
  static PoolStatus withLeftovers(String balancer, SortedMap<Leftover, Instant> leftovers) {
    return of(balancer, "Idle", Optional.empty(), 0, 0, leftovers, Optional.empty());
  }

  /** The status of a pool whose last attempt failed. */
  static PoolStatus failing(String balancer, ArmFailure failure) {
    return of(balancer, "Failed", Optional.empty(), 0, 0, new TreeMap<>(), Optional.of(failure));
  }

  private static PoolStatus of(
      String balancer,
      String state,
      Optional<Instant> pendingSince,
      int down,
      int up,
      SortedMap<Leftover, Instant> leftovers,
      Optional<ArmFailure> lastError) {
    return new PoolStatus(
        TurnstileDriver.pool(balancer),
        Set.of(),
        state,
        "as its state says",
        Optional.empty(),
        0,
        List.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        down,
        up,
        leftovers,
        Optional.empty(),
        lastError,
        pendingSince,
        0,
        0,
        0);
  }

  /** A snapshot without pools. */
  static Snapshot snapshot(TurnstileDriver turnstile, PoolStatus... pools) {
    return new Snapshot(
        List.of(pools),
        new Knowledge(Set.of(), Set.of(), true, true, Optional.empty()),
        Optional.of(turnstile.view()),
        NodesView.UNKNOWN);
  }
}
