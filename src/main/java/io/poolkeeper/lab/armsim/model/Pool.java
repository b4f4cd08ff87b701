package io.poolkeeper.lab.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.lab.armsim.protocol.ArmJson;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A backend pool as the client wrote it. What only the server sets comes from the load balancer
 * that holds the pool, when it is written out.
 *
 * @param self without its entries
 */
record Pool(Child self, List<Child> entries) {
  private static final String ENTRIES = "loadBalancerBackendAddresses";
  private static final String TYPE = "Microsoft.Network/loadBalancers/backendAddressPools";
  private static final String ENTRY_TYPE = TYPE + "/loadBalancerBackendAddresses";
  private static final Set<String> READ_ONLY =
      Set.of(
          "provisioningState",
          ENTRIES,
          "backendIPConfigurations",
          "loadBalancingRules",
          "outboundRule",
          "outboundRules",
          "inboundNatRules");
  private static final Set<String> ENTRY_READ_ONLY =
      Set.of("provisioningState", "inboundNatRulesPortMapping");
  private static final List<String> ENTRY_ORDER =
      List.of("adminState", "ipAddress", "virtualNetwork", "subnet");

  static Pool parse(String balancer, String name, JsonNode body) {
    Child self = Child.parse(name, body, READ_ONLY, List.of());
    String id = path(balancer, name);
    JsonNode entries = body.path("properties").path(ENTRIES);
    return new Pool(self, Child.parseAll(id, ENTRIES, entries, ENTRY_READ_ONLY, ENTRY_ORDER));
  }

  static String path(String balancer, String name) {
    return balancer + "/backendAddressPools/" + name;
  }

  String name() {
    return self.name();
  }

  List<PoolMember> members() {
    return entries.stream().map(Pool::member).toList();
  }

  private static PoolMember member(Child entry) {
    String ip = entry.properties().path("ipAddress").asText("");
    return new PoolMember(entry.name(), ip.isEmpty() ? Optional.empty() : Optional.of(ip));
  }

  void write(JsonGenerator out, LoadBalancer owner) throws IOException {
    String id = path(owner.id().path(), name());
    out.writeStartObject();
    Child.head(out, name(), id, owner.etag());
    out.writeObjectFieldStart("properties");
    out.writeStringField("provisioningState", owner.state());
    out.writeArrayFieldStart(ENTRIES);
    for (Child entry : entries) {
      write(out, entry, id, owner);
    }
    out.writeEndArray();
    ArmJson.members(out, self.properties());
    writeRules(out, owner);
    out.writeEndObject();
    out.writeStringField("type", TYPE);
    ArmJson.members(out, self.others());
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Child entry, String pool, LoadBalancer owner)
      throws IOException {
    out.writeStartObject();
    Child.head(out, entry.name(), pool + "/" + ENTRIES + "/" + entry.name(), owner.etag());
    entry.openProperties(out, owner.state());
    out.writeEndObject();
    out.writeStringField("type", ENTRY_TYPE);
    ArmJson.members(out, entry.others());
    out.writeEndObject();
  }

  private void writeRules(JsonGenerator out, LoadBalancer owner) throws IOException {
    List<String> rules = owner.content().rulesOf(name());
    if (rules.isEmpty()) {
      return;
    }
    out.writeArrayFieldStart("loadBalancingRules");
    for (String rule : rules) {
      out.writeStartObject();
      out.writeStringField("id", owner.id().path() + "/loadBalancingRules/" + rule);
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
