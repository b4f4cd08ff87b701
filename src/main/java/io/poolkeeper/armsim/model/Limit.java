package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.Refused;

/**
 * The refusal beyond Azure's documented limits of a Standard load balancer. The code has the form
 * of Azure's other limits; code and text are not recorded.
 */
final class Limit {
  private Limit() {}

  /** The exception to throw; {@code what} is counted, in the form of a code. */
  static Refused exceeded(String resource, String what, int limit, int found) {
    return new Refused(
        ArmAnswer.provider(
            400,
            what + "LimitReached",
            "Resource %s exceeds the limit of %d of %s: found %d."
                .formatted(resource, limit, what, found)));
  }
}
