package io.poolkeeper.admission;

import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * What is known of bindings and pools.
 *
 * @param outcomes which bindings are followed
 * @param claims the bindings of each pool that any names
 * @param cleanups the deletions that wait for their turn, and those that have it
 * @param listed what the last listing has shown of pools that are bound
 * @param shown all pools as their actors know them
 * @param watched whether all bindings are known
 * @param leadsSince empty while this replica is on standby
 * @param runsSince the end of the last pause, or the start; empty while all is paused
 */
public record Observed(
    HashPMap<BindingKey, BindingView> bindings,
    HashPMap<BindingKey, Outcome> outcomes,
    HashPMap<PoolId, Claims> claims,
    Cleanups cleanups,
    Listed listed,
    HashPMap<PoolId, PoolStatus> shown,
    ClusterMark mark,
    boolean watched,
    Optional<Instant> leadsSince,
    Optional<Instant> runsSince) {
  static Observed nothing(Optional<Instant> leadsSince, Instant now) {
    return new Observed(
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        Cleanups.NONE,
        Listed.NOTHING,
        HashTreePMap.empty(),
        ClusterMark.unknown(now),
        false,
        leadsSince,
        Optional.of(now));
  }

  Outcome outcome(BindingView view) {
    return Objects.requireNonNull(outcomes.get(view.key()));
  }

  Optional<BindingView> owner(PoolId pool) {
    return Optional.ofNullable(claims.get(pool)).flatMap(Claims::owner);
  }

  /** The pool that the binding owns. */
  static Optional<PoolId> pool(@Nullable Outcome outcome) {
    return switch (outcome) {
      case Follows follows -> Optional.of(follows.pool());
      case Leaves leaves -> Optional.of(leaves.pool());
      case Refused refused -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  Optional<PoolId> ownedPool(BindingView view) {
    return pool(outcome(view));
  }

  Optional<PoolStatus> status(BindingView view) {
    return ownedPool(view).map(shown::get);
  }

  boolean mayWrite() {
    return leadsSince.isPresent() && runsSince.isPresent() && watched;
  }

  /** Whether anything may be bound or written. */
  boolean acts() {
    return leadsSince.isPresent() && mark.known().isPresent();
  }
}
