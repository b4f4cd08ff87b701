package io.poolkeeper.admission;

import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which pool a binding names, and whether it is followed there: only the one that owns the pool is.
 *
 * <p>A binding that is being deleted cleans up if it owns its pool. It does not reach into a pool
 * that the cloud provider manages.
 *
 * @param subscription where a binding names none
 * @param resourceGroup where a binding names none
 * @param managed whether the cloud provider manages the load balancer of that name
 */
public record Resolution(
    String subscription, String resourceGroup, AllowedPools allowed, Predicate<String> managed) {
  public sealed interface Outcome {}

  /** It owns its pool, and is followed there while it is active. */
  public record Follows(PoolId pool, BindingTarget target) implements Outcome {}

  /** It owns its pool and is being deleted: what carries the mark there goes. */
  public record Leaves(PoolId pool) implements Outcome {}

  /**
   * It is not followed.
   *
   * @param reason of its condition {@code Ready}, one word
   * @param message for people
   */
  public record Refused(String reason, String message) implements Outcome {}

  /** The pool that is named, whether or not that is allowed. */
  Optional<PoolId> pool(BindingView binding) {
    return binding.pool().map(this::pool);
  }

  PoolId pool(PoolReference named) {
    return named.in(subscription, resourceGroup);
  }

  private boolean managed(PoolId pool) {
    return managed.test(pool.loadBalancer().name());
  }

  /** No binding names the pool yet. None may name one that the cloud provider manages. */
  Claims unclaimed(PoolId pool) {
    return Claims.by(managed(pool) ? Set.of() : allowed.namespaces(pool));
  }

  /** What a binding comes to; the claims are those of the pool that it names. */
  Outcome of(BindingView binding, Optional<Claims> claims) {
    if (claims.isEmpty()) {
      return invalid(binding);
    }
    PoolId pool = pool(binding).orElseThrow();
    if (managed(pool)) {
      return new Refused(
          "ManagedByCloudProvider",
          "the cloud provider manages the load balancer %s and writes its pools"
              .formatted(pool.loadBalancer()));
    }
    BindingKey owner = claims.get().owner().map(BindingView::key).orElse(binding.key());
    if (binding.ends() && owner.equals(binding.key())) {
      return new Leaves(pool);
    }
    if (!claims.get().allows(binding.key().namespace())) {
      return notAllowed(binding.key().namespace(), pool, claims.get());
    }
    if (!owner.equals(binding.key())) {
      // No format: with another owner, this is written anew for all others of the pool.
      return new Refused(
          "Taken", "the binding " + owner + ", which is older, owns the pool " + pool);
    }
    return binding
        .target()
        .<Outcome>map(target -> new Follows(pool, target))
        .orElseGet(() -> invalid(binding));
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
