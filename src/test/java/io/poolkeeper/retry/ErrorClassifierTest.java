package io.poolkeeper.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ThrottledException;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every error has one verdict, wherever in a tangle of causes it hides. */
class ErrorClassifierTest {
  private static final ArmFailure CONFLICT =
      new ArmFailure(Kind.RESPONSE, 412, "PreconditionFailed", "no");
  private final ArmException arm = new ArmException(CONFLICT);

  private static Verdict verdict(Kind kind, int status, String code) {
    return ErrorClassifier.verdict(new ArmFailure(kind, status, code, "no"));
  }

  @Test
  void verdict_everyStatus_isRetriableForConflictsStaleForNotFoundElseTerminal() {
    for (int status = 300; status < 600; status++) {
      Verdict expected =
          status == 404
              ? Verdict.STALE
              : Set.of(409, 412).contains(status) ? Verdict.RETRIABLE : Verdict.TERMINAL;
      assertThat(verdict(Kind.RESPONSE, status, "Any")).as("%d", status).isEqualTo(expected);
    }
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
          case THROTTLED, TRANSPORT, CANCELED, UNRESOLVED -> Verdict.RETRIABLE;
          case RESPONSE, UNTRUSTED, MALFORMED, AUTHENTICATION, OPERATION, OTHER -> Verdict.TERMINAL;
          case SHUTDOWN -> Verdict.SHUTDOWN;
        };
    ArmFailure failure =
        kind == Kind.THROTTLED
            ? ArmFailure.throttled("", "no", Instant.EPOCH)
            : new ArmFailure(kind, 0, "", "no");

    assertThat(ErrorClassifier.verdict(failure)).isEqualTo(expected);
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

  @Test
  void failure_wrappedOrSuppressed_isFound() {
    var suppressing = new IllegalStateException("outer");
    suppressing.addSuppressed(new RuntimeException(arm));

    assertThat(ErrorClassifier.failure(arm)).isEqualTo(CONFLICT);
    assertThat(ErrorClassifier.failure(new CompletionException(new RuntimeException(arm))))
        .isEqualTo(CONFLICT);
    assertThat(ErrorClassifier.failure(new CompletionException(suppressing))).isEqualTo(CONFLICT);
  }

  @Test
  void failure_circleOfCauses_isLeft() {
    var one = new RuntimeException("one");
    var other = new RuntimeException("other", one);
    one.initCause(other);

    assertThat(ErrorClassifier.failure(one).kind()).isEqualTo(Kind.OTHER);
    one.addSuppressed(arm);
    assertThat(ErrorClassifier.failure(other)).isEqualTo(CONFLICT);
  }

  @Test
  void failure_nearerOne_wins() {
    var near = new ThrottledException("", "slow", Instant.EPOCH);
    var outer = new RuntimeException(near);
    outer.addSuppressed(new RuntimeException(arm));

    assertThat(ErrorClassifier.failure(outer)).isEqualTo(near.failure());
  }

  @Test
  void failure_cancellation_isShutdown() {
    assertThat(ErrorClassifier.failure(new CompletionException(new CancellationException())).kind())
        .isEqualTo(Kind.SHUTDOWN);
  }

  @Test
  void failure_timeoutOrAnythingElseNotOptedIn_isTerminal() {
    for (Throwable error : new Throwable[] {new TimeoutException("t"), new IOException("i")}) {
      ArmFailure failure = ErrorClassifier.failure(error);
      assertThat(failure).isEqualTo(new ArmFailure(Kind.OTHER, 0, "", error.toString()));
      assertThat(ErrorClassifier.verdict(failure)).isEqualTo(Verdict.TERMINAL);
    }
  }
}
