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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts Nodes to views, without heartbeats. */
public final class NodeViews {
  public static final WatchedKind<Node, NodeKey, NodeView> KIND =
      new WatchedKind<>(
          "nodes",
          client -> client.nodes().runnableInformer(0),
          Node::new,
          (none, name) -> new NodeKey(name),
          false,
          false,
          node -> Optional.of(view(node)));

  /** The conditions of the node-problem-detector that announce a preemption, among other things. */
  private static final Set<String> PREEMPTIONS = Set.of("PreemptionScheduled", "VMEventScheduled");

  private NodeViews() {}

  public static NodeView view(Node node) {
    ObjectMeta meta = node.getMetadata();
    return new NodeView(
        new NodeKey(meta.getName()),
        Objects.requireNonNullElse(meta.getUid(), ""),
        addresses(node.getStatus()),
        labels(meta),
        taints(node.getSpec()),
        meta.getDeletionTimestamp() != null,
        providerId(node.getSpec()),
        created(meta),
        preemptions(node.getStatus()),
        handled(meta),
        ready(node.getStatus()));
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

  private static String providerId(@Nullable NodeSpec spec) {
    return spec == null ? "" : Objects.requireNonNullElse(spec.getProviderID(), "");
  }

  private static Instant created(ObjectMeta meta) {
    String created = meta.getCreationTimestamp();
    return created == null ? Instant.EPOCH : Instant.parse(created);
  }

  private static List<String> preemptions(@Nullable NodeStatus status) {
    return conditions(status)
        .filter(condition -> PREEMPTIONS.contains(condition.getType()))
        .filter(condition -> "True".equals(condition.getStatus()))
        .map(NodeCondition::getMessage)
        .filter(Objects::nonNull)
        .map(message -> Truncated.to(PreemptEvents.LONGEST, message))
        .toList();
  }

  private static boolean ready(@Nullable NodeStatus status) {
    return conditions(status)
        .anyMatch(of -> "Ready".equals(of.getType()) && "True".equals(of.getStatus()));
  }

  private static Stream<NodeCondition> conditions(@Nullable NodeStatus status) {
    return present(status == null ? null : status.getConditions());
  }

  private static String handled(ObjectMeta meta) {
    Map<String, String> annotations = meta.getAnnotations();
    String handled = annotations == null ? null : annotations.get(HandledPreemptions.ANNOTATION);
    return Objects.requireNonNullElse(handled, "");
  }

  private static <E> Stream<E> present(@Nullable List<E> elements) {
    return elements == null ? Stream.empty() : elements.stream().filter(Objects::nonNull);
  }
}
