package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.Refused;
import java.util.List;

/**
 * The admin state of a pool entry: {@code None}, {@code Up} or {@code Down}, read in any case and
 * stored in this spelling. A state that was never set is not shown, and a write without it removes
 * it. An explicit {@code None} is shown; whether Azure does that is unknown, as is its answer to
 * other values.
 */
final class AdminStates {
  static final String MEMBER = "adminState";
  private static final List<String> KNOWN = List.of("None", "Up", "Down");

  private AdminStates() {}

  /** Normalises the spelling of the state in an entry's properties. */
  static void normalise(ObjectNode properties) {
    if (properties.has(MEMBER)) {
      properties.put(MEMBER, canonical(properties.path(MEMBER).asText()));
    }
  }

  private static String canonical(String given) {
    return KNOWN.stream()
        .filter(given::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(
            () ->
                new Refused(
                    ArmAnswer.unparsable(
                        "InvalidJson",
                        "Error converting value \"%s\" of '%s': expected one of %s."
                            .formatted(given, MEMBER, String.join(", ", KNOWN)))));
  }
}
