package io.poolkeeper.lab;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.List;

/**
 * The lab's cluster: 20 nodes, three load balancers of which one is internal, and 12 local Services
 * of which two are dual-stack and three have several EndpointSlices.
 */
public final class Blueprint {
  public static final String CLUSTER = "kubernetes";
  public static final String SUBSCRIPTION = "00000000-0000-0000-0000-000000000001";
  public static final String RESOURCE_GROUP = "lab";
  public static final String NAMESPACE = "poolkeeper-lab";
  public static final int NODES = 20;

  private static final String NODE_NAMES = "lab-node-";

  /** The label of every Node that a lab created. */
  public static final String LAB_LABEL = "poolkeeper.io/lab";

  /** The load balancers' names in the configuration, without {@code -internal}. */
  public static final List<String> CONFIGURED = List.of(CLUSTER, "LB-2");

  /** The pool of all nodes that the cloud provider keeps for Services that are not local. */
  public static final String CLUSTER_POOL = "kubernetes";

  /** The pool of all nodes that an outbound rule uses, as AKS makes it. */
  public static final String OUTBOUND_POOL = "aksOutboundBackendPool";

  public static final String INTERNAL = "LB-2-internal";

  /** A load balancer of the group that the configuration does not name. */
  static final String ELSEWHERE = "elsewhere";

  /** A Service that the cloud provider has put there. */
  static final Spec STRAY = new Spec("stray", ELSEWHERE, false, 1);

  /** ARM keeps the case of the first write of a name; nothing may depend on it. */
  public static final List<String> LOAD_BALANCERS = List.of(CLUSTER, "LB-2", INTERNAL);

  public static final List<Spec> SERVICES =
      List.of(
          new Spec("web", CLUSTER, false, 1),
          new Spec("api", CLUSTER, true, 1),
          new Spec("cart", CLUSTER, false, 3),
          new Spec("search", CLUSTER, false, 1),
          new Spec("media", CLUSTER, false, 1),
          new Spec("login", "LB-2", true, 1),
          new Spec("chat", "LB-2", false, 2),
          new Spec("feed", "LB-2", false, 1),
          new Spec("push", "LB-2", false, 1),
          new Spec("billing", INTERNAL, false, 2),
          new Spec("reports", INTERNAL, false, 1),
          new Spec("audit", INTERNAL, false, 1));

  /** The 50 Services of a bigger cluster. */
  public static final List<Spec> MANY = many();

  private static final int HOW_MANY = 50;

  private Blueprint() {}

  private static List<Spec> many() {
    List<Spec> all = new ArrayList<>(SERVICES);
    while (all.size() < HOW_MANY) {
      int number = all.size() + 1;
      String loadBalancer = LOAD_BALANCERS.get(number % LOAD_BALANCERS.size());
      all.add(new Spec("shop-%02d".formatted(number), loadBalancer, false, 1));
    }
    return List.copyOf(all);
  }

  static LoadBalancerId id(String loadBalancer) {
    return new LoadBalancerId(SUBSCRIPTION, RESOURCE_GROUP, loadBalancer);
  }

  public static List<String> paths() {
    return LOAD_BALANCERS.stream().map(name -> id(name).path()).toList();
  }

  public record Spec(String name, String loadBalancer, boolean dualStack, int slices) {
    public boolean internal() {
      return loadBalancer.equals(INTERNAL);
    }

    /** The name of its pool of a family, as the cloud provider gives it. */
    public String pool(boolean ipv6) {
      return NAMESPACE + "-" + name + (ipv6 ? "-ipv6" : "");
    }

    PoolId id(boolean ipv6) {
      return Blueprint.id(loadBalancer).pool(pool(ipv6));
    }
  }

  public static String nodeName(int number) {
    return NODE_NAMES + "%02d".formatted(number);
  }

  public static boolean isNode(String name) {
    return name.startsWith(NODE_NAMES);
  }

  public static String ipv4(int number) {
    return "10.240.0." + (number + 4);
  }

  public static String ipv6(int number) {
    return "fd00:10:240::" + Integer.toHexString(number + 4);
  }

  public static Spec named(String name) {
    return SERVICES.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }
}
