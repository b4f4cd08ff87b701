package io.poolkeeper.simulation;

import io.poolkeeper.model.PoolId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rule that nothing is put into a pool but addresses of nodes that slices of its Service have
 * named at any time, as far as one process has heard.
 */
final class WantedRules {
  private final SimCluster store;
  private final Map<String, Set<String>> nodesOfService = new HashMap<>();
  private final Map<String, Set<String>> nodesOfAddress = new HashMap<>();

  WantedRules(SimCluster store) {
    this.store = store;
    store.watch(this::heard);
  }

  private void heard(SimCluster.Kind kind, String name) {
    switch (kind) {
      case SLICE -> {
        SimCluster.Slice slice = store.slices.get(name);
        if (slice != null) {
          nodesOfService
              .computeIfAbsent(slice.service(), any -> new TreeSet<>())
              .addAll(slice.nodes());
        }
      }
      case NODE -> {
        SimCluster.Node node = store.nodes.get(name);
        if (node != null) {
          node.addresses()
              .forEach(a -> nodesOfAddress.computeIfAbsent(a, any -> new TreeSet<>()).add(name));
        }
      }
      case SERVICE, BINDING -> {}
    }
  }

  /** Those of the addresses that no Service can have wanted in the pool. */
  Set<String> unwanted(PoolId pool, Set<String> addresses) {
    Set<String> named = nodesOfService.getOrDefault(SimCluster.serviceOf(pool.name()), Set.of());
    Set<String> unwanted = new TreeSet<>(addresses);
    unwanted.removeIf(
        address ->
            nodesOfAddress.getOrDefault(address, Set.of()).stream().anyMatch(named::contains));
    return unwanted;
  }
}
