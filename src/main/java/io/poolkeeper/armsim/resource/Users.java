package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The users of resources, derived from the users' documents, for the kind of resource in a call.
 * Keys are folded ids.
 *
 * @param addresses the frontend or ip configuration of a public address
 * @param subnets the ip configurations in a subnet
 * @param machines the virtual machine of a network interface
 */
record Users(
    Map<String, String> addresses,
    Map<String, List<String>> subnets,
    Map<String, String> machines) {

  private static final Users NONE = new Users(Map.of(), Map.of(), Map.of());

  /** The users of resources of one type. */
  static Users of(String type, Iterable<Resource> all, BalancerLinks balancers) {
    return switch (Names.fold(type)) {
      case "microsoft.network/publicipaddresses" -> {
        Map<String, String> addresses = new HashMap<>();
        configurations(all, "publicIPAddress", addresses::put);
        addresses.putAll(balancers.frontendsByAddress());
        yield new Users(addresses, Map.of(), Map.of());
      }
      case "microsoft.network/virtualnetworks", "microsoft.network/virtualnetworks/subnets" ->
          new Users(Map.of(), subnets(all), Map.of());
      case "microsoft.network/networkinterfaces",
          "microsoft.compute/virtualmachinescalesets/virtualmachines/networkinterfaces" ->
          new Users(Map.of(), Map.of(), machines(all));
      default -> NONE;
    };
  }

  Optional<String> ofAddress(ResourceId id) {
    return Optional.ofNullable(addresses.get(id.key()));
  }

  List<String> ofSubnet(String id) {
    return subnets.getOrDefault(Names.fold(id), List.of());
  }

  private static Map<String, List<String>> subnets(Iterable<Resource> all) {
    Map<String, List<String>> subnets = new HashMap<>();
    configurations(
        all,
        "subnet",
        (subnet, user) -> subnets.computeIfAbsent(subnet, key -> new ArrayList<>()).add(user));
    return subnets;
  }

  private static Map<String, String> machines(Iterable<Resource> all) {
    Map<String, String> machines = new HashMap<>();
    for (Resource resource : all) {
      if (Names.fold(resource.id().types().getLast()).equals("virtualmachines")) {
        for (JsonNode nic : resource.properties().at("/networkProfile/networkInterfaces")) {
          machines.put(Names.fold(nic.path("id").asText("")), resource.id().path());
        }
      }
    }
    return machines;
  }

  private interface Sink {
    void put(String used, String user);
  }

  private static void configurations(Iterable<Resource> all, String member, Sink sink) {
    for (Resource resource : all) {
      if (!Embedded.of(resource.id()).contains(Embedded.IP_CONFIGURATIONS)) {
        continue;
      }
      for (JsonNode element : resource.array(Embedded.IP_CONFIGURATIONS)) {
        String used = element.path("properties").path(member).path("id").asText("");
        if (!used.isEmpty()) {
          sink.put(Names.fold(used), NetworkInterface.configuration(resource.id(), element));
        }
      }
    }
  }
}
