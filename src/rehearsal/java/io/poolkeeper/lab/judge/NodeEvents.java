package io.poolkeeper.lab.judge;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Poolkeeper's Events on Nodes: how often each reason was reported of each, and those that are not
 * of the type that spec 2 gives the reason.
 *
 * @param counts by node, a space and the reason
 */
public record NodeEvents(Map<String, Integer> counts, List<String> wrong) {
  private static final String REASONS = "LoadBalancerAdminState";
  private static final String FAILED = REASONS + "UpdateFailed";
  private static final Set<String> NORMAL = Set.of(REASONS + "Down", REASONS + "None");

  public static NodeEvents in(KubernetesClient cluster) {
    NodeEvents found = new NodeEvents(new TreeMap<>(), new ArrayList<>());
    cluster.v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getReason() != null && event.getReason().startsWith(REASONS))
        .forEach(found::add);
    return found;
  }

  private void add(Event event) {
    String key = event.getInvolvedObject().getName() + " " + event.getReason();
    counts.merge(key, Objects.requireNonNullElse(event.getCount(), 1), Integer::sum);
    String type = NORMAL.contains(event.getReason()) ? "Normal" : "Warning";
    if (!type.equals(event.getType())
        || !"Node".equals(event.getInvolvedObject().getKind())
        || !"poolkeeper".equals(event.getSource().getComponent())) {
      wrong.add("%s: %s, %s".formatted(key, event.getType(), event.getMessage()));
    }
  }

  /** Without reports of writes that failed, where other clients are in the way of some. */
  public NodeEvents withoutFailures() {
    Map<String, Integer> others = new TreeMap<>(counts);
    others.keySet().removeIf(key -> key.endsWith(FAILED));
    return new NodeEvents(others, wrong);
  }

  /** Nodes with more or fewer events than expected, or with others. */
  public List<String> differences(Map<String, Integer> expected) {
    List<String> lines = new ArrayList<>(wrong);
    lines.addAll(EventAudit.differences("times", counts, expected, "expected"));
    return lines;
  }
}
