package io.poolkeeper.armsim.behavior;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Contention;
import io.poolkeeper.armsim.throttle.ThrottleSettings;

/**
 * How the simulator is at the moment, beside its fault rules.
 *
 * @param contention what becomes of a write that meets another one
 * @param contentionRetrySeconds when a write that is refused as {@code RetryableError} may be
 *     retried, as the refusal says; the simulator itself does not wait for it
 * @param retryAfter the form of {@code Retry-After} in all answers with status 429, but for those
 *     of fault rules that give their own
 */
public record Behavior(
    Contention contention,
    int contentionRetrySeconds,
    RetryAfter retryAfter,
    ThrottleSettings throttle) {

  /** The longest advice to wait. */
  static final int MAX_RETRY_SECONDS = 3_600;

  /** Nothing is throttled. */
  public static final Behavior FAST =
      new Behavior(Contention.SUPERSEDE, 1, RetryAfter.SECONDS, ThrottleSettings.OFF);

  /** As Azure documents it; 14 seconds is what was seen there. */
  public static final Behavior AZURE =
      new Behavior(Contention.SUPERSEDE, 14, RetryAfter.SECONDS, ThrottleSettings.AZURE);

  public Behavior {
    if (contentionRetrySeconds < 0 || contentionRetrySeconds > MAX_RETRY_SECONDS) {
      throw new IllegalArgumentException(
          "contentionRetrySeconds must be 0 to %d, found %d"
              .formatted(MAX_RETRY_SECONDS, contentionRetrySeconds));
    }
  }

  /**
   * This behaviour with the changes that an object in the form of {@link #json()} names; what it
   * does not name stays.
   *
   * @throws IllegalArgumentException if anything in it is wrong; the message says all of it
   */
  public Behavior changed(JsonNode changes) {
    return BehaviorJson.changed(this, changes);
  }

  /** The whole behaviour as JSON. */
  public JsonNode json() {
    return BehaviorJson.json(this);
  }

  public Behavior withContention(Contention other) {
    return new Behavior(other, contentionRetrySeconds, retryAfter, throttle);
  }

  public Behavior withRetryAfter(RetryAfter other) {
    return new Behavior(contention, contentionRetrySeconds, other, throttle);
  }

  public Behavior withThrottle(ThrottleSettings other) {
    return new Behavior(contention, contentionRetrySeconds, retryAfter, other);
  }
}
