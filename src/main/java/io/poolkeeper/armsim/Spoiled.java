package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.fault.LroFault;
import io.poolkeeper.armsim.protocol.ArmJson;

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

  /** Reads a dump. @throws IllegalArgumentException if it is something else */
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
