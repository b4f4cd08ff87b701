package io.poolkeeper.armsim.throttle;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmError;

/** Whether a request is admitted, and the remaining calls. */
public sealed interface Admission {
  /** The remaining calls. */
  Remaining remaining();

  /** It is admitted. */
  record Admitted(Remaining remaining) implements Admission {}

  /** Resource Manager refuses it, before the provider. */
  record RefusedByArm(Remaining remaining, Request request, long seconds) implements Admission {
    /** The body is recorded; {@code Retry-After} is in seconds. */
    public ArmAnswer answer() {
      return armAnswer(request, seconds);
    }
  }

  /** The network provider refuses it. */
  record RefusedByNetwork(Remaining remaining, Request request, ThrottleSettings by, long seconds)
      implements Admission {
    /** The code is recorded, the message is not; {@code Retry-After} is in seconds. */
    public ArmAnswer answer() {
      return networkAnswer(
          seconds,
          ArmError.THROTTLED_BY_NETWORK.answer(
              request.kind() == Kind.READ ? "read" : "write or delete",
              request.subscription(),
              request.region().orElse(""),
              by.windowLimit(request.kind()),
              by.networkWindowSeconds(),
              seconds));
    }
  }

  /** The answer of Resource Manager when a bucket is empty. */
  static ArmAnswer armAnswer(Request request, long seconds) {
    return ArmError.THROTTLED_BY_ARM
        .answer(request.kind().word(), request.subscription(), request.principal(), seconds)
        .with("Retry-After", Long.toString(seconds));
  }

  /** The answer of the network provider when a window is full. */
  static ArmAnswer networkAnswer(long seconds, ArmAnswer error) {
    return error.with("x-ms-failure-cause", "service").with("Retry-After", Long.toString(seconds));
  }
}
