package io.poolkeeper.armsim.model;

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
  CONFLICT
}
