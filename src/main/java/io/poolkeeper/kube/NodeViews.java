package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts Nodes to views, without conditions and heartbeats. */
public final class NodeViews {
  /** All Nodes. */
  public static final WatchedKind<Node, NodeKey, NodeView> KIND =
      new WatchedKind<>(
          "nodes",
          client -> client.nodes().runnableInformer(0),
          NodeViews::slim,
          (none, name) -> new NodeKey(name),
          false,
          node -> Optional.of(view(node)));

  private NodeViews() {}

  /** The view of a Node as the API server sends it. */
  public static NodeView view(Node node) {
    ObjectMeta meta = node.getMetadata();
    return new NodeView(
        new NodeKey(meta.getName()),
        Objects.requireNonNullElse(meta.getUid(), ""),
        addresses(node.getStatus()),
        labels(meta),
        taints(node.getSpec()),
        meta.getDeletionTimestamp() != null);
  }

  private static List<Address> addresses(@Nullable NodeStatus status) {
    return present(status == null ? null : status.getAddresses())
        .filter(address -> "InternalIP".equalsIgnoreCase(address.getType()))
        .map(NodeAddress::getAddress)
        .filter(Objects::nonNull)
        .flatMap(text -> Address.parse(text).stream())
        .distinct()
        .toList();
  }

  private static Map<String, String> labels(ObjectMeta meta) {
    Map<String, String> labels = new HashMap<>();
    Objects.requireNonNullElse(meta.getLabels(), Map.<String, String>of())
        .forEach((key, value) -> labels.put(key, Objects.requireNonNullElse(value, "")));
    return labels;
  }

  private static Set<String> taints(@Nullable NodeSpec spec) {
    return present(spec == null ? null : spec.getTaints())
        .map(Taint::getKey)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  private static <E> Stream<E> present(@Nullable List<E> elements) {
    return elements == null ? Stream.empty() : elements.stream().filter(Objects::nonNull);
  }

  /** Drops the long lists of images, conditions and field managers. */
  private static Node slim(Node node) {
    ObjectMeta meta = node.getMetadata();
    NodeStatus status = node.getStatus();
    NodeSpec spec = node.getSpec();
    return new NodeBuilder()
        .withMetadata(
            new ObjectMetaBuilder()
                .withName(meta.getName())
                .withUid(meta.getUid())
                .withResourceVersion(meta.getResourceVersion())
                .withDeletionTimestamp(meta.getDeletionTimestamp())
                .withLabels(meta.getLabels())
                .build())
        .withNewSpec()
        .withTaints(spec == null ? List.of() : spec.getTaints())
        .endSpec()
        .withNewStatus()
        .withAddresses(status == null ? List.of() : status.getAddresses())
        .endStatus()
        .build();
  }
}
