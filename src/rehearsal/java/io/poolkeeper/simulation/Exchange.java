package io.poolkeeper.simulation;

import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.Optional;

/** One exchange of a process with ARM, seen from its end of the wire. */
final class Exchange {
  final ArmCall call;
  final Optional<Attempt> attempt;

  /** The pool that it, or the write that it follows, is about. */
  final Optional<PoolId> whose;

  final Instant sentAt;

  /** Whether it looks at a pool that the cloud provider has written, outside of a permit. */
  final boolean asked;

  private final Wire.Reply reply;
  private int status;

  Exchange(
      ArmCall call,
      boolean asked,
      Optional<Attempt> attempt,
      Optional<PoolId> whose,
      Wire.Reply reply,
      Instant sentAt) {
    this.asked = asked;
    this.call = call;
    this.attempt = attempt;
    this.whose = whose;
    this.reply = reply;
    this.sentAt = sentAt;
  }

  boolean write() {
    return call.method() == ArmCall.Method.PUT;
  }

  /** As the metric of the controller calls it. */
  String kind() {
    if (write()) {
      return "put";
    }
    if (call.path().pool().isPresent()) {
      return asked ? "look" : "get";
    }
    return call.path().listsBalancers() ? "list" : "poll";
  }

  /** Whether anybody still waits for the answer. */
  boolean awaited() {
    return reply.awaited();
  }

  /** The status that arrived; 0 before. */
  int status() {
    return status;
  }

  boolean answered() {
    return status != 0;
  }

  boolean mayBeRepeated() {
    return ArmFailure.REPEATED.contains(status);
  }

  void arrived(int with) {
    status = with;
  }
}
