package io.poolkeeper.service;

import io.poolkeeper.model.NodeView;
import java.util.Map;

/**
 * The nodes that may be members of pools, by the cloud provider's rules, so that the two do not
 * undo each other's writes. Readiness and cordoning do not count.
 */
final class Eligibility {
  private static final String EXCLUDE = "node.kubernetes.io/exclude-from-external-load-balancers";
  private static final String MANAGED = "kubernetes.azure.com/managed";
  private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
  private static final String MASTER = "node-role.kubernetes.io/master";
  private static final String ROLE = "kubernetes.io/role";
  private static final String TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler";

  private Eligibility() {}

  /**
   * Whether an entry of the node stays, and none is added. The cluster autoscaler is about to
   * delete it; the provider does not synchronise for that alone, so that connections drain.
   */
  static boolean stays(NodeView node) {
    return node.taints().contains(TO_BE_DELETED);
  }

  static boolean eligible(NodeView node) {
    Map<String, String> labels = node.labels();
    return !node.deleting()
        && !labels.containsKey(EXCLUDE)
        && !"false".equalsIgnoreCase(labels.get(MANAGED))
        && !labels.containsKey(CONTROL_PLANE)
        && !labels.containsKey(MASTER)
        && !"master".equals(labels.get(ROLE));
  }
}
