package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import java.util.Arrays;

/** Minimal objects that a real API server accepts. */
final class Samples {
  private Samples() {}

  static Service localService(String name) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withType("LoadBalancer")
        .withExternalTrafficPolicy("Local")
        .addToIpFamilies("IPv4")
        .addNewPort()
        .withPort(80)
        .endPort()
        .endSpec()
        .build();
  }

  static EndpointSlice slice(String name, String service, String... nodes) {
    return new EndpointSliceBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .addToLabels("kubernetes.io/service-name", service)
        .endMetadata()
        .withAddressType("IPv4")
        .withEndpoints(
            Arrays.stream(nodes)
                .map(
                    node ->
                        new EndpointBuilder()
                            .withAddresses("10.1.0." + (1 + Arrays.asList(nodes).indexOf(node)))
                            .withNodeName(node)
                            .build())
                .toList())
        .build();
  }

  static Node node(String name, String internalIp) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewStatus()
        .addNewAddress()
        .withType("InternalIP")
        .withAddress(internalIp)
        .endAddress()
        .endStatus()
        .build();
  }

  /** As the node-problem-detector says it, an older one, of a time that it has repeated it. */
  static Event preemptEvent(String name, String node) {
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .withNewInvolvedObject()
        .withApiVersion("v1")
        .withKind("Node")
        .withName(node)
        .withUid(node)
        .endInvolvedObject()
        .withNewSource()
        .withComponent("custom-scheduledevents-consolidated-preempt-plugin-monitor")
        .withHost(node)
        .endSource()
        .withReason("PreemptScheduled")
        .withMessage("Preempt Scheduled: soon.")
        .withType("Warning")
        .withFirstTimestamp("2026-01-01T00:00:20Z")
        .withLastTimestamp("2026-01-01T00:00:40Z")
        .withCount(8)
        .build();
  }

  /** An event about a Service of the default namespace. */
  static Event event(String name, String service, String component, String reason) {
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .withNewInvolvedObject()
        .withKind("Service")
        .withNamespace("default")
        .withName(service)
        .endInvolvedObject()
        .withNewSource()
        .withComponent(component)
        .endSource()
        .withReason(reason)
        .withType("Normal")
        .withCount(1)
        .build();
  }
}
