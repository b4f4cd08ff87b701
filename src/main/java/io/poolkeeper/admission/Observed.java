package io.poolkeeper.admission;

import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Mirrors;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * What is known of bindings and pools.
 *
 * @param outcomes which bindings are followed
 * @param byPool those that name a pool which they may, by that pool
 * @param listed what the last listing has shown of their pools
 * @param shown all pools as their actors know them
 * @param mirrors the bindings that should show pools of the cloud provider
 * @param watched whether all bindings are known
 * @param installed whether the API server may know the resource
 * @param leadsSince empty while this replica is on standby
 */
public record Observed(
    HashPMap<BindingKey, BindingView> bindings,
    SortedMap<BindingKey, Outcome> outcomes,
    Map<PoolId, Set<BindingKey>> byPool,
    Listed listed,
    HashPMap<PoolId, PoolStatus> shown,
    HashPMap<BindingKey, Mirror> mirrors,
    boolean watched,
    boolean installed,
    Optional<Instant> leadsSince) {
  public Observed {
    outcomes = Collections.unmodifiableSortedMap(outcomes);
    byPool = Collections.unmodifiableMap(byPool);
  }

  static Observed nothing(Optional<Instant> leadsSince) {
    return new Observed(
        HashTreePMap.empty(),
        new TreeMap<>(),
        Map.of(),
        Listed.NOTHING,
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        false,
        true,
        leadsSince);
  }

  Outcome outcome(BindingView view) {
    return Objects.requireNonNull(outcomes.get(view.key()));
  }

  /** The pool that it names; empty if it may not. */
  Optional<PoolId> pool(BindingKey key) {
    return pool(outcomes.get(key));
  }

  static Optional<PoolId> pool(@Nullable Outcome outcome) {
    return switch (outcome) {
      case Follows follows -> Optional.of(follows.pool());
      case Mirrors mirrors -> Optional.of(mirrors.pool());
      case Refused refused -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  Optional<PoolStatus> status(BindingView view) {
    return pool(view.key()).map(shown::get);
  }

  /** The other bindings of its pool. */
  Stream<BindingView> beside(BindingView view) {
    return pool(view.key()).map(byPool::get).stream()
        .flatMap(Set::stream)
        .filter(key -> !key.equals(view.key()))
        .flatMap(key -> Stream.ofNullable(bindings.get(key)));
  }

  /** Whether it shows a pool of the cloud provider, as the controller has made it. */
  boolean mirrors(BindingView view) {
    Mirror mirror = mirrors.get(view.key());
    return mirror != null && mirror.is(view);
  }

  /** Whether it has a say in what its pool holds, or when. */
  boolean binds(BindingView view) {
    boolean deleted = view.admission().deleted();
    boolean says =
        switch (outcome(view)) {
          case Follows follows -> view.finalizer() && (deleted || view.admission().active());
          case Mirrors mirrors -> !deleted && mirrors(view);
          case Refused refused -> false;
        };
    return says && leadsSince.isPresent();
  }
}
