package io.poolkeeper.armsim;

import io.poolkeeper.armsim.fault.Reset;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.throttle.Remaining;
import java.util.Optional;

/**
 * What the simulator has decided to answer; the HTTP side turns it into bytes.
 *
 * @param correlation a guid of this answer, for its headers
 * @param answer may name a content type of its own
 * @param remaining what the throttles still let through; empty if the call was not counted
 * @param reset whether the connection closes too early
 */
record SimAnswer(String correlation, ArmAnswer answer, Optional<Remaining> remaining, Reset reset) {
  /** The answer to a call that nobody counted. */
  static SimAnswer uncounted(String correlation, ArmAnswer answer) {
    return new SimAnswer(correlation, answer, Optional.empty(), Reset.NONE);
  }

  /** What is said instead if the change could not be saved: honest, and as vague as Azure's 500. */
  SimAnswer unsaved(String why) {
    String message =
        "The change is in effect and may be lost when the simulator ends: " + why + ".";
    ArmAnswer failed = ArmAnswer.provider(500, "InternalServerError", message);
    return new SimAnswer(correlation, failed, remaining, reset);
  }
}
