package io.poolkeeper.uninstall;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What an uninstall has to do, and what could not be read.
 *
 * @param nodes the node of each pool entry
 * @param listing the load balancers that could be read, and those that could not
 * @param unread the network interfaces of entries that are Down that could not be read
 */
public record Plan(
    ClusterTraces cluster,
    ClusterNodes nodes,
    List<PoolTraces> pools,
    Listing listing,
    Map<String, ArmFailure> unread) {
  public Plan {
    pools = List.copyOf(pools);
    unread = Map.copyOf(unread);
  }

  /** One line for each entry of a pool, each object, and all that was not looked at. */
  public List<String> lines() {
    return Stream.of(
            pools.stream().flatMap(pool -> pool.lines().stream()),
            cluster.traces().stream().map(ObjectTrace::line),
            unread("Resource group %s: cannot be listed: %s", listing.unread(), group -> group),
            unread(
                "Load balancer %s: cannot be read: %s", listing.unreadable(), LoadBalancerId::path),
            unread("Network interface %s: cannot be read: %s", unread, id -> id))
        .flatMap(lines -> lines)
        .toList();
  }

  private static <K> Stream<String> unread(
      String line, Map<K, ArmFailure> unread, Function<K, String> name) {
    return unread.entrySet().stream()
        .map(failure -> line.formatted(name.apply(failure.getKey()), failure.getValue()))
        .sorted();
  }

  /** Whether all could be read that shows what of ours is in the pool. */
  boolean saw(PoolId pool) {
    return listing.unread(pool).isEmpty()
        && listing
            .pools()
            .filter(view -> view.id().equals(pool))
            .flatMap(PoolTraces::interfaces)
            .noneMatch(unread::containsKey);
  }
}
