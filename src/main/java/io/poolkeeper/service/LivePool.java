package io.poolkeeper.service;

import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * A pool that has an actor, or will have one again. A failed actor is replaced after 1 s, doubling
 * to 30 s while it goes on failing.
 *
 * @param owners the Services that own the pool
 * @param holdsNodes whether the pool contains nodes of the cluster: then it has an actor even
 *     without an owner
 * @param leaving whether the pool's binding is being deleted
 * @param failing whether the pool may differ from what is desired because an attempt failed
 * @param crashes how often its actor failed lately
 * @param crashedAt the last failure of its actor; empty if there was none
 * @param respawnAt when a new actor takes over; until then nothing is sent
 */
record LivePool(
    MapPSet<ServiceKey> owners,
    boolean holdsNodes,
    boolean leaving,
    boolean failing,
    int crashes,
    Optional<Instant> crashedAt,
    Optional<Instant> respawnAt) {
  static final LivePool NEW =
      new LivePool(
          HashTreePSet.empty(), false, false, false, 0, Optional.empty(), Optional.empty());

  private static final Duration FIRST_RESPAWN = Duration.ofSeconds(1);
  private static final Duration MAX_RESPAWN = Duration.ofSeconds(30);
  private static final Duration CRASH_MEMORY = Duration.ofMinutes(5);

  LivePool owned(ServiceKey service) {
    return new LivePool(
        owners.plus(service), holdsNodes, leaving, failing, crashes, crashedAt, respawnAt);
  }

  LivePool released(ServiceKey service) {
    return new LivePool(
        owners.minus(service), holdsNodes, leaving, failing, crashes, crashedAt, respawnAt);
  }

  LivePool withHoldsNodes(boolean nowHolds) {
    return new LivePool(owners, nowHolds, leaving, failing, crashes, crashedAt, respawnAt);
  }

  /** Whether the pool needs an actor. */
  boolean followed() {
    return holdsNodes || leaving || !owners.isEmpty();
  }

  LivePool withLeaving(boolean nowLeaves) {
    return new LivePool(owners, holdsNodes, nowLeaves, failing, crashes, crashedAt, respawnAt);
  }

  LivePool withFailing(boolean nowFails) {
    return new LivePool(owners, holdsNodes, leaving, nowFails, crashes, crashedAt, respawnAt);
  }

  LivePool crashed(Instant now) {
    boolean again = crashedAt.filter(last -> last.plus(CRASH_MEMORY).isAfter(now)).isPresent();
    int count = again ? crashes + 1 : 1;
    Duration wait = FIRST_RESPAWN.multipliedBy(1L << Math.min(count - 1, 5));
    Instant at = now.plus(wait.compareTo(MAX_RESPAWN) > 0 ? MAX_RESPAWN : wait);
    return new LivePool(
        owners, holdsNodes, leaving, failing, count, Optional.of(now), Optional.of(at));
  }

  /** The pool has a new actor, which knows of no failure yet. */
  LivePool respawned() {
    return new LivePool(owners, holdsNodes, leaving, false, crashes, crashedAt, Optional.empty());
  }

  boolean respawnDue(Instant now) {
    return respawnAt.filter(at -> !at.isAfter(now)).isPresent();
  }
}
