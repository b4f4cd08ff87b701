package io.poolkeeper.admission;

import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which pool each binding names, or why it may not. Several bindings of one pool are a union; an
 * exclusive one beside any other contradicts it, and then none of them is followed.
 *
 * <p>A binding that is being deleted cleans up whatever it contradicts. It does not reach a pool
 * that it may not name: a status that somebody forged would else remove what is not ours.
 *
 * @param subscription where a binding names none
 * @param resourceGroup where a binding names none
 * @param mirrored whether pools of the cloud provider are shown as bindings
 * @param managed whether the cloud provider manages the load balancer of that name
 */
public record Resolution(
    String subscription,
    String resourceGroup,
    AllowedPools allowed,
    Predicate<String> managed,
    boolean mirrored) {
  /** What a binding comes to. */
  public sealed interface Outcome {}

  /** It is followed. */
  public record Follows(PoolId pool, BindingTarget target) implements Outcome {}

  /** It shows a pool that the cloud provider has made. */
  public record Mirrors(PoolId pool) implements Outcome {}

  /**
   * It is not.
   *
   * @param reason of its condition {@code Ready}, one word
   * @param message for people
   */
  public record Refused(String reason, String message) implements Outcome {}

  /** The pool that is named, whether or not that is allowed. */
  PoolId pool(BindingTarget target) {
    return target.pool().in(subscription, resourceGroup);
  }

  /** Whether the pool is shown as a binding. */
  boolean mirrors(PoolId pool) {
    return mirrored && managed.test(pool.loadBalancer().name());
  }

  /** All of them, in the order of their names. */
  public SortedMap<BindingKey, Outcome> of(Collection<BindingView> bindings) {
    SortedMap<BindingKey, Outcome> all = new TreeMap<>();
    Map<PoolId, List<BindingView>> byPool = new HashMap<>();
    for (BindingView binding : bindings) {
      Outcome outcome = alone(binding);
      all.put(binding.key(), outcome);
      if (outcome instanceof Follows follows) {
        byPool.computeIfAbsent(follows.pool(), pool -> new ArrayList<>()).add(binding);
      }
    }
    for (List<BindingView> ofPool : byPool.values()) {
      for (BindingView binding : ofPool) {
        Optional<String> why = contradiction(binding, ofPool);
        if (why.isPresent() && !binding.admission().deleted()) {
          all.put(binding.key(), new Refused("Contradiction", why.get()));
        }
      }
    }
    return all;
  }

  /** Whatever the other bindings are. */
  private Outcome alone(BindingView binding) {
    if (binding.target().isEmpty()) {
      return new Refused("Invalid", String.join("; ", binding.problems()));
    }
    BindingTarget target = binding.target().get();
    PoolId pool = pool(target);
    if (target.mirrored()) {
      return new Mirrors(pool);
    }
    if (!allowed.allows(binding.key().namespace(), pool)) {
      return new Refused(
          "NotAllowed",
          "poolkeeper.admission.allowed-pools allows the namespace %s no pool %s"
              .formatted(binding.key().namespace(), pool.path()));
    }
    if (managed.test(pool.loadBalancer().name())) {
      return new Refused(
          "ManagedByCloudProvider",
          "the cloud provider manages the load balancer %s and writes its pools"
              .formatted(pool.loadBalancer()));
    }
    return new Follows(pool, target);
  }

  private static Optional<String> contradiction(BindingView binding, List<BindingView> ofPool) {
    String others =
        ofPool.stream()
            .filter(other -> !other.key().equals(binding.key()))
            .filter(other -> exclusive(binding) || exclusive(other))
            .map(other -> other.key() + (exclusive(other) ? " (Exclusive)" : " (Shared)"))
            .sorted()
            .collect(Collectors.joining(", "));
    return Optional.of(others)
        .filter(names -> !names.isEmpty())
        .map(names -> "another binding names the same pool: " + names);
  }

  private static boolean exclusive(BindingView binding) {
    return binding.target().map(BindingTarget::exclusive).orElse(false);
  }
}
