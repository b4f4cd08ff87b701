package io.poolkeeper.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.AzureError.Ender;
import io.poolkeeper.model.AzureError.Reach;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every code of docs/topics/multislb.md is judged as it says there. */
class AzureErrorTest {
  private static final Path PAGE = Path.of("docs", "topics", "multislb.md");
  private static final String HEAD = "| status | code |";

  /** Status, code, whether it is retried, gate, cause: one for each code of the table. */
  static Stream<Arguments> documented() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.startsWith(HEAD))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .flatMap(
            cells ->
                Arrays.stream(cells.get(2).split(", ", -1))
                    .map(
                        code ->
                            Arguments.of(
                                cells.get(1).equals("operation")
                                    ? 0
                                    : Integer.valueOf(cells.get(1)),
                                code.equals("any other") ? "Xyz" : code.replace("`", ""),
                                cells.get(3),
                                cells.get(4),
                                cells.get(5))));
  }

  @ParameterizedTest
  @MethodSource("documented")
  void of_aCodeOfTheDocumentation_isJudgedAsItSays(
      int status, String code, String retried, String gate, String cause) {
    for (String spelt : List.of(code, code.toLowerCase(Locale.ROOT), code.replace("*", "Xyz"))) {
      AzureError error = AzureError.of(status, spelt);

      assertThat(error.verdict() == Verdict.RETRIABLE).as(spelt).isEqualTo(retried.equals("yes"));
      assertThat(error.reach())
          .as(spelt)
          .isEqualTo(
              switch (gate) {
                case "subscription" -> Reach.SUBSCRIPTION;
                case "load balancer" -> Reach.LOAD_BALANCER;
                case "load balancer, then subscription" -> Reach.SECOND;
                default -> Reach.NONE;
              });
      assertThat(cause).as(spelt).startsWith("`" + error.ender().key() + "`: ");
      assertThat(error.ender() == Ender.TIME).as(spelt).isEqualTo(cause.contains("it passes"));
    }
  }

  @Test
  void documentation_hasEveryErrorOfTheTable() throws IOException {
    assertThat(
            documented()
                .map(row -> AzureError.of((Integer) row.get()[0], (String) row.get()[1]))
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(AzureError.values());
  }

  @Test
  void verdict_everyOtherCodeOf409_isRetriable_asSpec1Says() {
    for (String code : List.of("", "Xyz", "ResourceGroupBeingDeleted", "LoadBalancerInUse")) {
      assertThat(new ArmFailure(Kind.RESPONSE, 409, code, "").verdict())
          .isEqualTo(Verdict.RETRIABLE);
    }
    ArmFailure locked = new ArmFailure(Kind.RESPONSE, 409, "scopelocked", "");
    assertThat(locked.verdict()).isEqualTo(Verdict.TERMINAL);
    assertThat(locked.reason()).isEqualTo(RetryReason.TERMINAL);
    assertThat(locked.permitResult(true)).isEqualTo(PermitResult.FAILED);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      textBlock =
          """
          RetryableError, none, RetryableError
          RetryableError, RetryableErrorDueToTooManyCalls, RetryableErrorDueToTooManyCalls
          RetryableError, GatewayError+retryableerrorduetotoomanycallstothisoperation, retryableerrorduetotoomanycallstothisoperation
          RetryableError, GatewayError, GatewayError
          RetryableError, SomethingNew, SomethingNew
          OperationNotAllowed, TooManyRequests, TooManyRequests
          TooManyRequests, RetryableErrorDueToAnotherOperation, TooManyRequests
          New, Newer, Newer
          New, Other, New
          """)
  void decisive_ofAThrottle_isTheOneThatReachesFarthest(String code, String details, String one) {
    List<String> all = details == null ? List.of() : List.of(details.split("\\+", -1));

    assertThat(AzureError.decisive(429, code, all)).isEqualTo(one);
  }

  @Test
  void named_inAzuresMessage_isTheLockOrTheAssignment() {
    String scope = "/subscriptions/s/resourceGroups/MC rg/providers/x/loadBalancers/lb";
    String lock = "/subscriptions/s/providers/Microsoft.Authorization/locks/no-touch";

    assertThat(
            AzureError.SCOPE_LOCKED.named(
                "The scope '"
                    + scope
                    + "/p' cannot perform write operation because following"
                    + " scope(s) are locked: '"
                    + scope
                    + "'. Please remove the lock."))
        .isEqualTo(scope);
    assertThat(AzureError.SCOPE_LOCKED.named("It is locked: '" + scope + "' by " + lock + "."))
        .isEqualTo(lock);
    assertThat(
            AzureError.DISALLOWED_BY_POLICY.named(
                "Resource 'web' was disallowed by policy. Policy identifiers: '[{"
                    + "\"policyAssignment\":{\"name\":\"Interdire l'accès\",\"id\":\"/x/p\"},"
                    + "\"policyDefinition\":{\"name\":\"Other\"}}]'."))
        .isEqualTo("Interdire l'accès");
    assertThat(AzureError.DISALLOWED_BY_POLICY.named("by /s/policyAssignments/deny-it."))
        .startsWith("deny-it");
    assertThat(
            AzureError.DENY_ASSIGNMENT.named(
                "denied because of the deny assignment with name 'aks' and Id 'x'"))
        .isEqualTo("aks");
    assertThat(
            AzureError.DENY_ASSIGNMENT.named(
                "because of the deny assignment with name 'Stack of l'équipe' and Id 'x' at scope"))
        .isEqualTo("Stack of l'équipe");
  }

  @Test
  void named_hostileOrMissing_isNothing() {
    for (AzureError error : AzureError.values()) {
      for (String message :
          List.of(
              "", "locked: '<b>'", "locked: '" + "x".repeat(1_000) + "'", "policyAssignments/")) {
        assertThat(error.named(message)).as("%s: %s", error, message).isEmpty();
      }
    }
  }

  @Test
  void explained_ofWhatNoRoleEnds_saysSo() {
    assertThat(new ArmFailure(Kind.RESPONSE, 409, "ScopeLocked", "Locked").explained())
        .isEqualTo("HTTP 409 ScopeLocked: Locked. " + Ender.LOCK.words());
    assertThat(new ArmFailure(Kind.RESPONSE, 400, "Bad", "No.").explained())
        .isEqualTo("HTTP 400 Bad: No.");
  }
}
