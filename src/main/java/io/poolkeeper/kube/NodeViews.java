package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Taint;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.Truncated;
import io.poolkeeper.node.HandledPreemptions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Converts Nodes to views, which have no heartbeats. */
public final class NodeViews {
  public static final WatchedKind<Node, NodeKey, NodeView> KIND =
      new WatchedKind<>(
          "nodes",
          client -> client.nodes().runnableInformer(0),
          Node::new,
          (namespace, name) -> new NodeKey(name),
          node -> Optional.of(view(node)));

  /** The conditions of the node-problem-detector that announce a preemption, among other things. */
  private static final Set<String> PREEMPTIONS = Set.of("PreemptionScheduled", "VMEventScheduled");

  private NodeViews() {}

  public static NodeView view(Node node) {
    ObjectMeta meta = node.getMetadata();
    NodeSpec spec = Objects.requireNonNullElseGet(node.getSpec(), NodeSpec::new);
    NodeStatus status = Objects.requireNonNullElseGet(node.getStatus(), NodeStatus::new);
    return new NodeView(
        new NodeKey(meta.getName()),
        Objects.requireNonNullElse(meta.getUid(), ""),
        addresses(status),
        labels(meta),
        taints(spec),
        meta.getDeletionTimestamp() != null,
        Objects.requireNonNullElse(spec.getProviderID(), ""),
        created(meta),
        preemptions(status),
        handled(meta),
        isReady(status));
  }

  private static List<Address> addresses(NodeStatus status) {
    return WatchedKind.present(status.getAddresses())
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

  private static Set<String> taints(NodeSpec spec) {
    return WatchedKind.present(spec.getTaints())
        .map(Taint::getKey)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  private static Instant created(ObjectMeta meta) {
    String created = meta.getCreationTimestamp();
    return created == null ? Instant.EPOCH : Instant.parse(created);
  }

  private static List<String> preemptions(NodeStatus status) {
    return WatchedKind.present(status.getConditions())
        .filter(condition -> PREEMPTIONS.contains(condition.getType()))
        .filter(condition -> "True".equals(condition.getStatus()))
        .map(NodeCondition::getMessage)
        .filter(Objects::nonNull)
        .map(message -> Truncated.to(PreemptEvents.MAX_LENGTH, message))
        .toList();
  }

  private static boolean isReady(NodeStatus status) {
    return WatchedKind.present(status.getConditions())
        .filter(condition -> "Ready".equals(condition.getType()))
        .anyMatch(condition -> "True".equals(condition.getStatus()));
  }

  /** The annotation with the preemptions that were handled; empty if there is none. */
  static String handled(ObjectMeta meta) {
    Map<String, String> annotations = meta.getAnnotations();
    String handled = annotations == null ? null : annotations.get(HandledPreemptions.ANNOTATION);
    return Objects.requireNonNullElse(handled, "");
  }
}
