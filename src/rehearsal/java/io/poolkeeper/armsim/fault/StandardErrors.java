package io.poolkeeper.armsim.fault;

import io.poolkeeper.armsim.fault.Behavior.RetryAfterForm;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.DerivedGuid;
import io.poolkeeper.armsim.protocol.Links;
import io.poolkeeper.armsim.throttle.Request;
import io.poolkeeper.armsim.throttle.ThrottleDecision;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The answers of rules. Without a body in the rule it is Azure's for the status: those of 409, 412
 * and 429 were recorded, the others are only plausible. {@code Retry-After} is present only if the
 * rule has one.
 */
public final class StandardErrors {
  private static final String INJECTED = "Injected by a fault rule.";
  private static final String RETRY_AFTER = "Retry-After";
  private static final int THROTTLED = 429;
  private static final int ERRORS = 400;

  /** The seconds in a text without a given wait. */
  private static final int SECONDS = 10;

  private StandardErrors() {}

  public static ArmAnswer answer(FaultRule rule, ArmCall call, Request request, Instant now) {
    int status = rule.status().orElse(500);
    ArmAnswer answer =
        rule.body()
            .map(body -> given(status, rule, body))
            .orElseGet(() -> answer(status, rule, call, request));
    return advised(answer, rule, now);
  }

  public static ArmAnswer poll(
      int status, FaultRule rule, ArmCall call, Request request, Instant now) {
    return advised(answer(status, rule, call, request), rule, now);
  }

  private static ArmAnswer given(int status, FaultRule rule, String body) {
    String code = rule.code().orElse(status >= ERRORS ? "InjectedFault" : "");
    var answer = new ArmAnswer(status, code, Optional.of(out -> out.writeRaw(body)), Map.of());
    return answer.with("Content-Type", rule.contentType());
  }

  private static ArmAnswer advised(ArmAnswer plain, FaultRule rule, Instant now) {
    ArmAnswer answer =
        rule.failureCause().map(cause -> plain.with("x-ms-failure-cause", cause)).orElse(plain);
    Optional<String> text = rule.retryAfter();
    if (text.isPresent()) {
      boolean date = text.get().startsWith(FaultRule.DATE);
      return answer.with(RETRY_AFTER, date ? RetryAfterForm.date(now, seconds(rule)) : text.get());
    }
    return answer.without(RETRY_AFTER);
  }

  private static int seconds(FaultRule rule) {
    return rule.retryAfterSeconds().orElse(SECONDS);
  }

  private static ArmAnswer answer(int status, FaultRule rule, ArmCall call, Request request) {
    if (rule.code().isPresent()) {
      return coded(status, rule.code().get(), rule, request);
    }
    if (status < ERRORS) {
      return ArmAnswer.empty(status);
    }
    return switch (status) {
      case 408 -> ArmError.REQUEST_TIMEOUT.answer();
      case 409 -> conflict(call, request);
      case 412 ->
          ArmError.ETAG_MISMATCH.answer(
              call.ifMatch().orElse("W/\"invalid\""), "W/\"" + guid(call) + "\"", call.rawPath());
      case THROTTLED -> ThrottleDecision.armAnswer(request, seconds(rule));
      case 500 -> ArmError.INTERNAL_ERROR.answer();
      case 502 -> ArmError.BAD_GATEWAY.answer();
      case 503 -> ArmError.UNAVAILABLE.answer();
      case 504 -> ArmError.GATEWAY_TIMEOUT.answer();
      default -> ArmAnswer.provider(status, "InjectedFault", INJECTED);
    };
  }

  /** Recorded codes have their own texts. */
  private static ArmAnswer coded(int status, String code, FaultRule rule, Request request) {
    String message = rule.message().orElse(INJECTED);
    if (rule.detail().isPresent()) {
      return ArmAnswer.provider(status, code, message, rule.detail().get(), INJECTED);
    }
    return switch (status == THROTTLED && rule.message().isEmpty() ? code : "") {
      case "SubscriptionRequestsThrottled" -> ThrottleDecision.armAnswer(request, seconds(rule));
      case "TooManyRequests" ->
          ThrottleDecision.networkAnswer(
              seconds(rule),
              ArmError.TOO_MANY_REQUESTS.answer(request.subscription(), seconds(rule)));
      case "RetryableError" -> ArmError.RETRY_AFTER_ERROR.answer();
      default -> ArmAnswer.provider(status, code, message);
    };
  }

  private static ArmAnswer conflict(ArmCall call, Request request) {
    String region = request.region().filter(known -> !known.isEmpty()).orElse("eastus");
    String link = Links.operation(call, request.subscription(), region, "operations", guid(call));
    return ArmError.ANOTHER_OPERATION.answer(link);
  }

  private static String guid(ArmCall call) {
    return DerivedGuid.of(call.rawPath()).toString();
  }
}
