package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.resource.Resource;
import java.util.Optional;

/**
 * The fate of a write that arrives while an operation runs on the same load balancer. Azure was
 * seen to do all three; a refused write changes nothing.
 */
public enum Contention {
  /** The write is accepted and cancels the running operation, whose own write stays. */
  SUPERSEDE,
  /** Refused with 429 {@code RetryableError}, as long as the resource is locked. */
  RETRYABLE,
  /** Refused with 409 {@code AnotherOperationInProgress}, which names the running operation. */
  CONFLICT;

  /** The refusal of a call because of an operation; empty if the call supersedes it. */
  Optional<ArmAnswer> refusal(
      ArmCall call, Resource balancer, Operation running, int retrySeconds) {
    return switch (this) {
      case SUPERSEDE -> Optional.empty();
      case RETRYABLE ->
          Optional.of(
              ArmError.RETRY_AFTER_OPERATION
                  .answer(running.reference(), balancer.id().path(), retrySeconds)
                  .with("Retry-After", Integer.toString(retrySeconds)));
      case CONFLICT ->
          Optional.of(
              ArmError.ANOTHER_OPERATION.answer(
                  Replies.link(call, balancer, "operations", running.id())));
    };
  }
}
