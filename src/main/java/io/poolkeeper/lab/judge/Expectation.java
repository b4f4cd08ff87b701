package io.poolkeeper.lab.judge;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The expected members of a Service's pools, as the cloud provider defines them: the first
 * InternalIP of every node that any of its EndpointSlices names, without nodes that are excluded
 * from load balancers.
 */
record Expectation(Map<String, Node> nodes, List<EndpointSlice> slices) {
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

  private static boolean keptOut(Node node) {
    Map<String, String> labels =
        Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
    boolean doomed =
        node.getSpec() != null
            && node.getSpec().getTaints().stream()
                .anyMatch(taint -> "ToBeDeletedByClusterAutoscaler".equals(taint.getKey()));
    return doomed
        || node.getMetadata().getDeletionTimestamp() != null
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
