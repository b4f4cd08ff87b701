package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Optional;

/**
 * The result of a call.
 *
 * @param accepted whether it was a write that was accepted, a no-op included
 * @param changed whether anything in the model changed
 * @param started the operation that it started and that must be completed; empty if there is none
 * @param superseded whether it cancelled a running operation
 * @param poolWrite the pool entries of an accepted PUT
 */
public record Handled(
    ArmAnswer answer,
    boolean accepted,
    boolean changed,
    Optional<String> started,
    boolean superseded,
    Optional<PoolWrite> poolWrite) {

  public record PoolWrite(PoolId pool, List<PoolMember> members) {}

  static Handled unchanged(ArmAnswer answer) {
    return new Handled(answer, false, false, Optional.empty(), false, Optional.empty());
  }

  static Handled notAllowed(ArmCall call) {
    return unchanged(ArmError.METHOD_NOT_ALLOWED.answer(call.rawPath()));
  }

  /** The answer to a DELETE of what does not exist. */
  static Handled absent() {
    return unchanged(ArmAnswer.empty(204));
  }

  /** The answer to a call that may only read. */
  static Handled read(ArmCall call, ArmAnswer answer) {
    return call.method() == Method.GET ? unchanged(answer) : notAllowed(call);
  }

  public static Handled internalError(String message) {
    return unchanged(ArmAnswer.provider(500, "InternalServerError", message));
  }

  static Handled noop(ArmAnswer answer) {
    return new Handled(answer, true, false, Optional.empty(), false, Optional.empty());
  }

  static Handled changed(ArmAnswer answer) {
    return new Handled(answer, true, true, Optional.empty(), false, Optional.empty());
  }

  static Handled started(ArmAnswer answer, String operation, boolean superseded) {
    return new Handled(answer, true, true, Optional.of(operation), superseded, Optional.empty());
  }

  Handled with(ArmAnswer other) {
    return new Handled(other, accepted, changed, started, superseded, poolWrite);
  }

  Handled writing(PoolWrite write) {
    return new Handled(answer, accepted, changed, started, superseded, Optional.of(write));
  }
}
