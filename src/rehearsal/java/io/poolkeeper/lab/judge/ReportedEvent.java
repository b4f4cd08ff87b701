package io.poolkeeper.lab.judge;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * An Event on a Service, with its count. The texts are those of spec 1, Event Behavior, and ADR 5.
 */
public record ReportedEvent(String service, String type, String reason, String message, int count) {
  private static final String REASONS = "LoadBalancerBackendPool";
  private static final String UPDATED = REASONS + "Updated";
  private static final String RETRYING = REASONS + "UpdateRetrying";
  private static final String FAILED = REASONS + "UpdateFailed";
  private static final String COMPONENT = "poolkeeper";
  private static final String CLOUD_PROVIDER = "azure-cloud-provider";

  /** What the text of each reason matches. */
  private static final Map<String, String> TEXTS =
      Map.of(
          UPDATED,
          "Load balancer backend pool updated successfully",
          RETRYING,
          "Backend pool update failed, will retry: \\S.*\\.",
          FAILED,
          "Backend pool update failed (\\(non-retriable\\): \\S.*\\.|after \\d+ retries: \\S.*\\."
              + " To retrigger, cause an endpoint change for the Service \\(e\\.g\\., restart or"
              + " scale a backing pod\\)\\.) Poolkeeper also tries again by itself\\.",
          REASONS + "Contested",
          "Another client removes entries from backend pool [^ ]+ again and again \\(\\d+, such as"
              + " [^ ]+\\)\\. Poolkeeper goes on to put them back, but later each time, up to \\d+"
              + " minutes\\. Find that client: the activity log of Azure names it\\.",
          "LoadBalancerLeftoverFound",
          "Found state that should not exist in backend pool [^ ]+: .+\\. It is put right\\.");

  public static List<ReportedEvent> about(Set<String> uids, KubernetesClient cluster) {
    return cluster.v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getReason() != null && event.getReason().startsWith("LoadBalancer"))
        .filter(event -> !CLOUD_PROVIDER.equals(event.getSource().getComponent()))
        .filter(event -> uids.contains(event.getInvolvedObject().getUid()))
        .map(ReportedEvent::of)
        .toList();
  }

  private static ReportedEvent of(Event event) {
    boolean ours = COMPONENT.equals(event.getSource().getComponent());
    return new ReportedEvent(
        event.getInvolvedObject().getName(),
        ours ? event.getType() : "not from " + COMPONENT,
        event.getReason(),
        event.getMessage(),
        Objects.requireNonNullElse(event.getCount(), 1));
  }

  public boolean updated() {
    return reason.equals(UPDATED);
  }

  public boolean retrying() {
    return reason.equals(RETRYING);
  }

  boolean failed() {
    return reason.equals(FAILED);
  }

  /** Whether type and text are those that the spec has for the reason. */
  boolean asSpecified() {
    String text = TEXTS.get(reason);
    return text != null && type.equals(updated() ? "Normal" : "Warning") && message.matches(text);
  }
}
