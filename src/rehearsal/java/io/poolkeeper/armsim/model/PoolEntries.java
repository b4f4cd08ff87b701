package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.Address;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads the entries of a pool and refuses what Azure would. An address without a network is
 * accepted, although Azure's documentation requires one, unless the pool says that it is
 * synchronised automatically: then the network must be given on the entry or on the pool.
 */
public final class PoolEntries {
  /** Documented for IP-based and NIC-based pools alike. */
  static final int LIMIT = 5_000;

  /**
   * Read in any case. A state that was never set is not shown, and a write without it removes it.
   * An explicit {@code None} is shown; whether Azure does that is unknown, as is its answer to
   * other values. {@link Deviation#NONE_OMITTED} is the other assumption.
   */
  static final String ADMIN_STATE = "adminState";

  private static final List<String> ADMIN_STATES = List.of("None", "Up", "Down");
  private static final Set<String> SYNC_MODES = Set.of("automatic", "manual");

  private final Reading reading;
  private final String name;
  private final String pool;

  PoolEntries(Reading reading, String name) {
    this.reading = reading;
    this.name = name;
    this.pool = Embedded.POOLS.path(reading.path(), name);
  }

  static JsonNode of(JsonNode pool) {
    return pool.path("properties").path(Embedded.ENTRIES.member());
  }

  static boolean ipBased(JsonNode pool) {
    return of(pool).valueStream().anyMatch(entry -> entry.path("properties").has("ipAddress"));
  }

  /** Gives the pools of a load balancer that is being read the addresses that they had before. */
  public static void keep(ObjectNode document, Optional<Resource> before) {
    for (JsonNode pool : document.path("properties").path(Embedded.POOLS.member())) {
      // NICs join and leave by themselves.
      if (!NicMembers.in(pool)) {
        JsonNode kept =
            before
                .flatMap(balancer -> balancer.part(Embedded.POOLS, Embedded.name(pool)))
                .map(PoolEntries::of)
                .orElseGet(ArmJson.MAPPER::createArrayNode);
        ((ObjectNode) pool.path("properties")).set(Embedded.ENTRIES.member(), kept);
      }
    }
  }

  /** Reads those in a pool's properties; {@code self} are the properties without them. */
  ArrayNode read(ObjectNode self, JsonNode properties) {
    JsonNode array = properties.path(Embedded.ENTRIES.member());
    BalancerDocument.checkLimit(pool, "LoadBalancerBackendAddressPoolSize", LIMIT, array.size());
    ArrayNode entries = BalancerDocument.parts(reading, Embedded.ENTRIES, pool, array);
    var references = new OutwardReferences(reading);
    references.check(pool, self);
    Map<Address, String> seen = new HashMap<>();
    for (JsonNode entry : entries) {
      String id = Embedded.ENTRIES.path(pool, Embedded.name(entry));
      ObjectNode own = (ObjectNode) entry.path("properties");
      normalise(own);
      checkAddress(own, id, seen);
      references.check(id, own);
    }
    checkSyncMode(self, entries);
    return reading.stored()
        ? entries
        : NicMembers.merge(pool, reading.pool(name), entries, array.isArray());
  }

  private void normalise(ObjectNode properties) {
    if (properties.has(ADMIN_STATE)) {
      String given = properties.path(ADMIN_STATE).asText();
      String state = Shape.word(ADMIN_STATE, given, ADMIN_STATES);
      boolean none = state.equals("None") && reading.deviates(Deviation.NONE_OMITTED);
      if (none || (state.equals("Down") && reading.deviates(Deviation.DOWN_LOST))) {
        properties.remove(ADMIN_STATE);
      } else {
        properties.put(ADMIN_STATE, state);
      }
    }
  }

  /** Refuses an address outside of its virtual network, if that exists and has prefixes. */
  static void checkInside(String pool, JsonNode part, Resources all) {
    JsonNode self = part.path("properties");
    for (JsonNode entry : of(part)) {
      JsonNode own = entry.path("properties");
      String address = own.path("ipAddress").asText("");
      String network =
          Stream.of(own.path("virtualNetwork"), own.path("subnet"), self.path("virtualNetwork"))
              .map(reference -> reference.path("id").asText(""))
              .filter(id -> !id.isEmpty())
              .findFirst()
              .orElse("");
      List<String> prefixes = all.prefixes(network);
      if (!address.isEmpty()
          && !prefixes.isEmpty()
          && prefixes.stream().noneMatch(prefix -> Addresses.within(prefix, address))) {
        String id = Embedded.ENTRIES.path(pool, Embedded.name(entry));
        throw ArmError.OUTSIDE_NETWORK.refused(address, id, String.join(", ", prefixes));
      }
    }
  }

  private void checkAddress(JsonNode properties, String id, Map<Address, String> seen) {
    JsonNode given = properties.path("ipAddress");
    if (given.isMissingNode()) {
      return;
    }
    String text = given.asText();
    Address address =
        Address.parse(text).orElseThrow(() -> ArmError.INVALID_ADDRESS.refused(text, id));
    String other = seen.put(address, id);
    if (other != null && !reading.deviates(Deviation.DUPLICATE_ADDRESS_ACCEPTED)) {
      throw ArmError.DUPLICATE_ADDRESS.refused(text, other, id);
    }
  }

  private void checkSyncMode(ObjectNode self, ArrayNode entries) {
    String mode = self.path("syncMode").asText("automatic");
    if (SYNC_MODES.stream().noneMatch(mode::equalsIgnoreCase)) {
      throw ArmError.UNKNOWN_WORD.refused(mode, "syncMode", "Automatic or Manual");
    }
    boolean automatic = self.has("syncMode") && mode.equalsIgnoreCase("automatic");
    if (automatic && entries.valueStream().anyMatch(entry -> !isPlaced(entry, self))) {
      throw ArmError.NETWORK_REQUIRED.refused(pool);
    }
  }

  private static boolean isPlaced(JsonNode entry, ObjectNode self) {
    JsonNode own = entry.path("properties");
    boolean networked =
        own.has("virtualNetwork") || own.has("subnet") || self.has("virtualNetwork");
    return NicMembers.is(entry) || (own.has("ipAddress") && networked);
  }
}
