package io.poolkeeper.lab.scenario;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A load balancer that something else manages, in a resource group of its own: its pools are what
 * bindings name. Most of them hold addresses that nobody in the cluster has put there.
 */
public final class BoundPools {
  /** The resource group. */
  public static final String GROUP = "lab-network";

  private static final String LOAD_BALANCER = "terraform-lb";

  /** What the namespace may name, in another case than ARM's. */
  public static final String ALLOWED =
      "/subscriptions/"
          + Blueprint.SUBSCRIPTION
          + "/resourcegroups/LAB-Network/providers/microsoft.network/loadBalancers/terraform-*"
          + "/backendAddressPools/bound-*";

  /** A pool that the pattern does not name. */
  static final String FORBIDDEN = "forbidden";

  /** Held by its checks, with members that only a change of its binding removes. */
  static final String DELAYS = "bound-delays";

  static final String LATE = "bound-late";

  /** Pools that hold foreign addresses. */
  static final List<String> SHARED =
      List.of(
          "bound-flapping",
          "bound-rejected",
          "bound-left",
          "bound-renamed",
          "bound-pair",
          "bound-contra",
          FORBIDDEN);

  /** The first node that the pool of {@link #DELAYS} holds at the start. */
  static final int FIRST = 15;

  private static final int PORT = 8000;

  private BoundPools() {}

  static PoolId pool(String name) {
    return new LoadBalancerId(Blueprint.SUBSCRIPTION, GROUP, LOAD_BALANCER).pool(name);
  }

  /** The ARM URL of the load balancer. */
  public static URI url(URI endpoint) {
    return ArmSeed.url(endpoint, path());
  }

  static String group() {
    return "/subscriptions/" + Blueprint.SUBSCRIPTION + "/resourceGroups/" + GROUP;
  }

  static String path() {
    return group() + "/providers/Microsoft.Network/loadBalancers/" + LOAD_BALANCER;
  }

  /** The load balancer as its owner has made it: a rule for each pool. */
  static Map<String, ?> loadBalancer() {
    Map<String, Map<String, String>> members = new TreeMap<>();
    Map<String, String> nodes = new TreeMap<>();
    for (int node : World.window(FIRST, 3)) {
      nodes.put(Blueprint.ipv4(node), Blueprint.nodeName(node));
    }
    members.put(DELAYS, nodes);
    members.put(LATE, Map.of());
    SHARED.forEach(name -> members.put(name, foreign()));
    List<Map<String, ?>> frontends = new ArrayList<>();
    List<Map<String, ?>> pools = new ArrayList<>();
    List<Map<String, ?>> rules = new ArrayList<>();
    members.forEach(
        (name, of) -> {
          frontends.add(ArmSeed.named(name, Map.of("privateIPAllocationMethod", "Dynamic")));
          pools.add(ArmSeed.pool(name, of));
          rules.add(ArmSeed.rule(name, path(), name, name, PORT));
        });
    return ArmSeed.loadBalancer(frontends, pools, rules, List.of());
  }

  /** Machines outside the cluster, and a node that was put there by hand. */
  private static Map<String, String> foreign() {
    return Map.of(
        "10.240.0.200", "vm-1", "10.240.0.201", "vm-2", Blueprint.ipv4(6), Blueprint.nodeName(6));
  }
}
