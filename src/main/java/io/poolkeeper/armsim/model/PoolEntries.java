package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.model.Address;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the entries of a pool and refuses what Azure would. An address without a network is
 * accepted, although Azure's documentation requires one, unless the pool says that it is
 * synchronised automatically: then the network must be given on the entry or on the pool.
 */
final class PoolEntries {
  static final String MEMBER = "loadBalancerBackendAddresses";

  /** Documented for IP-based and NIC-based pools alike. */
  static final int LIMIT = 5_000;

  /**
   * Read in any case. A state that was never set is not shown, and a write without it removes it.
   * An explicit {@code None} is shown; whether Azure does that is unknown, as is its answer to
   * other values.
   */
  static final String ADMIN_STATE = "adminState";

  private static final List<String> ADMIN_STATES = List.of("None", "Up", "Down");
  private static final Set<String> READ_ONLY =
      Set.of("provisioningState", "inboundNatRulesPortMapping");
  private static final List<String> ORDER =
      List.of(ADMIN_STATE, "ipAddress", "virtualNetwork", "subnet", NicMembers.MEMBER);
  private static final Set<String> SYNC_MODES = Set.of("automatic", "manual");

  private final Reading reading;
  private final String name;
  private final String pool;

  private PoolEntries(Reading reading, String name) {
    this.reading = reading;
    this.name = name;
    this.pool = ChildKind.POOL.path(reading.id(), name);
  }

  /**
   * Reads the entries in a pool's properties.
   *
   * @param name of the pool
   * @param self the pool without its entries
   */
  static List<Child> read(Reading reading, String name, Child self, JsonNode properties) {
    return new PoolEntries(reading, name).read(self, properties.path(MEMBER));
  }

  private List<Child> read(Child self, JsonNode array) {
    ChildKind.checkLimit(pool, "LoadBalancerBackendAddressPoolSize", LIMIT, array.size());
    List<Child> entries = Child.parseAll(pool, MEMBER, array, READ_ONLY, ORDER);
    var references = new References(reading);
    references.check(pool, self.properties());
    Map<Address, String> seen = new HashMap<>();
    for (Child entry : entries) {
      String id = id(entry);
      normalise(entry.properties());
      checkAddress(entry, id, seen);
      references.check(id, entry.properties());
    }
    checkSyncMode(self.properties(), entries);
    return reading.stored()
        ? entries
        : NicMembers.merge(pool, reading.pool(name), entries, array.isArray());
  }

  private String id(Child entry) {
    return pool + "/" + MEMBER + "/" + entry.name();
  }

  private static void normalise(ObjectNode properties) {
    if (properties.has(ADMIN_STATE)) {
      String given = properties.path(ADMIN_STATE).asText();
      properties.put(ADMIN_STATE, Shape.word(ADMIN_STATE, given, ADMIN_STATES));
    }
  }

  private static void checkAddress(Child entry, String id, Map<Address, String> seen) {
    JsonNode given = entry.properties().path("ipAddress");
    if (given.isMissingNode()) {
      return;
    }
    String text = given.asText();
    Address address =
        Address.parse(text).orElseThrow(() -> ArmError.INVALID_ADDRESS.refused(text, id));
    String other = seen.put(address, id);
    if (other != null) {
      throw ArmError.DUPLICATE_ADDRESS.refused(text, other, id);
    }
  }

  private void checkSyncMode(ObjectNode self, List<Child> entries) {
    String mode = self.path("syncMode").asText("automatic");
    if (SYNC_MODES.stream().noneMatch(mode::equalsIgnoreCase)) {
      throw ArmError.UNKNOWN_WORD.refused(mode, "syncMode", "Automatic or Manual");
    }
    boolean automatic = self.has("syncMode") && mode.equalsIgnoreCase("automatic");
    if (automatic && entries.stream().anyMatch(entry -> !isPlaced(entry, self))) {
      throw ArmError.NETWORK_REQUIRED.refused(pool);
    }
  }

  private static boolean isPlaced(Child entry, ObjectNode self) {
    ObjectNode own = entry.properties();
    boolean networked =
        own.has("virtualNetwork") || own.has("subnet") || self.has("virtualNetwork");
    return NicMembers.is(entry) || (own.has("ipAddress") && networked);
  }
}
