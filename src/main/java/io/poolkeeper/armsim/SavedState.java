package io.poolkeeper.armsim;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.ArmState;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What outlives the process: what Resource Manager knows, and what fault rules have done to
 * operations that may still be running. The rules themselves do not. Immutable.
 */
record SavedState(ArmState arm, List<Spoiled> spoiled) {
  private static final String SPOILED = "spoiled";

  /** Nothing at all. */
  static SavedState empty() {
    return new SavedState(ArmState.empty(), List.of());
  }

  void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    arm.writeMembers(out);
    out.writeArrayFieldStart(SPOILED);
    for (Spoiled one : spoiled) {
      one.write(out);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  ObjectNode dump() {
    return ArmJson.tree(this::write);
  }

  /**
   * Reads what was written, or a state that was saved before operations were spoiled.
   *
   * @throws IllegalArgumentException if it is something else; the message names the place
   */
  static SavedState load(JsonNode dump) {
    ArmState arm = ArmState.load(dump);
    JsonNode array = dump.path(SPOILED);
    if (!array.isArray() && !array.isMissingNode()) {
      throw new IllegalArgumentException(
          "%s: expected an array but found %s".formatted(SPOILED, array.getNodeType()));
    }
    List<Spoiled> spoiled = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      try {
        spoiled.add(Spoiled.parse(array.get(i)));
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(
            "%s[%d]: %s".formatted(SPOILED, i, wrong.getMessage()), wrong);
      }
    }
    return new SavedState(arm, List.copyOf(spoiled));
  }
}
