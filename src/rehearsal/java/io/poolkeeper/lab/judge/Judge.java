package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.armsim.model.PoolMember;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Compares the pools in ARM with the API server's objects. A pool belongs to a Service if a rule
 * whose name begins with the Service's name in Azure sends to it.
 *
 * @param loadBalancers the path of each
 */
public record Judge(KubernetesClient cluster, ArmHttp arm, List<String> loadBalancers) {
  /** What was found; pools with wrong members have a line each. */
  public record Verdict(List<String> members, AdminStates states) {
    public List<String> all() {
      return Stream.of(members, states.lines()).flatMap(List::stream).toList();
    }
  }

  public Verdict look() throws InterruptedException {
    Map<String, Service> byPrefix = new HashMap<>();
    for (Service service : cluster.services().inAnyNamespace().list().getItems()) {
      if (local(service)) {
        byPrefix.put(rulePrefix(service.getMetadata().getUid()), service);
      }
    }
    List<Node> nodes = cluster.nodes().list().getItems();
    Expectation expectation =
        Expectation.of(
            nodes, cluster.discovery().v1().endpointSlices().inAnyNamespace().list().getItems());
    List<String> differences = new ArrayList<>();
    List<JsonNode> pools = new ArrayList<>();
    for (String loadBalancer : loadBalancers) {
      compare(arm.get(loadBalancer), byPrefix, expectation, differences, pools);
    }
    return new Verdict(differences, AdminStates.of(nodes, pools));
  }

  private static boolean local(Service service) {
    return "LoadBalancer".equals(service.getSpec().getType())
        && "Local".equals(service.getSpec().getExternalTrafficPolicy());
  }

  /** The local Services whose rules are at a load balancer that nobody manages. */
  public List<String> poolless(String unmanaged) throws InterruptedException {
    String rules = arm.get(unmanaged).at("/properties/loadBalancingRules").toString();
    return cluster.services().inAnyNamespace().list().getItems().stream()
        .filter(Judge::local)
        .map(Service::getMetadata)
        .filter(meta -> rules.contains(rulePrefix(meta.getUid())))
        .map(meta -> meta.getNamespace() + "/" + meta.getName())
        .toList();
  }

  private static void compare(
      JsonNode loadBalancer,
      Map<String, Service> byPrefix,
      Expectation expectation,
      List<String> differences,
      List<JsonNode> pools) {
    for (JsonNode pool : loadBalancer.at("/properties/backendAddressPools")) {
      Map<String, String> expected = new TreeMap<>();
      boolean judged = false;
      for (JsonNode rule : pool.at("/properties/loadBalancingRules")) {
        String id = rule.path("id").asText();
        String name = id.substring(id.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        Service service = byPrefix.get(name.split("-", 2)[0]);
        if (service != null && expectation.known(service)) {
          judged = true;
          boolean ipv6 = pool.path("name").asText().toLowerCase(Locale.ROOT).endsWith("-ipv6");
          expected.putAll(expectation.members(service, ipv6));
        }
      }
      pools.add(pool);
      Map<String, String> entries = entries(pool);
      // The entry of a node that is to be deleted may stay.
      expected
          .entrySet()
          .removeIf(
              one -> expectation.doomed(one.getValue()) && !entries.containsKey(one.getKey()));
      if (judged && !entries.equals(expected)) {
        differences.add(
            "%s/%s holds %s, expected %s"
                .formatted(
                    loadBalancer.path("name").asText(),
                    pool.path("name").asText(),
                    entries,
                    expected));
      }
    }
  }

  /** Address to entry name. */
  private static Map<String, String> entries(JsonNode pool) {
    Map<String, String> entries = new TreeMap<>();
    PoolMember.of(pool).forEach(entry -> entries.put(entry.ip().orElse(""), entry.name()));
    return entries;
  }

  /** What the names of the rules of a Service with this uid begin with. */
  public static String rulePrefix(String uid) {
    String base = "a" + uid.replace("-", "");
    return base.substring(0, Math.min(32, base.length())).toLowerCase(Locale.ROOT);
  }

  /**
   * The expected members of a Service's pools, as the cloud provider defines them: the first
   * InternalIP of every node that any of its EndpointSlices names, without nodes that are excluded
   * from load balancers.
   */
  private record Expectation(Map<String, Node> nodes, List<EndpointSlice> slices) {
    private static final Set<String> KEEPING_OUT =
        Set.of(
            "node.kubernetes.io/exclude-from-external-load-balancers",
            "node-role.kubernetes.io/control-plane",
            "node-role.kubernetes.io/master");

    static Expectation of(List<Node> nodes, List<EndpointSlice> slices) {
      Map<String, Node> byName = new HashMap<>();
      nodes.forEach(node -> byName.put(node.getMetadata().getName(), node));
      return new Expectation(byName, slices);
    }

    /** Whether the Service has a slice; without one its pools are not checked. */
    boolean known(Service service) {
      return slices.stream().anyMatch(slice -> belongs(slice, service));
    }

    /** Address to node name. */
    Map<String, String> members(Service service, boolean ipv6) {
      Set<String> names = new TreeSet<>();
      for (EndpointSlice slice : slices) {
        if (belongs(slice, service)) {
          endpoints(slice).stream()
              .map(Endpoint::getNodeName)
              .filter(Objects::nonNull)
              .forEach(names::add);
        }
      }
      Map<String, String> members = new TreeMap<>();
      for (String name : names) {
        Node node = nodes.get(name);
        if (node != null && !keptOut(node)) {
          firstAddress(node, ipv6).ifPresent(address -> members.put(address, name));
        }
      }
      return members;
    }

    /** A real API server returns null for an empty list. */
    private static List<Endpoint> endpoints(EndpointSlice slice) {
      return Objects.requireNonNullElse(slice.getEndpoints(), List.of());
    }

    private static boolean belongs(EndpointSlice slice, Service service) {
      Map<String, String> labels = slice.getMetadata().getLabels();
      return slice.getMetadata().getNamespace().equals(service.getMetadata().getNamespace())
          && labels != null
          && service.getMetadata().getName().equals(labels.get("kubernetes.io/service-name"));
    }

    /** Whether the cluster autoscaler is about to delete the node. */
    boolean doomed(String name) {
      Node node = nodes.get(name);
      return node != null
          && node.getSpec() != null
          && node.getSpec().getTaints().stream()
              .anyMatch(taint -> "ToBeDeletedByClusterAutoscaler".equals(taint.getKey()));
    }

    private static boolean keptOut(Node node) {
      Map<String, String> labels =
          Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
      return node.getMetadata().getDeletionTimestamp() != null
          || labels.keySet().stream().anyMatch(KEEPING_OUT::contains)
          || "false".equalsIgnoreCase(labels.get("kubernetes.azure.com/managed"));
    }

    private static Optional<String> firstAddress(Node node, boolean ipv6) {
      return node.getStatus().getAddresses().stream()
          .filter(address -> "InternalIP".equals(address.getType()))
          .map(NodeAddress::getAddress)
          .filter(address -> address.contains(":") == ipv6)
          .findFirst();
    }
  }
}
