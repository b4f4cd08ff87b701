package io.poolkeeper.arm;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The load balancers of one listing.
 *
 * @param loadBalancers those of the configured resource group
 * @param elsewhere those of the other groups that were requested
 * @param groups the groups that were listed, names folded; one that does not exist is listed, and
 *     empty
 * @param unread the groups that could not be listed
 * @param failure present if the configured group could not be listed; then nothing is known of it
 */
public record Listing(
    List<LoadBalancerView> loadBalancers,
    List<LoadBalancerView> elsewhere,
    Set<String> groups,
    Map<String, ArmFailure> unread,
    Optional<ArmFailure> failure) {
  public Listing {
    loadBalancers = List.copyOf(loadBalancers);
    elsewhere = List.copyOf(elsewhere);
    groups = Set.copyOf(groups);
    unread = Map.copyOf(unread);
  }

  /** A listing of the configured group alone. */
  public static Listing of(String group, List<LoadBalancerView> loadBalancers) {
    return new Listing(
        loadBalancers, List.of(), Set.of(Names.fold(group)), Map.of(), Optional.empty());
  }

  /** Whether the listing would show the pool if it existed. */
  public boolean covers(PoolId pool) {
    return groups.contains(pool.loadBalancer().group());
  }

  /** Why the pool's group could not be listed. */
  public Optional<ArmFailure> unread(PoolId pool) {
    return Optional.ofNullable(unread.get(pool.loadBalancer().group()));
  }
}
