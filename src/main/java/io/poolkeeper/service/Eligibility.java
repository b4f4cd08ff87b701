package io.poolkeeper.service;

import io.poolkeeper.model.NodeView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes that may be members of pools, by the cloud provider's rules, so that the two do not
 * undo each other's writes. Readiness and cordoning do not count.
 */
final class Eligibility {
  private static final String EXCLUDE = "node.kubernetes.io/exclude-from-external-load-balancers";
  private static final String MANAGED = "kubernetes.azure.com/managed";
  private static final List<String> CONTROL_PLANE =
      List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");
  private static final String ROLE = "kubernetes.io/role";
  private static final String TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler";

  /** Why a node that {@link #stays} gets no entry. */
  static final String TAINT = "taint " + TO_BE_DELETED;

  private Eligibility() {}

  /** The label that excludes the node, in words, with its value if that counts; empty if none. */
  static Optional<String> excludedBy(NodeView node) {
    Map<String, String> labels = node.labels();
    if (labels.containsKey(EXCLUDE)) {
      return label(EXCLUDE);
    }
    if ("false".equalsIgnoreCase(labels.get(MANAGED))) {
      return label(MANAGED + "=" + labels.get(MANAGED));
    }
    for (String role : CONTROL_PLANE) {
      if (labels.containsKey(role)) {
        return label(role);
      }
    }
    return "master".equals(labels.get(ROLE)) ? label(ROLE + "=master") : Optional.empty();
  }

  private static Optional<String> label(String text) {
    return Optional.of("label " + text);
  }

  /**
   * Whether an entry of the node stays, and none is added. The cluster autoscaler is about to
   * delete it; the provider does not synchronise for that alone, so that connections drain.
   */
  static boolean stays(NodeView node) {
    return node.taints().contains(TO_BE_DELETED);
  }
}
