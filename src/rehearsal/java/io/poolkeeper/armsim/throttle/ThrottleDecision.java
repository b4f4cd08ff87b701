package io.poolkeeper.armsim.throttle;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.throttle.Request.Kind;
import java.util.Map;
import java.util.Optional;

/** Whether a request is admitted (then no refusal is there), and the remaining calls. */
public record ThrottleDecision(Remaining remaining, Optional<Refusal> refusal) {
  /**
   * The answer to a request that is not admitted; its {@code Retry-After} is in seconds.
   *
   * @param by the throttle: {@code arm}, before the provider, or {@code network}
   */
  public record Refusal(String by, ArmAnswer answer) {}

  static Refusal byNetwork(Request request, ThrottleSettings by, long seconds) {
    ArmAnswer error =
        ArmError.THROTTLED_BY_NETWORK.answer(
            request.kind() == Kind.READ ? "read" : "write or delete",
            request.subscription(),
            request.region().orElse(""),
            by.windowLimit(request.kind()),
            by.networkWindowSeconds(),
            seconds);
    return new Refusal("network", networkAnswer(seconds, error));
  }

  public static ArmAnswer armAnswer(Request request, long seconds) {
    return ArmError.THROTTLED_BY_ARM
        .answer(request.kind().word(), request.subscription(), request.principal(), seconds)
        .with("Retry-After", Long.toString(seconds));
  }

  public static ArmAnswer networkAnswer(long seconds, ArmAnswer error) {
    return error.with("x-ms-failure-cause", "service").with("Retry-After", Long.toString(seconds));
  }

  /**
   * The tokens in Resource Manager's buckets after a request, for the headers of its answer.
   *
   * @param local in the principal's own bucket
   * @param global in the subscription's, which all principals share
   */
  public record Remaining(Kind kind, long local, long global) {
    public Map<String, String> headers() {
      String prefix = "x-ms-ratelimit-remaining-subscription-";
      return Map.of(
          prefix + kind.plural(), Long.toString(local),
          prefix + "global-" + kind.plural(), Long.toString(global));
    }
  }
}
