package io.poolkeeper.armsim.behavior;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Contention;
import io.poolkeeper.armsim.model.ParentAddresses;
import io.poolkeeper.armsim.model.UpdatingShown;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.Members;
import io.poolkeeper.armsim.throttle.ThrottleSettings;

/**
 * The simulator's settings that can change while it runs, besides the fault rules.
 *
 * @param contention the fate of a write that meets another one
 * @param contentionRetrySeconds the seconds to wait in a {@code RetryableError}; the simulator
 *     itself does not enforce them
 * @param retryAfter the form of {@code Retry-After} in all answers with status 429, except those of
 *     fault rules with their own
 * @param parentAddresses the fate of addresses in a PUT of a whole load balancer
 * @param updatingShown what shows that a pool is written
 */
public record Behavior(
    Contention contention,
    int contentionRetrySeconds,
    RetryAfterForm retryAfter,
    ParentAddresses parentAddresses,
    UpdatingShown updatingShown,
    ThrottleSettings throttle) {

  private static final int MAX_RETRY_SECONDS = 3_600;

  /** Nothing is throttled. */
  public static final Behavior FAST = usual(1, ThrottleSettings.OFF);

  /** As Azure documents it; 14 seconds is what was seen there. */
  public static final Behavior AZURE = usual(14, ThrottleSettings.AZURE);

  private static Behavior usual(int contentionRetrySeconds, ThrottleSettings throttle) {
    return new Behavior(
        Contention.SUPERSEDE,
        contentionRetrySeconds,
        RetryAfterForm.SECONDS,
        ParentAddresses.IGNORED,
        UpdatingShown.SIBLINGS,
        throttle);
  }

  public Behavior {
    if (contentionRetrySeconds < 0 || contentionRetrySeconds > MAX_RETRY_SECONDS) {
      throw new IllegalArgumentException(
          "contentionRetrySeconds must be 0 to %d, found %d"
              .formatted(MAX_RETRY_SECONDS, contentionRetrySeconds));
    }
  }

  /**
   * This behavior with the changes in an object in the form of {@link #json()}; other settings
   * stay.
   *
   * @throws IllegalArgumentException with all errors in the message
   */
  public Behavior changed(JsonNode changes) {
    Members members = Members.of("behavior", changes);
    var after =
        new Behavior(
            members.choice("contention", Contention.class).orElse(contention),
            members
                .number("contentionRetrySeconds", 0, MAX_RETRY_SECONDS)
                .orElse(contentionRetrySeconds),
            members.choice("retryAfter", RetryAfterForm.class).orElse(retryAfter),
            members.choice("parentAddresses", ParentAddresses.class).orElse(parentAddresses),
            members.choice("updatingShown", UpdatingShown.class).orElse(updatingShown),
            members.object("throttle").map(throttle::changed).orElse(throttle));
    members.done();
    return after;
  }

  public JsonNode json() {
    return ArmJson.MAPPER.valueToTree(this);
  }
}
