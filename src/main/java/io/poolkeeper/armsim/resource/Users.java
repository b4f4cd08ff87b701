package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The users of resources, derived from the users' documents, for the kind of resource in a call.
 *
 * @param byUsed the ids of the users by the folded id of what they use
 */
record Users(Kind kind, Map<String, List<String>> byUsed) {
  /** What is used, and by what. */
  enum Kind {
    /** A public address by a frontend or an ip configuration; the last one counts. */
    ADDRESS,
    /** A subnet by ip configurations. */
    SUBNET,
    /** A network interface by a virtual machine. */
    INTERFACE,
    /** Anything else, whose users are not known. */
    OTHER
  }

  /** The users of resources of one type. */
  static Users of(String type, Iterable<Resource> all, BalancerLinks balancers) {
    Map<String, List<String>> users = new HashMap<>();
    Sink sink = (used, user) -> users.computeIfAbsent(used, key -> new ArrayList<>()).add(user);
    return switch (Names.fold(type)) {
      case "microsoft.network/publicipaddresses" -> {
        configurations(all, "publicIPAddress", sink);
        balancers.frontendsByAddress().forEach(sink::put);
        yield new Users(Kind.ADDRESS, users);
      }
      case "microsoft.network/virtualnetworks", "microsoft.network/virtualnetworks/subnets" -> {
        configurations(all, "subnet", sink);
        yield new Users(Kind.SUBNET, users);
      }
      case "microsoft.network/networkinterfaces",
          "microsoft.compute/virtualmachinescalesets/virtualmachines/networkinterfaces" -> {
        machines(all, sink);
        yield new Users(Kind.INTERFACE, users);
      }
      default -> new Users(Kind.OTHER, users);
    };
  }

  List<String> of(String id) {
    return byUsed.getOrDefault(Names.fold(id), List.of());
  }

  private interface Sink {
    void put(String used, String user);
  }

  private static void machines(Iterable<Resource> all, Sink sink) {
    for (Resource resource : all) {
      if (Names.fold(resource.id().types().getLast()).equals("virtualmachines")) {
        for (JsonNode nic : resource.properties().at("/networkProfile/networkInterfaces")) {
          sink.put(Names.fold(nic.path("id").asText("")), resource.id().path());
        }
      }
    }
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
