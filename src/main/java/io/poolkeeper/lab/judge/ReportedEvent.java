package io.poolkeeper.lab.judge;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An Event on a Service, with its count. The texts are those of spec 1, Event Behavior, and ADR 5.
 */
public record ReportedEvent(String service, String type, String reason, String message, int count) {
  private static final String REASONS = "LoadBalancerBackendPool";
  private static final String COMPONENT = "poolkeeper";
  private static final String CLOUD_PROVIDER = "azure-cloud-provider";
  private static final String RETRY = "Backend pool update failed, will retry: ";

  private static final Pattern UPDATED =
      Pattern.compile("Load balancer backend pool updated successfully");
  private static final Pattern FOUND =
      Pattern.compile(
          "Found state that should not exist in backend pool [^ ]+: .+\\. It is put right\\.");
  private static final Pattern CONTESTED =
      Pattern.compile(
          "Another client removes entries from backend pool [^ ]+ again and again \\(\\d+, such as"
              + " [^ ]+\\)\\. Poolkeeper goes on to put them back, but later each time, up to \\d+"
              + " minutes\\. Find that client: the activity log of Azure names it\\.");
  private static final Pattern RETRYING = Pattern.compile(RETRY + "\\S.*\\.");
  private static final Pattern FAILED =
      Pattern.compile(
          "Backend pool update failed (\\(non-retriable\\): \\S.*\\.|after \\d+ retries: \\S.*\\."
              + " To retrigger, cause an endpoint change for the Service \\(e\\.g\\., restart or"
              + " scale a backing pod\\)\\.) Poolkeeper also tries again by itself\\.");

  /** All events about Services with these uids. */
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

  /** Whether it reports a write. */
  public boolean updated() {
    return reason.equals(REASONS + "Updated");
  }

  /** Whether it reports a retry. */
  public boolean retrying() {
    return reason.equals(REASONS + "UpdateRetrying");
  }

  /** Whether it reports state that should not exist. */
  private boolean found() {
    return reason.equals("LoadBalancerLeftoverFound");
  }

  /** Whether it reports that another client undoes repairs. */
  private boolean contested() {
    return reason.equals(REASONS + "Contested");
  }

  /** Whether it reports a failure. */
  boolean failed() {
    return reason.equals(REASONS + "UpdateFailed");
  }

  /** Whether type and text are those that the spec has for the reason. */
  boolean asSpecified() {
    if (updated()) {
      return type.equals("Normal") && UPDATED.matcher(message).matches();
    }
    Pattern text = retrying() ? RETRYING : found() ? FOUND : contested() ? CONTESTED : FAILED;
    return (retrying() || found() || contested() || failed())
        && type.equals("Warning")
        && text.matcher(message).matches();
  }
}
