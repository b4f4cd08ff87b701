package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.EventSource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.poolkeeper.lab.Blueprint.Spec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The Kubernetes objects of the lab, as a cluster would have them. */
final class Objects {
  private Objects() {}

  static Node node(String name, List<String> internalIps) {
    String text =
        """
        metadata:
          name: %s
          labels: {%s: "true"}
        spec: {}
        status: {}
        """
            .formatted(name, Blueprint.LAB_LABEL);
    Node node = Serialization.unmarshal(text, Node.class);
    node.getMetadata().setAnnotations(Words.ANNOTATIONS);
    node.getStatus().setAddresses(addresses(name, internalIps));
    return node;
  }

  static List<NodeAddress> addresses(String name, List<String> internalIps) {
    List<NodeAddress> all = new ArrayList<>();
    internalIps.forEach(ip -> all.add(new NodeAddress(ip, "InternalIP")));
    all.add(new NodeAddress(name, "Hostname"));
    return all;
  }

  static Service service(Spec spec, boolean dualStack) {
    String text =
        """
        metadata:
          namespace: %s
          name: %s
          annotations: {service.beta.kubernetes.io/azure-load-balancer-internal: "%s"}
        spec:
          type: LoadBalancer
          externalTrafficPolicy: Local
          ipFamilyPolicy: %s
          ipFamilies: [%s]
          selector: {app: %s}
          ports: [{name: http, protocol: TCP, port: 80}]
        """
            .formatted(
                Blueprint.NAMESPACE,
                spec.name(),
                spec.internal(),
                dualStack ? "RequireDualStack" : "SingleStack",
                dualStack ? "IPv4, IPv6" : "IPv4",
                spec.name());
    Service service = Serialization.unmarshal(text, Service.class);
    service.getMetadata().getAnnotations().putAll(Words.ANNOTATIONS);
    return service;
  }

  static EndpointSlice slice(Spec spec, String name, boolean ipv6, Set<Integer> nodes) {
    String text =
        """
        metadata:
          namespace: %s
          name: %s
          labels: {kubernetes.io/service-name: %s}
        addressType: %s
        endpoints: [%s]
        ports: [{name: http, protocol: TCP, port: 8080}]
        """
            .formatted(
                Blueprint.NAMESPACE,
                name,
                spec.name(),
                ipv6 ? "IPv6" : "IPv4",
                new TreeSet<>(nodes)
                    .stream().map(node -> endpoint(node, ipv6)).collect(Collectors.joining(", ")));
    EndpointSlice slice = Serialization.unmarshal(text, EndpointSlice.class);
    slice.getMetadata().setAnnotations(Words.ANNOTATIONS);
    return slice;
  }

  private static String endpoint(int node, boolean ipv6) {
    String address =
        ipv6 ? "fd00:244::" + Integer.toHexString(node + 1) : "10.244.%d.9".formatted(node);
    return "{addresses: [\"%s\"], conditions: {ready: true}, nodeName: %s}"
        .formatted(address, Blueprint.nodeName(node));
  }

  /** What a component says of an object for the first time. */
  static Event event(
      ObjectReference about,
      EventSource from,
      String type,
      String reason,
      String message,
      Instant when) {
    return new EventBuilder()
        .withNewMetadata()
        .withGenerateName(about.getName() + ".")
        .withNamespace(about.getNamespace() == null ? "default" : about.getNamespace())
        .endMetadata()
        .withInvolvedObject(about)
        .withSource(from)
        .withReportingComponent(from.getComponent())
        .withType(type)
        .withReason(reason)
        .withMessage(message)
        .withFirstTimestamp(when.toString())
        .withLastTimestamp(when.toString())
        .withCount(1)
        .build();
  }
}
