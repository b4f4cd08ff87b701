package io.poolkeeper.admission;

import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which pool a binding names, and whether the binding is followed: only the pool's owner is.
 *
 * <p>A binding that is being deleted cleans up if it owns its pool. Nothing is read of a pool that
 * the cloud provider manages, or of one in another subscription, or in a resource group that is
 * neither configured nor in a pattern: a tenant who may create bindings may name any pool.
 *
 * @param subscription of a binding that names none
 * @param resourceGroup of a binding that names none
 * @param managed whether the cloud provider manages the load balancer of that name
 */
public record Resolution(
    String subscription, String resourceGroup, AllowedPools allowed, Predicate<String> managed) {
  public sealed interface Outcome {}

  /** The binding owns its pool, and is followed while it is active. */
  public record Follows(PoolId pool, BindingTarget target) implements Outcome {}

  /**
   * The binding owns its pool and is being deleted: entries of the mark are removed.
   *
   * @param allowed whether a pattern allows the pool to its namespace; else it may be a forgery
   */
  public record Leaves(PoolId pool, boolean allowed) implements Outcome {}

  /**
   * The binding is not followed.
   *
   * @param reason of its condition {@code Ready}, one word
   * @param message for people
   */
  public record Refused(String reason, String message) implements Outcome {}

  /** The pool that the binding names, allowed or not. */
  Optional<PoolId> pool(BindingView binding) {
    return binding.pool().map(this::pool);
  }

  PoolId pool(PoolReference named) {
    return named.in(subscription, resourceGroup);
  }

  private boolean managed(PoolId pool) {
    return managed.test(pool.loadBalancer().name());
  }

  /** The claims of a pool that no binding names; a pool of the cloud provider allows none. */
  Claims unclaimed(PoolId pool) {
    return Claims.by(managed(pool) ? Set.of() : allowed.namespaces(pool));
  }

  /** The outcome of a binding; the claims are those of the pool that it names. */
  Outcome outcome(BindingView binding, Optional<Claims> claims) {
    if (claims.isEmpty()) {
      return invalid(binding);
    }
    PoolId pool = pool(binding).orElseThrow();
    Optional<String> unreadable = whyUnreadable(pool);
    if (unreadable.isPresent()) {
      return new Refused("NotAllowed", unreadable.get());
    }
    if (managed(pool)) {
      return new Refused(
          "ManagedByCloudProvider",
          "the cloud provider manages the load balancer %s and writes its pools"
              .formatted(pool.loadBalancer()));
    }
    BindingKey owner = claims.get().owner().map(BindingView::key).orElse(binding.key());
    boolean allows = claims.get().allows(binding.key().namespace());
    if (binding.ends() && owner.equals(binding.key())) {
      return new Leaves(pool, allows);
    }
    if (!allows) {
      return notAllowed(binding.key().namespace(), pool, claims.get());
    }
    if (!owner.equals(binding.key())) {
      // String.format is too slow here: another owner has this written for all others of the pool.
      return new Refused(
          "Taken", "the binding " + owner + ", which is older, owns the pool " + pool);
    }
    return binding
        .target()
        .<Outcome>map(target -> new Follows(pool, target))
        .orElseGet(() -> invalid(binding));
  }

  /** Why nothing is read of the pool, by any binding; empty if it may be read. */
  Optional<String> whyUnreadable(PoolId pool) {
    LoadBalancerId loadBalancer = pool.loadBalancer();
    if (!Names.fold(loadBalancer.subscription()).equals(Names.fold(subscription))) {
      return Optional.of(
          "the pool is in the subscription %s, and poolkeeper.azure.subscription-id is %s"
              .formatted(loadBalancer.subscription(), subscription));
    }
    String group = loadBalancer.group();
    return group.equals(Names.fold(resourceGroup)) || allowed.groups().contains(group)
        ? Optional.empty()
        : Optional.of(
            "the pool is in the resource group %s, which is not that of the cluster's load balancers, %s, and in no pattern of poolkeeper.admission.allowed-pools"
                .formatted(loadBalancer.resourceGroup(), resourceGroup));
  }

  private static Refused invalid(BindingView binding) {
    return new Refused("Invalid", String.join("; ", binding.problems()));
  }

  private static Refused notAllowed(String namespace, PoolId pool, Claims claims) {
    String why =
        claims.namespaces().contains(namespace)
            ? "gives the pool %s to several namespaces, %s: it must be one"
                .formatted(pool.path(), claims.namespaces().stream().sorted().toList())
            : "allows the namespace %s no pool %s".formatted(namespace, pool.path());
    return new Refused("NotAllowed", "poolkeeper.admission.allowed-pools " + why);
  }
}
