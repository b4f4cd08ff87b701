package io.poolkeeper.arm;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The load balancers of one listing.
 *
 * @param own the configured resource group, name folded
 * @param loadBalancers those of that group
 * @param elsewhere those of the other groups that were requested
 * @param groups the groups that were listed, names folded; one that does not exist is listed, and
 *     empty
 * @param unread the groups that could not be listed: nothing is known of them
 * @param unreadable the load balancers that are there, but cannot be read
 */
public record Listing(
    String own,
    List<LoadBalancerView> loadBalancers,
    List<LoadBalancerView> elsewhere,
    Set<String> groups,
    Map<String, ArmFailure> unread,
    Map<LoadBalancerId, ArmFailure> unreadable) {
  public Listing {
    loadBalancers = List.copyOf(loadBalancers);
    elsewhere = List.copyOf(elsewhere);
    groups = Set.copyOf(groups);
    unread = Map.copyOf(unread);
    unreadable = Map.copyOf(unreadable);
  }

  public Listing(
      String own,
      List<LoadBalancerView> loadBalancers,
      List<LoadBalancerView> elsewhere,
      Set<String> groups,
      Map<String, ArmFailure> unread) {
    this(own, loadBalancers, elsewhere, groups, unread, unreadable(loadBalancers, elsewhere));
  }

  private static Map<LoadBalancerId, ArmFailure> unreadable(
      List<LoadBalancerView> own, List<LoadBalancerView> elsewhere) {
    Map<LoadBalancerId, ArmFailure> failures = new HashMap<>();
    Stream.concat(own.stream(), elsewhere.stream())
        .forEach(view -> view.unreadable().ifPresent(failure -> failures.put(view.id(), failure)));
    return failures;
  }

  /** A listing of the configured group alone. */
  public static Listing of(String group, List<LoadBalancerView> loadBalancers) {
    String own = Names.fold(group);
    return new Listing(own, loadBalancers, List.of(), Set.of(own), Map.of());
  }

  /** The same load balancers, and these groups that could not be listed. */
  public Listing with(Map<String, ArmFailure> others) {
    return new Listing(own, loadBalancers, elsewhere, groups, others, unreadable);
  }

  /** Why the configured group could not be listed. */
  public Optional<ArmFailure> failure() {
    return Optional.ofNullable(unread.get(own));
  }

  public Stream<PoolView> pools() {
    return Stream.concat(loadBalancers.stream(), elsewhere.stream())
        .flatMap(loadBalancer -> loadBalancer.pools().stream());
  }

  /** Whether the listing would show the pool if it existed. */
  public boolean covers(PoolId pool) {
    LoadBalancerId loadBalancer = pool.loadBalancer();
    return groups.contains(loadBalancer.group()) && !unreadable.containsKey(loadBalancer);
  }

  /** Why the pool's load balancer could not be read, or its group not be listed. */
  public Optional<ArmFailure> unread(PoolId pool) {
    return Optional.ofNullable(unreadable.get(pool.loadBalancer()))
        .or(() -> Optional.ofNullable(unread.get(pool.loadBalancer().group())));
  }
}
