package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.EditReplacePatchable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.poolkeeper.config.Settings;
import io.poolkeeper.kube.binding.BindingTraces;
import io.poolkeeper.model.Mark;
import io.poolkeeper.node.Handled;
import io.poolkeeper.node.Signals;
import io.poolkeeper.uninstall.ClusterTraces;
import io.poolkeeper.uninstall.ObjectTrace;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds what of ours is on Nodes, bindings and the shared Lease, and takes it away. */
public final class KubeTraces {
  /** A Node changes with each heartbeat. */
  private static final int ATTEMPTS = 5;

  private final KubernetesClient client;
  private final Settings.Lock lock;

  /** The client stays open. */
  public KubeTraces(KubernetesClient client, Settings.Lock lock) {
    this.client = client;
    this.lock = lock;
  }

  /**
   * Looks.
   *
   * @throws KubernetesClientException if the API server refuses
   */
  public ClusterTraces read() {
    List<Node> nodes = client.nodes().list().getItems();
    List<ObjectTrace> traces = new ArrayList<>();
    nodes.stream().filter(KubeTraces::annotated).map(this::trace).forEach(traces::add);
    traces.addAll(BindingTraces.read(client));
    shared().ifPresent(traces::add);
    String uid = client.namespaces().withName("kube-system").require().getMetadata().getUid();
    return new ClusterTraces(Mark.of(uid), nodes.stream().map(NodeViews::view).toList(), traces);
  }

  private static boolean annotated(Node node) {
    Map<String, String> annotations = node.getMetadata().getAnnotations();
    return annotations != null && annotations.containsKey(Handled.ANNOTATION);
  }

  /** The taint is ours where the annotation is; anybody may set the same. */
  private ObjectTrace trace(Node node) {
    boolean tainted = others(node).size() < taints(node).size();
    return new ObjectTrace(
        "Node " + node.getMetadata().getName(),
        "annotation " + Handled.ANNOTATION + (tainted ? ", taint " + Signals.DRAINING : ""),
        Optional.empty(),
        () -> change(client.nodes().withName(node.getMetadata().getName()), KubeTraces::cleaned));
  }

  private static List<Taint> taints(Node node) {
    return Objects.requireNonNullElse(node.getSpec().getTaints(), List.of());
  }

  private static List<Taint> others(Node node) {
    return taints(node).stream().filter(t -> !Signals.DRAINING.equals(t.getKey())).toList();
  }

  private static Map<String, ?> cleaned(Node node) {
    Map<String, @Nullable String> gone = new HashMap<>();
    gone.put(Handled.ANNOTATION, null);
    return Map.of(
        "metadata", Map.of("resourceVersion", version(node), "annotations", gone),
        "spec", Map.of("taints", others(node)));
  }

  /** The cloud provider's; it stays, but for what says that we hold it. */
  private Optional<ObjectTrace> shared() {
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
                    () -> change(lease, this::givenBack)));
  }

  private Map<String, ?> givenBack(Lease lease) {
    return Map.of(
        "metadata",
        Map.of(
            "resourceVersion", version(lease),
            "annotations", Map.of(LeaseFormat.PREVIOUS_HOLDER, lock.identity())),
        "spec",
        Map.of("holderIdentity", ""));
  }

  /** The version that a change is of: if there is a newer one, the API server refuses it. */
  public static String version(HasMetadata read) {
    return read.getMetadata().getResourceVersion();
  }

  private static <T extends HasMetadata> void change(
      Resource<T> resource, Function<T, Map<String, ?>> merge) {
    change(resource, resource, merge);
  }

  /**
   * Reads an object and merges a change into it or its subresource, again if it has changed in
   * between. What is gone needs none.
   *
   * @param merge has the version that was read
   * @throws KubernetesClientException if the API server refuses
   */
  public static <T extends HasMetadata> void change(
      Resource<T> resource, EditReplacePatchable<T> part, Function<T, Map<String, ?>> merge) {
    for (int attempt = 1; ; attempt++) {
      T read = resource.get();
      if (read == null) {
        return;
      }
      try {
        part.patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(merge.apply(read)));
        return;
      } catch (KubernetesClientException refused) {
        if (Causes.isStatus(refused, HttpURLConnection.HTTP_NOT_FOUND)) {
          return;
        }
        if (!Causes.isStatus(refused, HttpURLConnection.HTTP_CONFLICT) || attempt == ATTEMPTS) {
          throw refused;
        }
      }
    }
  }
}
