package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The JSON types that {@code loadBalancer.json} gives to the properties of pools, entries, rules,
 * probes and frontends. A property has the same type wherever it occurs; one that is not listed may
 * have any. The detail of the refusal, {@code InvalidJson}, is from users' reports.
 */
enum Shape {
  TEXT("a text", JsonNode::isTextual),
  NUMBER("a whole number", JsonNode::isIntegralNumber),
  BOOLEAN("true or false", JsonNode::isBoolean),
  OBJECT("an object", JsonNode::isObject),
  ARRAY("an array", JsonNode::isArray),
  REFERENCE("an object with an id", value -> value.path("id").isTextual()),
  REFERENCES(
      "an array of objects with ids",
      value -> value.isArray() && value.valueStream().allMatch(REFERENCE.fits)),
  ANYTHING("anything", value -> true);

  private static final Map<String, Shape> BY_MEMBER = new HashMap<>();

  static {
    list(
        TEXT,
        """
        ipAddress adminState syncMode location protocol loadDistribution privateIPAddress
        privateIPAllocationMethod privateIPAddressVersion requestPath noHealthyBackendsBehavior
        """);
    list(
        NUMBER,
        """
        port frontendPort backendPort frontendPortRangeStart frontendPortRangeEnd
        idleTimeoutInMinutes intervalInSeconds numberOfProbes probeThreshold
        allocatedOutboundPorts drainPeriodInSeconds
        """);
    list(BOOLEAN, "enableFloatingIP enableTcpReset disableOutboundSnat enableConnectionTracking");
    list(
        REFERENCE,
        "networkInterfaceIPConfiguration loadBalancerFrontendIPConfiguration gatewayLoadBalancer");
    list(REFERENCE, String.join(" ", OutwardReferences.EXPECTED_TYPES.keySet()));
    list(REFERENCES, "backendAddressPools frontendIPConfigurations");
    list(ARRAY, "tunnelInterfaces");
  }

  private final String wanted;
  private final Predicate<JsonNode> fits;

  Shape(String wanted, Predicate<JsonNode> fits) {
    this.wanted = wanted;
    this.fits = fits;
  }

  private static void list(Shape shape, String members) {
    List.of(members.strip().split("\\s+")).forEach(member -> BY_MEMBER.put(member, shape));
  }

  /** Refuses the first property that is of another type than it must be. */
  static void check(ObjectNode properties) {
    properties
        .properties()
        .forEach(
            member ->
                BY_MEMBER
                    .getOrDefault(member.getKey(), ANYTHING)
                    .require(member.getKey(), member.getValue()));
  }

  /** Refuses a value that is present, not null and of another type. */
  void require(String member, JsonNode value) {
    if (!value.isMissingNode() && !value.isNull() && !fits.test(value)) {
      throw ArmError.WRONG_TYPE.refused(member, wanted, value.getNodeType());
    }
  }

  /** One of some words in their spelling, whatever its case; refuses others. */
  static String word(String member, String given, List<String> known) {
    return known.stream()
        .filter(given::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(
            () ->
                ArmError.UNKNOWN_WORD.refused(given, member, "one of " + String.join(", ", known)));
  }
}
