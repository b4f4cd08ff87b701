package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.config.Settings;
import io.poolkeeper.kube.binding.BindingTraces;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.node.HandledPreemptions;
import io.poolkeeper.uninstall.ClusterTraces;
import io.poolkeeper.uninstall.ObjectTrace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds and removes what the controller has left on Nodes, bindings and the shared Lease. */
public final class KubeTraces {
  private final KubernetesClient client;
  private final Settings.Lock lock;

  /** The client stays open. */
  public KubeTraces(KubernetesClient client, Settings.Lock lock) {
    this.client = client;
    this.lock = lock;
  }

  /**
   * Reads the traces.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses
   */
  public ClusterTraces read() {
    List<Node> nodes = client.nodes().list().getItems();
    List<ObjectTrace> traces = new ArrayList<>();
    nodes.stream().filter(KubeTraces::isAnnotated).map(this::nodeTrace).forEach(traces::add);
    traces.addAll(BindingTraces.read(client));
    leaseTrace().ifPresent(traces::add);
    String uid = client.namespaces().withName("kube-system").require().getMetadata().getUid();
    return new ClusterTraces(Mark.of(uid), nodes.stream().map(NodeViews::view).toList(), traces);
  }

  private static boolean isAnnotated(Node node) {
    Map<String, String> annotations = node.getMetadata().getAnnotations();
    return annotations != null && annotations.containsKey(HandledPreemptions.ANNOTATION);
  }

  /** The taint is ours if the annotation is there, as anybody may set the same taint. */
  private ObjectTrace nodeTrace(Node node) {
    String name = node.getMetadata().getName();
    boolean tainted = otherTaints(node).size() < taints(node).size();
    Resource<Node> resource = client.nodes().withName(name);
    return new ObjectTrace(
        "Node " + name,
        "annotation "
            + HandledPreemptions.ANNOTATION
            + (tainted ? ", taint " + OutOfService.DRAINING : ""),
        Optional.empty(),
        () -> MergePatch.change(resource, resource, KubeTraces::withoutTrace));
  }

  private static List<Taint> taints(Node node) {
    return Objects.requireNonNullElse(node.getSpec().getTaints(), List.of());
  }

  private static List<Taint> otherTaints(Node node) {
    return taints(node).stream()
        .filter(taint -> !OutOfService.DRAINING.equals(taint.getKey()))
        .toList();
  }

  private static Map<String, ?> withoutTrace(Node node) {
    Map<String, @Nullable String> annotations = new HashMap<>();
    annotations.put(HandledPreemptions.ANNOTATION, null);
    return Map.of(
        "metadata", Map.of("resourceVersion", MergePatch.version(node), "annotations", annotations),
        "spec", Map.of("taints", otherTaints(node)));
  }

  /** The shared Lease belongs to the cloud provider: only our hold of it is removed. */
  private Optional<ObjectTrace> leaseTrace() {
    Resource<Lease> lease = client.leases().inNamespace(lock.namespace()).withName(lock.name());
    return Optional.ofNullable(lease.get())
        .flatMap(LeaderPod::holder)
        .filter(lock.identity()::equalsIgnoreCase)
        .map(
            holder ->
                new ObjectTrace(
                    "Lease %s/%s".formatted(lock.namespace(), lock.name()),
                    "given back",
                    Optional.empty(),
                    () -> MergePatch.change(lease, lease, this::givenBack)));
  }

  private Map<String, ?> givenBack(Lease lease) {
    return Map.of(
        "metadata",
        Map.of(
            "resourceVersion", MergePatch.version(lease),
            "annotations", Map.of(LeaseFormat.PREVIOUS_HOLDER, lock.identity())),
        "spec",
        Map.of("holderIdentity", ""));
  }
}
