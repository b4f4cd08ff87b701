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
  static final Users NONE = new Users(Kind.OTHER, Map.of());

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

  static Users of(String type, Iterable<Resource> all) {
    Map<String, List<String>> users = new HashMap<>();
    Sink sink = (used, user) -> users.computeIfAbsent(used, key -> new ArrayList<>()).add(user);
    return switch (Names.fold(type)) {
      case "microsoft.network/publicipaddresses" -> {
        parts(all, Embedded.IP_CONFIGURATIONS, "publicIPAddress", sink);
        parts(all, Embedded.FRONTENDS, "publicIPAddress", sink);
        yield new Users(Kind.ADDRESS, users);
      }
      case "microsoft.network/virtualnetworks", "microsoft.network/virtualnetworks/subnets" -> {
        parts(all, Embedded.IP_CONFIGURATIONS, "subnet", sink);
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

  private static void parts(Iterable<Resource> all, Embedded kind, String member, Sink sink) {
    for (Resource resource : all) {
      for (JsonNode part : resource.parts(kind)) {
        String used = part.path("properties").path(member).path("id").asText("");
        if (!used.isEmpty()) {
          sink.put(Names.fold(used), kind.path(resource.id().path(), Embedded.name(part)));
        }
      }
    }
  }
}
