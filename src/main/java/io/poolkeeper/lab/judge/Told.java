package io.poolkeeper.lab.judge;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a Service was told by one Event, and how often. The words are those of spec 1, Event
 * Behavior, and of architecture section 10.5.
 */
public record Told(String service, String type, String reason, String message, int count) {
  private static final String REASONS = "LoadBalancerBackendPool";
  private static final String COMPONENT = "poolkeeper";
  private static final String RETRY = "Backend pool update failed, will retry: ";

  /** How the error of an attempt reads that met a closed gate after it had begun. */
  private static final Pattern UNSENT =
      Pattern.compile(": HTTP 429 not sent, as an earlier answer asked to wait \\d+ s more\\.");

  private static final Pattern UPDATED =
      Pattern.compile("Load balancer backend pool updated successfully");
  private static final Pattern RETRYING = Pattern.compile(RETRY + "\\S.*\\.");
  private static final Pattern FAILED =
      Pattern.compile(
          "Backend pool update failed (\\(non-retriable\\): \\S.*\\.|after \\d+ retries: \\S.*\\."
              + " To retrigger, cause an endpoint change for the Service \\(e\\.g\\., restart or"
              + " scale a backing pod\\)\\.) Poolkeeper also tries again by itself\\.");

  /** Everything that was told about Services of these uids. */
  public static List<Told> about(Set<String> uids, KubernetesClient cluster) {
    return cluster.v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getReason() != null && event.getReason().startsWith(REASONS))
        .filter(event -> uids.contains(event.getInvolvedObject().getUid()))
        .map(Told::of)
        .toList();
  }

  private static Told of(Event event) {
    boolean ours = COMPONENT.equals(event.getSource().getComponent());
    return new Told(
        event.getInvolvedObject().getName(),
        ours ? event.getType() : "not from " + COMPONENT,
        event.getReason(),
        event.getMessage(),
        Objects.requireNonNullElse(event.getCount(), 1));
  }

  /** Whether a write was announced. */
  public boolean updated() {
    return reason.equals(REASONS + "Updated");
  }

  /** Whether another attempt was announced. */
  public boolean retrying() {
    return reason.equals(REASONS + "UpdateRetrying");
  }

  /** Whether an attempt was given up that would have been made again with more patience. */
  boolean exhausted() {
    return failed() && message.startsWith("Backend pool update failed after ");
  }

  /** Whether something was given up. */
  boolean failed() {
    return reason.equals(REASONS + "UpdateFailed");
  }

  /** Whether the attempt was broken off because ARM had meanwhile asked not to be called. */
  boolean unsent() {
    return UNSENT.matcher(message).find();
  }

  /** Whether type and text are those of the reason. */
  boolean wellPut() {
    if (updated()) {
      return type.equals("Normal") && UPDATED.matcher(message).matches();
    }
    Pattern text = retrying() ? RETRYING : FAILED;
    return (retrying() || failed()) && type.equals("Warning") && text.matcher(message).matches();
  }

  /** Whether it is about an answer of that status; the code may be that of a detail of it. */
  boolean names(int status, String code) {
    return message.contains(": HTTP %d %s".formatted(status, code))
        && !message.contains("how the write ended is not known");
  }
}
