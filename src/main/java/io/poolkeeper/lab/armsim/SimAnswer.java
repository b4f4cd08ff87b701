package io.poolkeeper.lab.armsim;

import io.poolkeeper.lab.armsim.fault.Reset;
import io.poolkeeper.lab.armsim.protocol.ArmAnswer;
import io.poolkeeper.lab.armsim.throttle.Remaining;
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
}
