package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The expected admin state of entries: Down exactly if the entry has an InternalIP of a node with
 * one of the taints of spec 2, whatever their values and effects. A node with the opt-out label is
 * not judged, nor an entry of none.
 *
 * @param wronglyDown entries that are Down without reason, a line each
 * @param notDown entries that are not Down although their node is out of service
 */
public record AdminStates(List<String> wronglyDown, List<String> notDown) {
  private static final String OPT_OUT = "poolkeeper.io/admin-state";
  private static final String SPOT = "cloudprovider.azure.microsoft.com/draining";
  private static final Set<String> KEYS =
      Set.of(
          "node.kubernetes.io/out-of-service", "node.cloudprovider.kubernetes.io/shutdown", SPOT);

  public static boolean leaving(Taint taint) {
    return KEYS.contains(taint.getKey());
  }

  static boolean leaving(Node node) {
    return taints(node).stream().anyMatch(AdminStates::leaving);
  }

  /** Whether a node has the taint that Poolkeeper itself sets. */
  public static boolean draining(Node node) {
    return taints(node).stream().anyMatch(taint -> SPOT.equals(taint.getKey()));
  }

  private static List<Taint> taints(Node node) {
    return node.getSpec() == null || node.getSpec().getTaints() == null
        ? List.of()
        : node.getSpec().getTaints();
  }

  /** Judges pools; those without a load-balancing rule are to have no entry that is Down. */
  static AdminStates of(List<Node> nodes, List<JsonNode> pools) {
    Map<String, Node> byAddress = new HashMap<>();
    for (Node node : nodes) {
      for (NodeAddress address : node.getStatus().getAddresses()) {
        byAddress.put(address.getAddress(), node);
      }
    }
    AdminStates found = new AdminStates(new ArrayList<>(), new ArrayList<>());
    for (JsonNode pool : pools) {
      for (JsonNode entry : pool.at("/properties/loadBalancerBackendAddresses")) {
        Node node = byAddress.get(entry.at("/properties/ipAddress").asText());
        if (node != null && !optedOut(node)) {
          found.judge(pool, entry, leaving(node));
        }
      }
    }
    return found;
  }

  List<String> lines() {
    return Stream.of(wronglyDown, notDown).flatMap(List::stream).toList();
  }

  private static boolean optedOut(Node node) {
    return "ignore"
        .equals(
            Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of())
                .get(OPT_OUT));
  }

  private void judge(JsonNode pool, JsonNode entry, boolean leaving) {
    boolean down = entry.at("/properties/adminState").asText().equals("Down");
    String what =
        "%s/%s is %s"
            .formatted(
                pool.path("name").asText(),
                entry.path("name").asText(),
                down ? "Down" : "not Down");
    if (down && !leaving) {
      wronglyDown.add(what);
    }
    if (leaving && !down && !pool.at("/properties/loadBalancingRules").isEmpty()) {
      notDown.add(what);
    }
  }
}
