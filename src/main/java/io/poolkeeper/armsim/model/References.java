package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.model.Names;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the ids in a body that lead out of the load balancer. Each different id is checked once,
 * however many entries name it.
 *
 * <p>{@code LinkedInvalidPropertyId}, {@code InvalidJsonReferenceFormat} and {@code
 * InvalidResourceReference} are codes that users report. Azure's answer to an id in another
 * subscription depends on the caller's rights there; here callers have none, and the resource is
 * not found.
 */
final class References {
  /** The last part of the referenced type, by property. */
  static final Map<String, String> EXPECTED_TYPES =
      Map.of(
          "virtualNetwork", "virtualNetworks",
          "subnet", "subnets",
          "publicIPAddress", "publicIPAddresses",
          "publicIPPrefix", "publicIPPrefixes",
          "frontendIPConfiguration", "frontendIPConfigurations",
          "backendAddressPool", "backendAddressPools",
          "probe", "probes");

  private static final Pattern ID =
      Pattern.compile(
          "(?i)/subscriptions/([^/]+)/resourceGroups/[^/]+/providers/[^/]+(?:/[^/]+/[^/]+)*"
              + "/([^/]+)/[^/]+");

  private final Reading reading;
  private final Set<String> checked = new HashSet<>();

  References(Reading reading) {
    this.reading = reading;
  }

  /**
   * Checks the references among some properties.
   *
   * @param by the id of the resource with the properties
   */
  void check(String by, ObjectNode properties) {
    if (reading.stored()) {
      return;
    }
    properties
        .properties()
        .forEach(
            member -> {
              String type = EXPECTED_TYPES.getOrDefault(member.getKey(), "");
              String id = member.getValue().path("id").asText("");
              if (!type.isEmpty() && checked.add(member.getKey() + " " + Names.fold(id))) {
                check(by, member.getKey(), type, id);
              }
            });
  }

  private void check(String by, String member, String type, String id) {
    if (!Names.fold(id).startsWith("/subscriptions/")) {
      throw new Refused(
          ArmAnswer.gateway(
              400,
              "LinkedInvalidPropertyId",
              "Property id '%s' at path 'properties.%s.id' is invalid. Expect fully qualified"
                      .formatted(id, member)
                  + " resource Id that start with '/subscriptions/{subscriptionId}' or"
                  + " '/providers/{resourceProviderNamespace}/'."));
    }
    Matcher parts = ID.matcher(id);
    if (!parts.matches() || !parts.group(2).equalsIgnoreCase(type)) {
      throw new Refused(
          ArmAnswer.unparsable(
              "InvalidJsonReferenceFormat",
              "Reference Id %s is not formatted correctly. The Id is expected to reference resources"
                      .formatted(id)
                  + " of type "
                  + type
                  + "."));
    }
    boolean here = parts.group(1).equalsIgnoreCase(reading.id().subscription());
    boolean network = type.equals("virtualNetworks") || type.equals("subnets");
    if (!here || (network && !reading.networks().known(id))) {
      throw new Refused(ArmAnswer.invalidReference(id, by));
    }
  }
}
