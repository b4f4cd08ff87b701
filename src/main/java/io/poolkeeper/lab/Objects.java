package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeAddressBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.poolkeeper.lab.Blueprint.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The Kubernetes objects of the lab, as a cluster would have them. */
final class Objects {
  private static final String INTERNAL_ANNOTATION =
      "service.beta.kubernetes.io/azure-load-balancer-internal";

  private Objects() {}

  static Node node(String name, List<String> internalIps) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels(Blueprint.LAB_LABEL, "true")
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .withNewStatus()
        .withAddresses(addresses(name, internalIps))
        .endStatus()
        .build();
  }

  static List<NodeAddress> addresses(String name, List<String> internalIps) {
    List<NodeAddress> all = new ArrayList<>();
    internalIps.forEach(ip -> all.add(address("InternalIP", ip)));
    all.add(address("Hostname", name));
    return all;
  }

  private static NodeAddress address(String type, String value) {
    return new NodeAddressBuilder().withType(type).withAddress(value).build();
  }

  static Service service(Spec spec, boolean dualStack) {
    List<String> families = dualStack ? List.of("IPv4", "IPv6") : List.of("IPv4");
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace(Blueprint.NAMESPACE)
        .withName(spec.name())
        .addToAnnotations(INTERNAL_ANNOTATION, Boolean.toString(spec.internal()))
        .endMetadata()
        .withNewSpec()
        .withType("LoadBalancer")
        .withExternalTrafficPolicy("Local")
        .withIpFamilyPolicy(dualStack ? "RequireDualStack" : "SingleStack")
        .withIpFamilies(families)
        .addToSelector("app", spec.name())
        .addNewPort()
        .withName("http")
        .withProtocol("TCP")
        .withPort(80)
        .endPort()
        .endSpec()
        .build();
  }

  static EndpointSlice slice(Spec spec, String name, boolean ipv6, Set<Integer> nodes) {
    return new EndpointSliceBuilder()
        .withNewMetadata()
        .withNamespace(Blueprint.NAMESPACE)
        .withName(name)
        .addToLabels("kubernetes.io/service-name", spec.name())
        .endMetadata()
        .withAddressType(ipv6 ? "IPv6" : "IPv4")
        .withEndpoints(new TreeSet<>(nodes).stream().map(node -> endpoint(node, ipv6)).toList())
        .addNewPort()
        .withName("http")
        .withProtocol("TCP")
        .withPort(8080)
        .endPort()
        .build();
  }

  private static Endpoint endpoint(int node, boolean ipv6) {
    return new EndpointBuilder()
        .withAddresses(
            ipv6 ? "fd00:244::" + Integer.toHexString(node + 1) : "10.244.%d.9".formatted(node))
        .withNewConditions()
        .withReady(true)
        .endConditions()
        .withNodeName(Blueprint.nodeName(node))
        .build();
  }
}
