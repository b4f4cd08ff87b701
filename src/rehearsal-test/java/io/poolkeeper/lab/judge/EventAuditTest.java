package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The judge finds events that are missing, surplus or wrong. */
class EventAuditTest {
  private static final Map<PoolId, String> SERVICES =
      Map.of(Requests.pool("lb/ns-web"), "web", Requests.pool("lb/ns-web-ipv6"), "web");
  private static final ReportedEvent UPDATED =
      event(
          "Normal",
          "LoadBalancerBackendPoolUpdated",
          "Load balancer backend pool updated successfully");
  private static final ReportedEvent CONFLICT =
      retrying("HTTP 409 AnotherOperationInProgress: Another operation is in progress.");
  private static final ReportedEvent UNSENT =
      retrying("not sent, as an earlier answer asked to wait 4 s more.");

  private static ReportedEvent event(String type, String reason, String message) {
    return new ReportedEvent("web", type, reason, message, 1);
  }

  private static ReportedEvent retrying(String error) {
    return event(
        "Warning",
        "LoadBalancerBackendPoolUpdateRetrying",
        "Backend pool update failed, will retry: " + error);
  }

  private static ReportedEvent failed(String message) {
    return event("Warning", "LoadBalancerBackendPoolUpdateFailed", message);
  }

  private static EventAudit audit(Requests requests, ReportedEvent... events) {
    return new EventAudit(requests.list(), List.of(events), SERVICES);
  }

  @Test
  void writes_asManyAsReported_passForBothPoolsOfAService() {
    Requests requests =
        new Requests()
            .add(0, "PUT", "lb/NS-web", 200, "")
            .add(1, "PUT", "lb/ns-web-ipv6", 200, "")
            .add(2, "PUT", "lb/ns-web", 409, "AnotherOperationInProgress");

    assertThat(audit(requests, UPDATED, UPDATED).writes()).isEmpty();
  }

  @Test
  void writes_reportedTwice_areFound() {
    Requests requests = new Requests().add(0, "PUT", "lb/ns-web", 200, "");

    assertThat(audit(requests, UPDATED, UPDATED).writes())
        .containsExactly("web: 2 Updated, 1 writes");
  }

  /** Made again it is reported once, and else for itself. */
  @Test
  void writes_cancelledByAnotherClient_areReportedOnceOrTwice() {
    Requests requests = new Requests().canceled(0, "lb/ns-web").add(9, "PUT", "lb/ns-web", 200, "");

    assertThat(audit(requests).writes()).containsExactly("web: 0 Updated, 1 writes");
    assertThat(audit(requests, UPDATED).writes()).isEmpty();
    assertThat(audit(requests, UPDATED, UPDATED).writes()).isEmpty();
    assertThat(audit(requests, UPDATED, UPDATED, UPDATED).writes())
        .containsExactly("web: 3 Updated, 2 writes");
  }

  @Test
  void retries_comparedWithTheLedger_countCallsNotSent() {
    EventAudit audit = audit(new Requests(), CONFLICT, UNSENT);

    assertThat(audit.retries(Map.of("web", 2))).isEmpty();
    assertThat(audit.retries(Map.of("web", 1))).containsExactly("web: 2 Retrying, 1 refusals made");
  }

  @Test
  void failures_areNamed() {
    ReportedEvent failure = failed("Backend pool update failed (non-retriable): HTTP 503 X: y.");

    assertThat(audit(new Requests(), UPDATED, failure).failures())
        .containsExactly("web: " + failure.message());
  }

  @Test
  void words_ofTheSpec_areFine() {
    String guidance =
        " To retrigger, cause an endpoint change for the Service (e.g., restart or scale a backing"
            + " pod). Poolkeeper also tries again by itself.";
    EventAudit audit =
        audit(
            new Requests(),
            UPDATED,
            CONFLICT,
            UNSENT,
            failed("Backend pool update failed after 3 retries: HTTP 409 Conflict: x." + guidance),
            failed(
                "Backend pool update failed (non-retriable): HTTP 503 X: y."
                    + " Poolkeeper also tries again by itself."));

    assertThat(audit.texts()).isEmpty();
  }

  @Test
  void words_ofAnotherKindOrType_areSeen() {
    EventAudit audit =
        audit(
            new Requests(),
            event("Warning", UPDATED.reason(), UPDATED.message()),
            event("Normal", CONFLICT.reason(), CONFLICT.message()),
            failed("Backend pool update failed (non-retriable): HTTP 503 X: y."),
            event("Warning", "LoadBalancerBackendPoolUpdateForgotten", CONFLICT.message()));

    assertThat(audit.texts()).hasSize(4);
  }

  @Test
  void byReason_countsRepeats() {
    ReportedEvent twice =
        new ReportedEvent("web", UPDATED.type(), UPDATED.reason(), UPDATED.message(), 2);

    assertThat(audit(new Requests(), twice, UPDATED).byReason())
        .isEqualTo(Map.of("LoadBalancerBackendPoolUpdated", 3));
  }
}
