package io.poolkeeper.armsim;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.fault.LroFault;
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

  /** Reads a dump; an older one may lack spoiled operations. */
  static SavedState load(JsonNode dump) {
    return new SavedState(
        ArmState.load(dump),
        dump.has(SPOILED) ? ArmState.each(dump, SPOILED, Spoiled::parse) : List.of());
  }

  /**
   * An operation that a fault rule makes fail.
   *
   * @param rule the id of the rule, which may have been removed since
   * @param polls how many of its polls are still refused
   */
  record Spoiled(String operation, long rule, FaultRule by, int polls) {
    LroFault fault() {
      return by.lro().orElseThrow();
    }

    Spoiled polled() {
      return new Spoiled(operation, rule, by, polls - 1);
    }

    ObjectNode json() {
      ObjectNode json = ArmJson.MAPPER.createObjectNode();
      json.put("operation", operation).put("rule", rule).put("polls", polls);
      return json.set("by", by.source());
    }

    static Spoiled parse(JsonNode node) {
      FaultRule by = FaultRule.parse(node.path("by"));
      boolean whole =
          node.path("operation").isTextual()
              && node.path("rule").isIntegralNumber()
              && node.path("polls").canConvertToInt();
      if (!whole || by.lro().isEmpty()) {
        throw new IllegalArgumentException(
            "expected operation, rule, polls and by, a rule with an lro, but found " + node);
      }
      return new Spoiled(
          node.path("operation").textValue(),
          node.path("rule").longValue(),
          by,
          node.path("polls").intValue());
    }
  }
}
