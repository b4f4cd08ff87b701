package io.poolkeeper.armsim;

import io.poolkeeper.armsim.fault.FaultRule.Reset;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.throttle.ThrottleDecision.Remaining;
import java.util.Optional;

/**
 * An answer before it is rendered.
 *
 * @param correlation a guid of this answer, for its headers
 * @param answer may name a content type of its own
 * @param remaining the throttles' remaining calls; empty if the call was not counted
 * @param reset whether the connection closes early
 */
record SimAnswer(String correlation, ArmAnswer answer, Optional<Remaining> remaining, Reset reset) {
  /** The answer to a call that the throttles did not count. */
  static SimAnswer uncounted(String correlation, ArmAnswer answer) {
    return new SimAnswer(correlation, answer, Optional.empty(), Reset.NONE);
  }

  /** The answer instead if the change could not be saved: a 500. */
  SimAnswer unsaved(String why) {
    String message =
        "The change is in effect and may be lost when the simulator ends: " + why + ".";
    ArmAnswer failed = ArmAnswer.provider(500, "InternalServerError", message);
    return new SimAnswer(correlation, failed, remaining, reset);
  }
}
