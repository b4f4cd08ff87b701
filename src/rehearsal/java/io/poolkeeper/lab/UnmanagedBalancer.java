package io.poolkeeper.lab;

import io.poolkeeper.armsim.protocol.BalancerBody;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A load balancer that something else manages, in a resource group of its own: its pools are what
 * bindings name. Most of them hold addresses that nobody in the cluster has put there.
 */
public final class UnmanagedBalancer {
  public static final String GROUP = "lab-network";

  static final String LOAD_BALANCER = "terraform-lb";

  /** A namespace of a tenant that may name next to nothing. */
  public static final String RIVAL = Blueprint.NAMESPACE + "-rival";

  /** What the namespace may name, in another case than ARM's. */
  public static final String ALLOWED =
      "/subscriptions/"
          + Blueprint.SUBSCRIPTION
          + "/resourcegroups/LAB-Network/providers/microsoft.network/loadBalancers/terraform-*"
          + "/backendAddressPools/bound-*";

  /** A pool that is given to two namespaces. */
  static final String TWICE = "bound-twice";

  /** What the rival's namespace may name. */
  public static final String ALLOWED_TWICE = pool(TWICE).path();

  /** A pool that the pattern does not name. */
  static final String FORBIDDEN = "forbidden";

  /** A pool that checks hold, with entries of this cluster that an earlier binding has left. */
  static final String DELAYS = "bound-delays";

  /** The pool of a binding without checks. */
  static final String FREE = "bound-free";

  /** Pools that hold foreign addresses. */
  static final List<String> SHARED =
      List.of(
          "bound-flapping",
          "bound-rejected",
          "bound-left",
          "bound-renamed",
          "bound-heir",
          TWICE,
          FORBIDDEN);

  /** The first node that the pool of {@link #DELAYS} holds at the start. */
  static final int FIRST = 15;

  private static final int PORT = 8000;

  private UnmanagedBalancer() {}

  private static LoadBalancerId id() {
    return new LoadBalancerId(Blueprint.SUBSCRIPTION, GROUP, LOAD_BALANCER);
  }

  static PoolId pool(String name) {
    return id().pool(name);
  }

  static String path() {
    return id().path();
  }

  /** As its owner has made it, a rule for each pool; names of our entries end with the mark. */
  static BalancerBody loadBalancer(String mark) {
    Map<String, Map<String, String>> members = new TreeMap<>();
    Map<String, String> nodes = new TreeMap<>();
    for (int node : World.window(FIRST, 3)) {
      nodes.put(Blueprint.ipv4(node), Blueprint.nodeName(node) + mark);
    }
    members.put(DELAYS, nodes);
    members.put("bound-late", Map.of());
    members.put(FREE, Map.of());
    SHARED.forEach(name -> members.put(name, foreign()));
    BalancerBody body = BalancerBody.of(id());
    members.forEach(
        (name, of) -> {
          body.frontend(name);
          ArmSeed.addPool(body, name, of);
          body.rule(name, name, name, PORT);
        });
    return body;
  }

  /** A machine outside, an entry of another cluster, and a node that was put there by hand. */
  private static Map<String, String> foreign() {
    return Map.of(
        "10.240.0.200",
        "vm-1",
        "10.240.0.201",
        "lab-node-01.pk-0123456789abcdef",
        Blueprint.ipv4(6),
        Blueprint.nodeName(6));
  }
}
