package io.poolkeeper.uninstall;

import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What there is to do.
 *
 * @param nodes whose entries are whose
 * @param unread the resource groups that cannot be listed, folded, and why
 */
public record Plan(
    ClusterTraces cluster, ClusterNodes nodes, List<PoolTraces> pools, Map<String, String> unread) {
  public Plan {
    pools = List.copyOf(pools);
    unread = new TreeMap<>(unread);
  }

  /** One line for each entry of a pool, each object, and each group that was not looked at. */
  public List<String> lines() {
    return Stream.of(
            pools.stream().flatMap(pool -> pool.lines().stream()),
            cluster.traces().stream().map(ObjectTrace::line),
            unread.entrySet().stream()
                .map(
                    group ->
                        "Resource group %s: cannot be listed: %s"
                            .formatted(group.getKey(), group.getValue())))
        .flatMap(lines -> lines)
        .toList();
  }

  /** Whether the pool's resource group was listed. */
  boolean saw(PoolId pool) {
    return !unread.containsKey(pool.loadBalancer().group());
  }
}
