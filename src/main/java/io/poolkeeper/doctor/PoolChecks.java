package io.poolkeeper.doctor;

import io.poolkeeper.arm.AzureFacts.Balancer;
import io.poolkeeper.arm.AzureFacts.Pool;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.Names;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The findings about the pools of managed load balancers. */
record PoolChecks(Settings settings, List<Balancer> managed) {
  private static final String KINDS = "azure: pool kinds";
  private static final String NETWORK = "azure: vnet";

  /** The most pools that a finding names. */
  private static final int NAMED = 5;

  List<Finding> findings() {
    Map<String, Pool> pools = new TreeMap<>();
    for (Balancer balancer : managed) {
      balancer.pools().forEach(pool -> pools.put(balancer.name() + "/" + pool.name(), pool));
    }
    if (pools.isEmpty()) {
      return List.of(
          Finding.notTested(KINDS, "no pool was seen"),
          Finding.notTested(NETWORK, "no pool was seen"));
    }
    Map<String, Pool> ofAddresses = new TreeMap<>(pools);
    ofAddresses.values().removeIf(pool -> pool.interfaces() > 0);
    return List.of(kinds(pools, ofAddresses.keySet()), network(ofAddresses));
  }

  private static Finding kinds(Map<String, Pool> pools, Set<String> ofAddresses) {
    Set<String> others = new TreeSet<>(pools.keySet());
    others.removeAll(ofAddresses);
    String left = "members left alone in pools of interfaces: " + names(others);
    if (ofAddresses.isEmpty()) {
      return Finding.warn(
          KINDS,
          left,
          "Only members of pools of addresses are kept. For such pools:\n"
              + "az aks update -g GROUP -n CLUSTER --load-balancer-backend-pool-type nodeIP");
    }
    String kept = "pools of addresses: " + ofAddresses.size();
    return Finding.ok(KINDS, others.isEmpty() ? kept : kept + "; " + left);
  }

  /** An address needs a virtual network, and a pool keeps the one that it has. */
  private Finding network(Map<String, Pool> pools) {
    Set<String> named = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    pools.values().forEach(pool -> named.addAll(pool.networks()));
    List<String> without = names(pools, pool -> pool.networks().isEmpty());
    String seen = named.isEmpty() ? "RESOURCE_ID" : named.iterator().next();
    String set = "poolkeeper.azure.vnet-id = \"%s\"".formatted(seen);
    if (settings.azure().vnetId().isEmpty()) {
      return without.isEmpty()
          ? Finding.ok(NETWORK, "not set; each pool names its own")
          : Finding.warn(NETWORK, "not set, and no address can be added to " + names(without), set);
    }
    String own = settings.azure().vnetId().get();
    List<String> differ =
        names(
            pools,
            pool ->
                pool.networks().stream().anyMatch(id -> !Names.fold(id).equals(Names.fold(own))));
    if (differ.isEmpty()) {
      return Finding.ok(NETWORK, own.substring(own.lastIndexOf('/') + 1));
    }
    named.remove(own);
    return Finding.fail(
        NETWORK,
        "azure.vnet-id is %s, but %s named by %s"
            .formatted(
                own, String.join(", ", named) + (named.size() > 1 ? " are" : " is"), names(differ)),
        "The pools' addresses are in the network of the nodes. If that is theirs:\n"
            + "poolkeeper.azure.vnet-id = \"%s\"".formatted(named.iterator().next()));
  }

  private static List<String> names(Map<String, Pool> pools, Predicate<Pool> which) {
    return pools.entrySet().stream()
        .filter(pool -> which.test(pool.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String names(Collection<String> pools) {
    String some = pools.stream().limit(NAMED).collect(Collectors.joining(", "));
    return pools.size() > NAMED ? "%s and %d more".formatted(some, pools.size() - NAMED) : some;
  }
}
