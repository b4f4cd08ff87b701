package io.poolkeeper.service;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The names that the cloud provider gives to its pools and rules, so that both programs mean the
 * same pool. All are compared ignoring case.
 */
public final class PoolNames {
  private static final String INTERNAL = "-internal";
  private static final int BASE_LENGTH = 32;

  private final String cluster;
  private final Set<String> managed;

  private PoolNames(String cluster, Set<String> managed) {
    this.cluster = cluster;
    this.managed = managed;
  }

  /**
   * The names that follow from the configuration.
   *
   * @param loadBalancers those to manage, without {@code -internal}; none: the cluster's own
   */
  public static PoolNames of(String clusterName, Collection<String> loadBalancers) {
    String cluster = Names.fold(clusterName);
    Set<String> named = loadBalancers.stream().map(Names::fold).collect(Collectors.toSet());
    return new PoolNames(cluster, named.isEmpty() ? Set.of(cluster) : named);
  }

  /** Whether Poolkeeper manages the load balancer of that name. */
  public boolean manages(String loadBalancer) {
    return managed.contains(external(loadBalancer));
  }

  /** Whether several are named: only then local Services have pools of their own. */
  boolean several() {
    return managed.size() > 1;
  }

  /** Whether the cloud provider manages the load balancer; the cluster's own always. */
  public boolean isProviders(String loadBalancer) {
    return manages(loadBalancer) || external(loadBalancer).equals(cluster);
  }

  private static String external(String loadBalancer) {
    String folded = Names.fold(loadBalancer);
    return isInternal(loadBalancer)
        ? folded.substring(0, folded.length() - INTERNAL.length())
        : folded;
  }

  static boolean isInternal(String loadBalancer) {
    return Names.fold(loadBalancer).endsWith(INTERNAL);
  }

  /** Whether the pool is one of the cluster's own. No local Service owns such a pool. */
  boolean isClusterPool(String pool) {
    String folded = Names.fold(pool);
    return folded.equals(cluster) || folded.equals(cluster + "-ipv6");
  }

  /** The name of a local Service's pool for one family, in folded form. */
  public static String pool(ServiceKey service, IpFamily family) {
    String name = Names.fold(service.namespace() + "-" + service.name());
    return switch (family) {
      case IPV4 -> name;
      case IPV6 -> name + "-ipv6";
    };
  }

  /** The prefix of the names of a Service's rules, in folded form. */
  static String prefix(ServiceView service) {
    return prefix(rulePrefix(service.uid()));
  }

  /** The prefix in a rule's name, in folded form: up to the first dash. */
  static String prefix(String rule) {
    int dash = rule.indexOf('-');
    return Names.fold(dash < 0 ? rule : rule.substring(0, dash));
  }

  /** The prefix of a Service's rules: an {@code a} and its UID without dashes, 32 characters. */
  static String rulePrefix(String uid) {
    String base = "a" + uid.replace("-", "");
    return base.length() > BASE_LENGTH ? base.substring(0, BASE_LENGTH) : base;
  }
}
