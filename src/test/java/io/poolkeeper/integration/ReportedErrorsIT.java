package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.FAILED;
import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.RETRYING;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of Azure that operators have reported: events, page and status say who ends them. */
class ReportedErrorsIT {
  private static final String SECOND = "Second-LB";
  private static final String LOCK =
      "/subscriptions/s/resourceGroups/rg-1/providers/Microsoft.Authorization/locks/no-touch";

  private final ControllerFixture fixture = new ControllerFixture();

  @BeforeEach
  void start() throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    fixture.arm.put(LB, seed("web"));
    fixture.arm.put(SECOND, seed("api"));
    fixture.startController("");
    fixture.awaitReady();
  }

  private Seed seed(String service) {
    String prefix = fixture.cluster.service(service);
    fixture.cluster.endpoints(service, "n1");
    return Seed.of("shop-" + service, prefix).holding(Map.of("10.0.0.1", "n1"));
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void refused(String members) {
    fixture.arm.fault(
        "{\"method\":\"PUT\",\"path\":\"/shop-web$\",%s}"
            .formatted(members.replace('\'', '"').replace("`", "\\\"")));
    fixture.cluster.endpoints("web", "n2");
  }

  /** The only cause of the page. */
  private JsonNode cause(String key) {
    eventually(
        () ->
            assertThat(fixture.get("/api/v1/status").json().at("/causes/0/key").asText())
                .isEqualTo(key));
    return fixture.get("/api/v1/status").json().at("/causes/0");
  }

  private String asked(String command, String... arguments) {
    return Command.ask("--url", fixture.url().toString(), command, arguments).out();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'code':'RetryableError','detail':'RetryableErrorDueToTooManyCalls'",
        "'body':'{`Error`:{`Code`:`RetryableError`,`Details`:"
            + "[{`Code`:`RetryableErrorDueToTooManyCalls`}]}}'"
      })
  void row1_aQuotaInTheFormOfALock_holdsAllWrites(String form) {
    refused("'status':429,'retryAfter':'25'," + form);
    assertThat(cause("throttled").at("/parameters/at").asText())
        .isEqualTo("all writes of the subscription");
    int mark = fixture.arm.mark();

    fixture.cluster.endpoints("api", "n2");

    eventually(
        () ->
            assertThat(fixture.pool(SECOND, "shop-api").at("/cause/title").asText())
                .isEqualTo("Azure throttles all writes of the subscription"));
    assertThat(fixture.arm.requests("PUT", SECOND, "shop-api", mark)).isEmpty();
    assertThat(asked("status")).contains("Azure throttles");
  }

  @Test
  void row6_aResourceLock_isACauseOfItsOwnWithoutRetries() {
    int mark = fixture.arm.mark();
    refused(
        ("'status':409,'code':'ScopeLocked','message':'The scope cannot perform write operation"
                + " because following scope(s) are locked: <b>%s</b>. Please remove the lock.'")
            .formatted(" " + LOCK + " "));

    JsonNode cause = cause("resource-lock");

    assertThat(cause.path("title").asText()).isEqualTo("A resource lock forbids to write: " + LOCK);
    assertThat(cause.path("more").asText()).startsWith("An Owner or User Access Administrator");
    assertThat(cause.path("alert").asText()).isEqualTo("PoolkeeperDenied");
    assertThat(cause.path("fix").toString()).contains("az rest").doesNotContain("role assignment");
    assertThat(fixture.awaitEvents("web", FAILED).getFirst().getMessage())
        .startsWith("Backend pool update failed (non-retriable): HTTP 409 ScopeLocked: The scope")
        .contains("A resource lock forbids it. Who may delete locks can end this.");
    assertThat(fixture.events("web", RETRYING)).isEmpty();
    assertThat(fixture.arm.requests("PUT", LB, "shop-web", mark)).hasSize(1);
    assertThat(asked("status")).contains("a resource lock forbids to write", LOCK);
    assertThat(asked("explain", "web")).contains("ScopeLocked").doesNotContain("role assignment");
  }

  @Test
  void row7_aPolicy_isACauseOfItsOwnWithoutARole() {
    refused(
        "'status':403,'code':'RequestDisallowedByPolicy','message':'Resource web was disallowed by"
            + " policy. Identifiers: policyAssignments/deny-pools'");

    JsonNode cause = cause("policy-denies");

    assertThat(cause.path("title").asText())
        .isEqualTo("Azure Policy forbids to write: assignment deny-pools");
    assertThat(cause.path("fix")).isEmpty();
    assertThat(fixture.awaitEvents("web", FAILED).getFirst().getMessage())
        .contains(
            "HTTP 403 RequestDisallowedByPolicy: Resource web",
            "Azure Policy forbids it. The assignment's owner can exempt it.");
    assertThat(asked("status"))
        .contains("Azure Policy forbids to write", "deny-pools")
        .doesNotContain("role assignment");
  }
}
