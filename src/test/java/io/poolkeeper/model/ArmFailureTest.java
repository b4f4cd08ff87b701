package io.poolkeeper.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure.Kind;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every failure has one verdict, one reason of the closed set, and one result for its permit. */
class ArmFailureTest {
  private static Verdict verdict(Kind kind, int status, String code) {
    return new ArmFailure(kind, status, code, "no").verdict();
  }

  @Test
  void verdict_everyStatus_isRetriableForConflictsStaleForNotFoundElseTerminal() {
    for (int status = 300; status < 600; status++) {
      Verdict expected =
          status == 404
              ? Verdict.STALE
              : Set.of(409, 412, 429).contains(status) ? Verdict.RETRIABLE : Verdict.TERMINAL;
      assertThat(verdict(Kind.RESPONSE, status, "Any")).as("%d", status).isEqualTo(expected);
    }
  }

  /** Of a poll, the end of the write is unknown; of no other failure is it a throttle. */
  @Test
  void refusedAndHeld_everyKind_sayWhoKeptTheCallBack() {
    Optional<Instant> until = Optional.of(Instant.EPOCH);
    ArmFailure poll = new ArmFailure(Kind.UNRESOLVED, 429, "", "no", until);
    ArmFailure unsentPoll = new ArmFailure(Kind.UNRESOLVED, 0, "", "no", until);

    assertThat(List.of(ArmFailure.throttled("", "no", Instant.EPOCH), poll))
        .allMatch(ArmFailure::refused)
        .noneMatch(ArmFailure::held);
    assertThat(List.of(ArmFailure.held("no", Instant.EPOCH), unsentPoll))
        .allMatch(ArmFailure::held)
        .noneMatch(ArmFailure::refused);
    assertThat(EnumSet.complementOf(EnumSet.of(Kind.THROTTLED)))
        .map(kind -> new ArmFailure(kind, 0, "", "no"))
        .noneMatch(failure -> failure.refused() || failure.held());
    assertThat(new ArmFailure(Kind.RESPONSE, 503, "", "no", until))
        .matches(failure -> !failure.refused() && !failure.held());
  }

  @Test
  void held_isWhatTheThrottleIsThatHeldIt_withoutAStatus() {
    ArmFailure held = ArmFailure.held("not sent", Instant.EPOCH);

    assertThat(held).hasToString("not sent");
    assertThat(held.error()).isEqualTo(AzureError.THROTTLED);
    assertThat(held.reason()).isEqualTo(RetryReason.THROTTLED);
    assertThat(held.permitResult(true)).isEqualTo(PermitResult.FAILED);
  }

