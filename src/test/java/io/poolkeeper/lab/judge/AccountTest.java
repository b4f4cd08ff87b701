package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether the judge sees that Services were told too much, too little or something else. */
class AccountTest {
  private static final Map<String, String> SERVICES = Map.of("ns-web", "web", "ns-web-ipv6", "web");
  private static final Told UPDATED =
      told(
          "Normal",
          "LoadBalancerBackendPoolUpdated",
          "Load balancer backend pool updated successfully");
  private static final Told CONFLICT =
      retrying("HTTP 409 AnotherOperationInProgress: Another operation is in progress.");
  private static final Told UNSENT =
      retrying("HTTP 429 not sent, as an earlier answer asked to wait 4 s more.");

  private static Told told(String type, String reason, String message) {
    return new Told("web", type, reason, message, 1);
  }

  private static Told retrying(String error) {
    return told(
        "Warning",
        "LoadBalancerBackendPoolUpdateRetrying",
        "Backend pool update failed, will retry: " + error);
  }

  private static Told failed(String message) {
    return told("Warning", "LoadBalancerBackendPoolUpdateFailed", message);
  }

  private static Account account(Requests requests, Told... told) {
    return new Account(requests.list(), List.of(told), SERVICES);
  }

  @Test
  void writes_asManyAsTold_isFineForBothPoolsOfAService() {
    Requests requests =
        new Requests()
            .add(0, "PUT", "lb/NS-web", 200, "")
            .add(1, "PUT", "lb/ns-web-ipv6", 200, "")
            .add(2, "PUT", "lb/ns-web", 409, "AnotherOperationInProgress");

    assertThat(account(requests, UPDATED, UPDATED).writes()).isEmpty();
  }

  @Test
  void writes_toldTwice_areSeen() {
    Requests requests = new Requests().add(0, "PUT", "lb/ns-web", 200, "");

    assertThat(account(requests, UPDATED, UPDATED).writes())
        .containsExactly("web: 2 Updated, 1 writes");
  }

  @Test
  void attempts_notTold_areSeenHoweverTheyFailed() {
    Requests requests =
        new Requests()
            .add(0, "PUT", "lb/ns-web", 412, "PreconditionFailed")
            .ruled(1, "PUT", "lb/ns-web", 200, "", "{\"reset\":\"before\"}")
            .add(2, "PUT", "lb/ns-web", 503, "ServiceUnavailable");

    assertThat(account(requests).attempts())
        .containsExactly(
            "web: 0 Retrying, 2 failed attempts", "web: 0 412 PreconditionFailed, 1 such answers");
  }

  @Test
  void attempts_toldWithAnotherError_areSeen() {
    Requests requests = new Requests().add(0, "PUT", "lb/ns-web", 412, "PreconditionFailed");

    assertThat(account(requests, CONFLICT).attempts())
        .containsExactly("web: 0 412 PreconditionFailed, 1 such answers");
  }

  @Test
  void attempts_lastOneExhausted_countsAsTold() {
    Requests requests =
        new Requests()
            .add(0, "PUT", "lb/ns-web", 409, "AnotherOperationInProgress")
            .add(9, "PUT", "lb/ns-web", 409, "AnotherOperationInProgress");
    Told last =
        failed(
            "Backend pool update failed after 1 retries: HTTP 409 AnotherOperationInProgress: x.");

    assertThat(account(requests, CONFLICT, last).attempts()).isEmpty();
    assertThat(account(requests, CONFLICT, CONFLICT, last).attempts()).hasSize(2);
  }

  @Test
  void attempts_brokenOffBeforeTheWrite_areNoneOfArms() {
    Requests requests =
        new Requests().add(0, "GET", "lb/ns-web", 200, "").add(1, "GET", "lb/ns-web-ipv6", 200, "");
    Told last =
        failed(
            "Backend pool update failed after 3 retries: HTTP 429 not sent, as an earlier answer"
                + " asked to wait 1 s more. To retrigger, ...");

    assertThat(account(requests, UNSENT, last).attempts()).isEmpty();
  }

  @Test
  void attempts_notSentThoughNoneWasBrokenOff_areSeen() {
    Requests requests =
        new Requests().add(0, "GET", "lb/ns-web", 200, "").add(1, "PUT", "lb/ns-web", 200, "");

    assertThat(account(requests, UNSENT).attempts())
        .containsExactly("web: 1 calls not sent, 0 attempts broken off");
  }

  @Test
  void attempts_repairsThatFailUntold_areFineAfterAFailureOnly() {
    Requests requests = new Requests();
    for (int i = 0; i < 3; i++) {
      requests.add(i, "PUT", "lb/ns-web", 409, "AnotherOperationInProgress");
    }
    Told last =
        failed(
            "Backend pool update failed after 1 retries: HTTP 409 AnotherOperationInProgress: x.");

    assertThat(account(requests, CONFLICT, last).attempts()).isEmpty();
    assertThat(account(requests, CONFLICT, CONFLICT).attempts()).hasSize(2);
  }

  @Test
  void retries_againstTheScenariosAccount_countWhatWasNotSent() {
    Account account = account(new Requests(), CONFLICT, UNSENT);

    assertThat(account.retries(Map.of("web", 2))).isEmpty();
    assertThat(account.retries(Map.of("web", 1)))
        .containsExactly("web: 2 Retrying, 1 refusals made");
  }

  @Test
  void hasty_failureBeforeEveryRepetitionFailed_isSeen() {
    Requests requests = new Requests();
    for (int i = 0; i < 3; i++) {
      requests.add(i, "PUT", "lb/ns-web", 503, "ServiceUnavailable");
    }
    Told failure = failed("Backend pool update failed (non-retriable): HTTP 503 X: y.");

    assertThat(account(requests, failure).hasty())
        .containsExactly("web: 1 failures, 3 server errors");
    requests.add(3, "PUT", "lb/ns-web", 503, "ServiceUnavailable");
    assertThat(account(requests, failure).hasty()).isEmpty();
    assertThat(account(requests, failure).failures()).containsExactly("web: " + failure.message());
  }

  @Test
  void words_ofTheSpec_areFine() {
    String guidance =
        " To retrigger, cause an endpoint change for the Service (e.g., restart or scale a backing"
            + " pod). Poolkeeper also tries again by itself.";
    Account account =
        account(
            new Requests(),
            UPDATED,
            CONFLICT,
            UNSENT,
            failed("Backend pool update failed after 3 retries: HTTP 409 Conflict: x." + guidance),
            failed(
                "Backend pool update failed (non-retriable): HTTP 503 X: y."
                    + " Poolkeeper also tries again by itself."));

    assertThat(account.words()).isEmpty();
  }

  @Test
  void words_ofAnotherKindOrType_areSeen() {
    Account account =
        account(
            new Requests(),
            told("Warning", UPDATED.reason(), UPDATED.message()),
            told("Normal", CONFLICT.reason(), CONFLICT.message()),
            failed("Backend pool update failed (non-retriable): HTTP 503 X: y."),
            told("Warning", "LoadBalancerBackendPoolUpdateForgotten", CONFLICT.message()));

    assertThat(account.words()).hasSize(4);
  }

  @Test
  void byReason_countsRepeats() {
    Told twice = new Told("web", UPDATED.type(), UPDATED.reason(), UPDATED.message(), 2);

    assertThat(account(new Requests(), twice, UPDATED).byReason())
        .isEqualTo(Map.of("LoadBalancerBackendPoolUpdated", 3));
  }
}
