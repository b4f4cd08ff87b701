package io.poolkeeper.arm.azure;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.AzureError;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.RetryReason;
import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * Follows a write that ARM has accepted until it has succeeded or failed. If polling fails, the end
 * is unknown, unless ARM says that the write was superseded. The caller sets a deadline.
 *
 * <p>The SDK's poller is not used: it polls at one fixed interval, loses ARM's error code when a
 * write is cancelled, and takes a refused poll for a failed write.
 */
final class OperationPoll {
  private static final String SUCCEEDED = "Succeeded";
  private static final String FAILED = "Failed";
  static final String CANCELED = "Canceled";

  private final ArmCalls calls;
  private final LoadBalancerId loadBalancer;
  private final Threads threads;

  /** Follows writes of a load balancer. */
  OperationPoll(ArmCalls calls, LoadBalancerId loadBalancer, Threads threads) {
    this.calls = calls;
    this.loadBalancer = loadBalancer;
    this.threads = threads;
  }

  private record Poll(int number, Answer answer, Json body, String status) {
    boolean hasEnded() {
      return isEnd(status);
    }
  }

  /** Completes when the accepted write has succeeded. */
  Mono<Void> follow(Answer accepted) {
    Optional<String> state;
    try {
      state =
          Json.of(accepted)
              .object("properties")
              .flatMap(properties -> properties.text("provisioningState"));
    } catch (ArmException unreadable) {
      // The operation may show the end although the write's answer has no body.
      return accepted.operation().isPresent()
          ? poll(accepted)
          : Mono.error(Failures.unresolved(unreadable));
    }
    boolean follows = accepted.operation().isPresent();
    // An answer without a state has succeeded if there is no operation to follow.
    String status = state.orElse(follows ? "unknown" : SUCCEEDED);
    if (SUCCEEDED.equalsIgnoreCase(status)) {
      return Mono.empty();
    }
    if (follows) {
      return poll(accepted);
    }
    return Mono.error(
        isEnd(status)
            ? Failures.operation(status, new ErrorBody("", "ARM gave no reason"), accepted.ids())
            : Failures.unresolved("it is " + status + ", but ARM named no operation to follow"));
  }

  private Mono<Void> poll(Answer accepted) {
    String url = accepted.operation().orElseThrow();
    return step(url, 0, accepted)
        .expand(
            poll -> poll.hasEnded() ? Mono.empty() : step(url, poll.number() + 1, poll.answer()))
        .filter(Poll::hasEnded)
        .next()
        .flatMap(OperationPoll::end);
  }

  /** A poll without a usable answer is followed by another, as the operation goes on. */
  private Mono<Poll> step(String url, int number, Answer previous) {
    return ask(url, number, previous)
        .onErrorResume(OperationPoll::isPassing, failed -> ask(url, number + 1, previous))
        .onErrorMap(OperationPoll::outcome);
  }

  private static boolean isPassing(Throwable failed) {
    ArmFailure failure = Failures.of(failed).failure();
    return failure.reason() == RetryReason.TRANSPORT
        || (failure.kind() == ArmFailure.Kind.RESPONSE
            && ArmFailure.REPEATED.contains(failure.status()));
  }

  private Mono<Poll> ask(String url, int number, Answer previous) {
    return Mono.delay(PollCadence.pause(number, previous.retryAfter()), threads.delays())
        .then(Mono.defer(() -> calls.get(ArmCalls.POLL, loadBalancer, url)))
        .map(answer -> read(number, answer));
  }

  private static Poll read(int number, Answer answer) {
    Json body = Json.of(answer.expect(200, 299));
    return new Poll(number, answer, body, body.requiredText("status"));
  }

  /** A failed poll leaves the end unknown, unless ARM says that the write was superseded. */
  private static ArmException outcome(Throwable failed) {
    ArmFailure failure = Failures.of(failed).failure();
    return failure.error() == AzureError.SUPERSEDED && failure.status() != 0
        ? Failures.operation(
            CANCELED, new ErrorBody(failure.code(), failure.message()), failure.ids())
        : Failures.unresolved(failed);
  }

  private static Mono<Void> end(Poll last) {
    if (last.status().equalsIgnoreCase(SUCCEEDED)) {
      return Mono.empty();
    }
    ErrorBody error = ErrorBody.of(last.body(), 0).orElse(new ErrorBody("", "ARM gave no reason"));
    return Mono.error(Failures.operation(last.status(), error, last.answer().ids()));
  }

  /** Whether the operation has ended; any other status counts as running. */
  private static boolean isEnd(String status) {
    return status.equalsIgnoreCase(SUCCEEDED)
        || status.equalsIgnoreCase(FAILED)
        || status.equalsIgnoreCase(CANCELED);
  }
}