  @Test
  void explained_ofALongMessage_leavesRoomInAnEvent() {
    RequestIds ids = new RequestIds("c".repeat(36), "r".repeat(36), "");
    ArmFailure failure =
        new ArmFailure(Kind.RESPONSE, 409, "ScopeLocked", "x".repeat(900)).with(ids);

    assertThat(failure.explained())
        .hasSizeLessThan(1024 - 200)
        .contains("xxx... (", ids.toString())
        .endsWith(AzureError.Ender.LOCK.words());
    assertThat(failure.inFull()).contains("x".repeat(900));
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 503, 504})
  void verdict_statusThatTheCallRepeatedItself_isTerminal(int status) {
    assertThat(verdict(Kind.RESPONSE, status, "")).isEqualTo(Verdict.TERMINAL);
  }

  @ParameterizedTest
  @EnumSource
  void verdict_everyKind_hasOne(Kind kind) {
    Verdict expected =
        switch (kind) {
          case THROTTLED, UNCONNECTED, TRANSPORT, CANCELED, UNDONE, UNRESOLVED, WITHHELD ->
              Verdict.RETRIABLE;
          case RESPONSE, UNTRUSTED, MALFORMED, AUTHENTICATION, OPERATION, OTHER -> Verdict.TERMINAL;
          case SHUTDOWN -> Verdict.SHUTDOWN;
        };
    ArmFailure failure =
        kind == Kind.THROTTLED
            ? ArmFailure.throttled("", "no", Instant.EPOCH)
            : new ArmFailure(kind, 0, "", "no");

    assertThat(failure.verdict()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "AnotherOperationInProgress,RETRIABLE",
    "retryableerror,RETRIABLE",
    "RetryableErrorDueToAnotherOperation,RETRIABLE",
    "PreconditionFailedEtagMismatch,RETRIABLE",
    "OperationPreempted,RETRIABLE",
    "InternalServerError,TERMINAL",
    "'',TERMINAL",
    "Retry,TERMINAL"
  })
  void verdict_operationThatFailed_dependsOnWhoseFaultItWas(String code, Verdict expected) {
    assertThat(verdict(Kind.OPERATION, 0, code)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "RESPONSE, 409, CONFLICT",
    "RESPONSE, 412, PRECONDITION",
    "RESPONSE, 403, TERMINAL",
    "RESPONSE, 503, TERMINAL",
    "UNCONNECTED, 0, TRANSPORT",
    "TRANSPORT, 0, TRANSPORT",
    "UNTRUSTED, 0, TERMINAL",
    "MALFORMED, 200, TERMINAL",
    "AUTHENTICATION, 0, TERMINAL",
    "OPERATION, 0, OPERATION",
    "CANCELED, 0, CANCELLED",
    "UNRESOLVED, 0, UNRESOLVED",
    "SHUTDOWN, 0, TERMINAL",
    "OTHER, 0, TERMINAL"
  })
  void reason_kindAndStatus_isTheReason(Kind kind, int status, RetryReason reason) {
    assertThat(new ArmFailure(kind, status, "", "no").reason()).isEqualTo(reason);
  }

  @Test
  void reason_throttle_isThrottled() {
    assertThat(ArmFailure.throttled("", "slow", Instant.EPOCH).reason())
        .isEqualTo(RetryReason.THROTTLED);
  }

  @Test
  void reason_anyFailure_isNeverDrift() {
    Set<RetryReason> reasons =
        Arrays.stream(Kind.values())
            .filter(kind -> kind != Kind.THROTTLED)
            .map(kind -> new ArmFailure(kind, 500, "", "no").reason())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(RetryReason.class)));

    assertThat(reasons).doesNotContain(RetryReason.DRIFT);
  }

  @ParameterizedTest
  @CsvSource({
    "RESPONSE, FAILED",
    "UNCONNECTED, FAILED",
    "TRANSPORT, UNRESOLVED",
    "UNTRUSTED, FAILED",
    "MALFORMED, UNRESOLVED",
    "AUTHENTICATION, FAILED",
    "OPERATION, FAILED",
    "CANCELED, SUPERSEDED",
    "UNRESOLVED, UNRESOLVED",
    "SHUTDOWN, UNRESOLVED",
    "OTHER, UNRESOLVED"
  })
  void permitResult_kind_isInDoubtOnlyAfterAWrite(Kind kind, PermitResult written) {
    ArmFailure failure = new ArmFailure(kind, 0, "", "no");

    assertThat(failure.permitResult(false)).isEqualTo(PermitResult.UNREAD);
    assertThat(failure.permitResult(true)).isEqualTo(written);
    assertThat(failure.afterDoubtfulTry().permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 503, 504})
  void permitResult_serverErrorAfterAPut_isUnresolved(int status) {
    ArmFailure failure = new ArmFailure(Kind.RESPONSE, status, "", "no");

    assertThat(failure.permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
    assertThat(failure.permitResult(false)).isEqualTo(PermitResult.UNREAD);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 404, 409, 412, 501, 505})
  void permitResult_refusedAfterATryThatMayHaveBeenTaken_isUnresolved(int status) {
    ArmFailure refused = new ArmFailure(Kind.RESPONSE, status, "No", "no");
    ArmFailure failure = refused.afterDoubtfulTry();

    assertThat(refused.permitResult(true)).isNotEqualTo(PermitResult.UNRESOLVED);
    assertThat(failure.permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
    assertThat(failure.verdict()).isEqualTo(refused.verdict());
    assertThat(failure.reason()).isEqualTo(refused.reason());
    assertThat(failure).hasToString(refused.toString());
  }

  @Test
  void permitResult_throttledAfterATryThatMayHaveBeenTaken_isUnresolved() {
    ArmFailure failure = ArmFailure.throttled("", "slow", Instant.EPOCH).afterDoubtfulTry();

    assertThat(failure.permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
    assertThat(failure.retryAfter()).contains(Instant.EPOCH);
  }

  @ParameterizedTest
  @CsvSource({
    "RESPONSE, 409, ''",
    "RESPONSE, 412, PreconditionFailed",
    "OPERATION, 0, AnotherOperationInProgress",
    "OPERATION, 0, retryableError"
  })
  void permitResult_otherWriterInTheWay_isConflict(Kind kind, int status, String code) {
    ArmFailure failure = new ArmFailure(kind, status, code, "no");

    assertThat(failure.permitResult(true)).isEqualTo(PermitResult.CONFLICT);
  }

  @ParameterizedTest
  @CsvSource({
    "SUCCEEDED, false",
    "FAILED, false",
    "CONFLICT, true",
    "SUPERSEDED, true",
    "OTHER_WRITER, true",
    "UNRESOLVED, false"
  })
  void contested_result_ifAnotherClientWrites(PermitResult result, boolean contested) {
    assertThat(result.contested()).isEqualTo(contested);
  }

  @Test
  void permitResult_throttled_isFailed() {
    assertThat(ArmFailure.throttled("", "slow", Instant.EPOCH).permitResult(true))
        .isEqualTo(PermitResult.FAILED);
  }
}
