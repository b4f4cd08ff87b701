package io.poolkeeper.arm;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.RequestIds;
import io.poolkeeper.model.Verdict;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The failure behind an error is found wherever in a tangle of causes it hides. */
class ArmExceptionTest {
  private static final ArmFailure CONFLICT =
      new ArmFailure(Kind.RESPONSE, 412, "PreconditionFailed", "no");
  private final ArmException arm = new ArmException(CONFLICT);

  @Test
  void failure_wrappedOrSuppressed_isFound() {
    var suppressing = new IllegalStateException("outer");
    suppressing.addSuppressed(new RuntimeException(arm));

    assertThat(ArmException.failureIn(arm)).isEqualTo(CONFLICT);
    assertThat(ArmException.failureIn(new CompletionException(new RuntimeException(arm))))
        .isEqualTo(CONFLICT);
    assertThat(ArmException.failureIn(new CompletionException(suppressing))).isEqualTo(CONFLICT);
  }

  @Test
  void failure_circleOfCauses_isLeft() {
    var one = new RuntimeException("one");
    var other = new RuntimeException("other", one);
    one.initCause(other);

    assertThat(ArmException.failureIn(one).kind()).isEqualTo(Kind.OTHER);
    one.addSuppressed(arm);
    assertThat(ArmException.failureIn(other)).isEqualTo(CONFLICT);
  }

  @Test
  void failure_nearerOne_wins() {
    var near = new ThrottledException("", "slow", Instant.EPOCH, RequestIds.NONE);
    var outer = new RuntimeException(near);
    outer.addSuppressed(new RuntimeException(arm));

    assertThat(ArmException.failureIn(outer)).isEqualTo(near.failure());
  }

  @Test
  void failure_cancellation_isShutdown() {
    assertThat(ArmException.failureIn(new CompletionException(new CancellationException())).kind())
        .isEqualTo(Kind.SHUTDOWN);
  }

  @Test
  void failure_timeoutOrAnythingElseNotOptedIn_isTerminal() {
    for (Throwable error : new Throwable[] {new TimeoutException("t"), new IOException("i")}) {
      ArmFailure failure = ArmException.failureIn(error);
      assertThat(failure).isEqualTo(new ArmFailure(Kind.OTHER, 0, "", error.toString()));
      assertThat(failure.verdict()).isEqualTo(Verdict.TERMINAL);
    }
  }
}
