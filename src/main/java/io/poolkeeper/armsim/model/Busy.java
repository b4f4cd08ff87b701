package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.Links;

/**
 * Ends the handling of a write that met a running operation and may not supersede it. Carries the
 * data of the refusal; never leaves the model.
 */
final class Busy extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient LoadBalancer balancer;
  private final transient Operation running;
  private final transient Terms terms;

  Busy(LoadBalancer balancer, Operation running, Terms terms) {
    super(running.id(), null, false, false);
    this.balancer = balancer;
    this.running = running;
    this.terms = terms;
  }

  /** The answer to the write that was refused. */
  ArmAnswer answer(ArmCall call) {
    return switch (terms.contention()) {
      case SUPERSEDE -> throw new IllegalStateException("nothing to refuse: " + running.id());
      case RETRYABLE -> retryable();
      case CONFLICT -> conflict(call);
    };
  }

  private ArmAnswer retryable() {
    return ArmAnswer.provider(
            429,
            "RetryableError",
            "A retryable error occurred.",
            "RetryableErrorDueToAnotherOperation",
            "Operation %s is updating resource %s. The call can be retried in %d seconds."
                .formatted(running.reference(), balancer.id().path(), terms.retrySeconds()))
        .with("x-ms-failure-cause", "service")
        .with("Retry-After", Integer.toString(terms.retrySeconds()));
  }

  private ArmAnswer conflict(ArmCall call) {
    String link =
        Links.operation(
            call,
            balancer.id().subscription(),
            balancer.content().location(),
            "operations",
            running.id());
    return ArmAnswer.provider(
        409,
        "AnotherOperationInProgress",
        "Another operation on this or dependent resource is in progress. To retrieve status of the"
            + " operation use uri: "
            + link);
  }
}
