package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A backend pool as the client wrote it, and the NICs that joined it. The server's members are
 * added from the load balancer when it is rendered.
 *
 * @param self without its entries
 * @param entries all of addresses or all of NICs
 */
record Pool(Child self, List<Child> entries) {
  private static final String TYPE = "Microsoft.Network/loadBalancers/backendAddressPools";
  private static final String ENTRY_TYPE = TYPE + "/" + PoolEntries.MEMBER;
  private static final Set<String> READ_ONLY =
      Set.of(
          "provisioningState",
          PoolEntries.MEMBER,
          "backendIPConfigurations",
          "loadBalancingRules",
          "outboundRule",
          "outboundRules",
          "inboundNatRules");

  static Pool parse(Reading reading, String name, JsonNode body) {
    Child self = Child.parse(name, body, READ_ONLY, List.of());
    return new Pool(self, PoolEntries.read(reading, name, self, body.path("properties")));
  }

  String path(LoadBalancerId balancer) {
    return ChildKind.POOL.path(balancer, name());
  }

  String name() {
    return self.name();
  }

  boolean nicBased() {
    return !entries.isEmpty() && NicMembers.is(entries.getFirst());
  }

  /** Whether any member is an address. */
  boolean ipBased() {
    return entries.stream().anyMatch(entry -> entry.properties().has("ipAddress"));
  }

  Pool joined(Child nic) {
    List<Child> more = new ArrayList<>(entries);
    more.add(nic);
    return new Pool(self, List.copyOf(more));
  }

  Pool left(String nicIpConfigurationId) {
    return new Pool(
        self, entries.stream().filter(entry -> !isOf(entry, nicIpConfigurationId)).toList());
  }

  boolean holds(String nicIpConfigurationId) {
    return entries.stream().anyMatch(entry -> isOf(entry, nicIpConfigurationId));
  }

  private static boolean isOf(Child entry, String nicIpConfigurationId) {
    return NicMembers.nic(entry).equalsIgnoreCase(nicIpConfigurationId);
  }

  List<PoolMember> members() {
    return entries.stream()
        .map(
            entry ->
                new PoolMember(
                    entry.name(), entry.text("ipAddress"), entry.text(PoolEntries.ADMIN_STATE)))
        .toList();
  }

  void write(JsonGenerator out, LoadBalancer owner) throws IOException {
    String id = path(owner.id());
    out.writeStartObject();
    Child.head(out, name(), id, owner.etag());
    out.writeObjectFieldStart("properties");
    out.writeStringField("provisioningState", owner.state(this));
    out.writeArrayFieldStart(PoolEntries.MEMBER);
    for (Child entry : entries) {
      write(out, entry, id, owner.etag(), owner.state(this));
    }
    out.writeEndArray();
    if (nicBased()) {
      // The members again, in the form from before pools could hold addresses.
      ArmJson.references(
          out, "backendIPConfigurations", entries.stream().map(NicMembers::nic).toList());
    }
    ArmJson.members(out, self.properties());
    owner.content().references().write(out, owner.id(), ChildKind.POOL, name());
    out.writeEndObject();
    out.writeStringField("type", TYPE);
    ArmJson.members(out, self.others());
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Child entry, String pool, String etag, String state)
      throws IOException {
    out.writeStartObject();
    Child.head(out, entry.name(), pool + "/" + PoolEntries.MEMBER + "/" + entry.name(), etag);
    entry.openProperties(out, state);
    out.writeEndObject();
    out.writeStringField("type", ENTRY_TYPE);
    ArmJson.members(out, entry.others());
    out.writeEndObject();
  }
}
