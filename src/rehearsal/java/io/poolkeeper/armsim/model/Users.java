package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.Names;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * The users of resources and of parts of them: read-only members of what is used, derived from the
 * documents of the users.
 *
 * @param byUsed the ids of the users by the member that shows them, by the folded id of what they
 *     use
 */
record Users(Map<String, Map<String, SequencedSet<String>>> byUsed) {
  static final Users NONE = new Users(Map.of());

  static final String OF_ADDRESS = "ipConfiguration";
  static final String OF_SUBNET = "ipConfigurations";
  private static final String OF_INTERFACE = "virtualMachine";

  private static final List<Embedded> RULES =
      List.of(Embedded.RULES, Embedded.OUTBOUND_RULES, Embedded.NAT_RULES, Embedded.NAT_POOLS);

  /** The users of all resources of a type, if they are known. */
  static Users of(String type, Iterable<Resource> all) {
    Users users = new Users(new HashMap<>());
    switch (Names.fold(type)) {
      case "microsoft.network/publicipaddresses" -> {
        users.addParts(all, Embedded.IP_CONFIGURATIONS, "publicIPAddress", OF_ADDRESS);
        users.addParts(all, Embedded.FRONTENDS, "publicIPAddress", OF_ADDRESS);
      }
      case "microsoft.network/virtualnetworks", "microsoft.network/virtualnetworks/subnets" ->
          users.addParts(all, Embedded.IP_CONFIGURATIONS, "subnet", OF_SUBNET);
      case "microsoft.network/networkinterfaces",
          "microsoft.compute/virtualmachinescalesets/virtualmachines/networkinterfaces" ->
          users.addMachines(all);
      default -> {}
    }
    return users;
  }

  /** The rules of a load balancer, which use its frontends, pools and probes. */
  static Users within(Resource balancer) {
    Users users = new Users(new HashMap<>());
    for (Embedded kind : EnumSet.copyOf(RULES)) {
      for (JsonNode rule : balancer.array(kind)) {
        String user = kind.path(balancer.id().path(), Embedded.name(rule));
        BalancerRules.Pointer.of(rule).forEach(to -> users.add(to.id(), kind.member(), user));
      }
    }
    return users;
  }

  Map<String, SequencedSet<String>> of(String id) {
    return byUsed.getOrDefault(Names.fold(id), Map.of());
  }

  /** Writes the member of a resource that shows its last user, if it has one. */
  void writeOne(JsonGenerator out, String used) throws IOException {
    for (String member : List.of(OF_ADDRESS, OF_INTERFACE)) {
      SequencedSet<String> users = of(used).get(member);
      if (users != null) {
        out.writeFieldName(member);
        ArmJson.reference(out, users.getLast());
      }
    }
  }

  /** Writes the members of a part that list its users, if it has any. */
  void writeLists(JsonGenerator out, Embedded part, String used) throws IOException {
    Map<String, SequencedSet<String>> users = of(used);
    if (users.containsKey(OF_SUBNET)) {
      ArmJson.references(out, OF_SUBNET, users.get(OF_SUBNET));
    }
    for (Embedded kind : RULES) {
      SequencedSet<String> rules = users.get(kind.member());
      if (rules != null) {
        ArmJson.references(out, kind.member(), rules);
        if (part == Embedded.POOLS && kind == Embedded.OUTBOUND_RULES) {
          out.writeFieldName("outboundRule");
          ArmJson.reference(out, rules.getFirst());
        }
      }
    }
  }

  private void addMachines(Iterable<Resource> all) {
    for (Resource resource : all) {
      if (Names.fold(resource.id().types().getLast()).equals("virtualmachines")) {
        for (JsonNode nic : resource.properties().at("/networkProfile/networkInterfaces")) {
          add(nic.path("id").asText(""), OF_INTERFACE, resource.id().path());
        }
      }
    }
  }

  private void addParts(Iterable<Resource> all, Embedded kind, String using, String member) {
    for (Resource resource : all) {
      for (JsonNode part : resource.parts(kind)) {
        String used = part.path("properties").path(using).path("id").asText("");
        add(used, member, kind.path(resource.id().path(), Embedded.name(part)));
      }
    }
  }

  private void add(String used, String member, String user) {
    byUsed
        .computeIfAbsent(Names.fold(used), any -> new LinkedHashMap<>())
        .computeIfAbsent(member, any -> new LinkedHashSet<>())
        .add(user);
  }
}
