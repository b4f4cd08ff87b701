package io.poolkeeper.integration;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** The embedded API server and its objects. */
final class SimulatedCluster implements AutoCloseable {
  static final String NAMESPACE = "shop";

  private final EmbeddedCluster server = EmbeddedCluster.start(0);

  String kubeconfig() {
    return server.kubeconfigYaml();
  }

  KubernetesClient client() {
    return server.client();
  }

  /** Creates a local IPv4 Service and returns the prefix of its rules in Azure. */
  String service(String name) {
    return service(NAMESPACE, name, spec -> spec);
  }

  /** Creates a local Service with changes, and returns the prefix of its rules. */
  String service(String namespace, String name, UnaryOperator<ServiceBuilder> change) {
    ServiceBuilder service =
        new ServiceBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .withNewSpec()
            .withType("LoadBalancer")
            .withExternalTrafficPolicy("Local")
            .withIpFamilies("IPv4")
            .endSpec();
    Service made = client().resource(change.apply(service).build()).create();
    String base = "a" + made.getMetadata().getUid().replace("-", "");
    return base.substring(0, 32);
  }

  static ServiceBuilder families(ServiceBuilder service, String... families) {
    return service.editSpec().withIpFamilies(families).endSpec();
  }

  /** Changes a Service that exists. */
  void edit(String service, UnaryOperator<ServiceBuilder> change) {
    client()
        .services()
        .inNamespace(NAMESPACE)
        .withName(service)
        .edit(now -> change.apply(new ServiceBuilder(now)).build());
  }

  /** Makes an irrelevant change to a Service. */
  void touch(String service) {
    edit(
        service,
        now ->
            now.editMetadata()
                .addToAnnotations("touched-at", now.buildMetadata().getResourceVersion())
                .endMetadata());
  }

  /** Makes the Service's one slice name exactly these nodes. */
  void endpoints(String service, String... nodes) {
    slice(NAMESPACE, service + "-1", service, nodes);
  }

  /** Makes a slice of a Service name exactly these nodes. */
  void slice(String namespace, String name, String service, String... nodes) {
    put(labelled(sliceOf(namespace, name, nodes), service));
  }

  void deleteSlice(String name) {
    client().discovery().v1().endpointSlices().inNamespace(NAMESPACE).withName(name).delete();
  }

  /** A slice that belongs to no Service. */
  static EndpointSlice sliceOf(String namespace, String name, String... nodes) {
    return new EndpointSliceBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withAddressType("IPv4")
        .withEndpoints(Arrays.stream(nodes).map(SimulatedCluster::endpoint).toList())
        .build();
  }

  private static EndpointSlice labelled(EndpointSlice slice, String service) {
    return new EndpointSliceBuilder(slice)
        .editMetadata()
        .addToLabels("kubernetes.io/service-name", service)
        .endMetadata()
        .build();
  }

  private static Endpoint endpoint(String node) {
    Endpoint endpoint = new Endpoint();
    endpoint.setAddresses(List.of("10.244.0.9"));
    endpoint.setNodeName(node);
    return endpoint;
  }

  /** Makes a Node with these InternalIPs. */
  void node(String name, String... addresses) {
    put(
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .withNewStatus()
            .withAddresses(
                Arrays.stream(addresses)
                    .map(address -> new NodeAddress(address, "InternalIP"))
                    .toList())
            .endStatus()
            .build());
  }

  /** Changes a Node that exists. */
  void editNode(String name, UnaryOperator<NodeBuilder> change) {
    Node now = client().nodes().withName(name).get();
    put(change.apply(new NodeBuilder(now)).build());
  }

  /** The taint with which people say that a Node is gone. */
  void outOfService(String name) {
    editNode(
        name,
        node ->
            node.editSpec()
                .withTaints(new Taint("NoExecute", "node.kubernetes.io/out-of-service", null, "x"))
                .endSpec());
  }

  /** Creates or replaces an object, status included. */
  void put(HasMetadata object) {
    object.getMetadata().setResourceVersion(null);
    client().resource(object).createOr(NonDeletingOperation::update);
  }

  /** The events about a Service, in no order. */
  List<Event> events(String service) {
    return client().v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(service))
        .toList();
  }

  @Override
  public void close() {
    server.close();
  }
}
