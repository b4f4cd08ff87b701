package io.poolkeeper.armsim;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.ArmState;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.io.IOException;
import java.util.List;

/**
 * The state that survives the process: Resource Manager's, and the operations that fault rules have
 * spoiled and that may still run. The rules themselves are not saved. Immutable.
 */
record SavedState(ArmState arm, List<Spoiled> spoiled) {
  private static final String SPOILED = "spoiled";

  static SavedState empty() {
    return new SavedState(ArmState.empty(), List.of());
  }

  void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    arm.writeMembers(out);
    ArmState.array(out, SPOILED, spoiled.stream().map(Spoiled::json));
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
    return new SavedState(
        ArmState.load(dump),
        dump.has(SPOILED) ? ArmState.each(dump, SPOILED, Spoiled::parse) : List.of());
  }
}
