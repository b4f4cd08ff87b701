package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.Refused;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON types that {@code loadBalancer.json} gives to the properties of pools, entries, rules,
 * probes and frontends. A property has the same type wherever it occurs; one that is not listed may
 * have any. The detail of the refusal, {@code InvalidJson}, is from users' reports; its text is not
 * recorded.
 */
enum Shape {
  TEXT("a text") {
    @Override
    boolean fits(JsonNode value) {
      return value.isTextual();
    }
  },
  NUMBER("a whole number") {
    @Override
    boolean fits(JsonNode value) {
      return value.isIntegralNumber();
    }
  },
  BOOLEAN("true or false") {
    @Override
    boolean fits(JsonNode value) {
      return value.isBoolean();
    }
  },
  OBJECT("an object") {
    @Override
    boolean fits(JsonNode value) {
      return value.isObject();
    }
  },
  ARRAY("an array") {
    @Override
    boolean fits(JsonNode value) {
      return value.isArray();
    }
  },
  REFERENCE("an object with an id") {
    @Override
    boolean fits(JsonNode value) {
      return value.isObject() && value.path("id").isTextual();
    }
  },
  REFERENCES("an array of objects with ids") {
    @Override
    boolean fits(JsonNode value) {
      boolean fits = value.isArray();
      for (JsonNode item : value) {
        fits &= REFERENCE.fits(item);
      }
      return fits;
    }
  },
  /** A property that is not listed. */
  ANYTHING("anything") {
    @Override
    boolean fits(JsonNode value) {
      return true;
    }
  };

  private static final Map<String, Shape> BY_MEMBER = new HashMap<>();

  static {
    List.of(
            "ipAddress",
            "adminState",
            "syncMode",
            "location",
            "protocol",
            "loadDistribution",
            "privateIPAddress",
            "privateIPAllocationMethod",
            "privateIPAddressVersion",
            "requestPath",
            "noHealthyBackendsBehavior")
        .forEach(member -> BY_MEMBER.put(member, TEXT));
    List.of(
            "port",
            "frontendPort",
            "backendPort",
            "frontendPortRangeStart",
            "frontendPortRangeEnd",
            "idleTimeoutInMinutes",
            "intervalInSeconds",
            "numberOfProbes",
            "probeThreshold",
            "allocatedOutboundPorts",
            "drainPeriodInSeconds")
        .forEach(member -> BY_MEMBER.put(member, NUMBER));
    List.of("enableFloatingIP", "enableTcpReset", "disableOutboundSnat", "enableConnectionTracking")
        .forEach(member -> BY_MEMBER.put(member, BOOLEAN));
    References.EXPECTED_TYPES.keySet().forEach(member -> BY_MEMBER.put(member, REFERENCE));
    BY_MEMBER.put("networkInterfaceIPConfiguration", REFERENCE);
    BY_MEMBER.put("loadBalancerFrontendIPConfiguration", REFERENCE);
    BY_MEMBER.put("gatewayLoadBalancer", REFERENCE);
    BY_MEMBER.put("backendAddressPools", REFERENCES);
    BY_MEMBER.put("frontendIPConfigurations", REFERENCES);
    BY_MEMBER.put("tunnelInterfaces", ARRAY);
  }

  private final String wanted;

  Shape(String wanted) {
    this.wanted = wanted;
  }

  abstract boolean fits(JsonNode value);

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
    if (!value.isMissingNode() && !value.isNull() && !fits(value)) {
      throw wrongType(member, wanted, value);
    }
  }

  static Refused wrongType(String member, String wanted, JsonNode found) {
    return new Refused(
        ArmAnswer.unparsable(
            "InvalidJson",
            "Error converting value of '%s': expected %s but found %s."
                .formatted(member, wanted, found.getNodeType())));
  }
}
