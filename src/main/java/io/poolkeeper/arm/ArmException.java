package io.poolkeeper.arm;

import io.poolkeeper.model.ArmFailure;

/** The only exception that a future of the ports in this package fails with. */
public class ArmException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ArmFailure failure;

  public ArmException(ArmFailure failure, Throwable cause) {
    super(failure.toString(), cause);
    this.failure = failure;
  }

  public ArmException(ArmFailure failure) {
    super(failure.toString());
    this.failure = failure;
  }

  /** One whose message is not the failure's. */
  ArmException(String message, ArmFailure failure) {
    super(message);
    this.failure = failure;
  }

  public ArmFailure failure() {
    return failure;
  }
}
