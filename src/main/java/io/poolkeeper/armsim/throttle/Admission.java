package io.poolkeeper.armsim.throttle;

import io.poolkeeper.armsim.protocol.ArmAnswer;

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
      String word = request.kind() == Kind.READ ? "read" : "write or delete";
      return networkAnswer(
          "Number of '%s' requests for subscription '%s' in region '%s' exceeded the limit of %d"
                  .formatted(
                      word,
                      request.subscription(),
                      request.region().orElse(""),
                      by.windowLimit(request.kind()))
              + " in %d seconds. Please try again after '%d' seconds."
                  .formatted(by.networkWindowSeconds(), seconds),
          seconds);
    }
  }

  /** The answer of Resource Manager when a bucket is empty. */
  static ArmAnswer armAnswer(Request request, long seconds) {
    return ArmAnswer.gateway(
            429,
            "SubscriptionRequestsThrottled",
            "Number of '%s' requests for subscription '%s' actor '%s' exceeded."
                    .formatted(request.kind().word(), request.subscription(), request.principal())
                + " Please try again after '%d' seconds after additional tokens are available."
                    .formatted(seconds)
                + " Refer to https://aka.ms/arm-throttling for additional information.")
        .with("Retry-After", Long.toString(seconds));
  }

  /** The answer of the network provider when a window is full. */
  static ArmAnswer networkAnswer(String message, long seconds) {
    return ArmAnswer.provider(429, "TooManyRequests", message)
        .with("x-ms-failure-cause", "service")
        .with("Retry-After", Long.toString(seconds));
  }
}
