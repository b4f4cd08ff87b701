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
 * The state that survives the process: Resource Manager's, and the operations that fault rules have
 * spoiled and that may still run. The rules themselves are not saved. Immutable.
 */
record SavedState(ArmState arm, List<Spoiled> spoiled) {
  private static final String SPOILED = "spoiled";

  /** The empty state. */
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
   * Reads a dump; an older one may lack spoiled operations.
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
