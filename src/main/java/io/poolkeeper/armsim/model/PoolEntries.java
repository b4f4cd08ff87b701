package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.Refused;
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

  private static final Set<String> READ_ONLY =
      Set.of("provisioningState", "inboundNatRulesPortMapping");
  private static final List<String> ORDER =
      List.of(AdminStates.MEMBER, "ipAddress", "virtualNetwork", "subnet", NicMembers.MEMBER);
  private static final Set<String> SYNC_MODES = Set.of("automatic", "manual");

  private final Reading reading;
  private final String name;
  private final String pool;

  private PoolEntries(Reading reading, String name) {
    this.reading = reading;
    this.name = name;
    this.pool = Pool.path(reading.id().path(), name);
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
    checkSize(array);
    List<Child> entries = Child.parseAll(pool, MEMBER, array, READ_ONLY, ORDER);
    var references = new References(reading);
    references.check(pool, self.properties());
    Map<Address, String> seen = new HashMap<>();
    for (Child entry : entries) {
      String id = id(entry);
      AdminStates.normalise(entry.properties());
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

  /** Code and text are not recorded. */
  private void checkSize(JsonNode array) {
    if (array.size() > LIMIT) {
      throw Limit.exceeded(pool, "LoadBalancerBackendAddressPoolSize", LIMIT, array.size());
    }
  }

  /** The code for a malformed address is not recorded. */
  private void checkAddress(Child entry, String id, Map<Address, String> seen) {
    JsonNode given = entry.properties().path("ipAddress");
    if (given.isMissingNode()) {
      return;
    }
    Address address =
        Address.parse(given.asText())
            .orElseThrow(
                () ->
                    new Refused(
                        ArmAnswer.unparsable(
                            "InvalidIPAddressFormat",
                            "IP address '%s' of %s is not a valid IPv4 or IPv6 address."
                                .formatted(given.asText(), id))));
    String other = seen.put(address, id);
    if (other != null) {
      throw new Refused(
          ArmAnswer.unparsable(
              "DuplicateIpConfigurationReferenceOnBackendAddressPool",
              "Found duplicate ipConfiguration reference %s on backend pool addresses %s and %s."
                  .formatted(given.asText(), other, id)));
    }
  }

  /** The text is what users report, its code is not recorded. */
  private void checkSyncMode(ObjectNode self, List<Child> entries) {
    String mode = self.path("syncMode").asText("automatic");
    if (SYNC_MODES.stream().noneMatch(mode::equalsIgnoreCase)) {
      throw new Refused(
          ArmAnswer.unparsable(
              "InvalidJson",
              "Error converting value \"%s\" of 'syncMode': expected Automatic or Manual."
                  .formatted(mode)));
    }
    boolean automatic = self.has("syncMode") && mode.equalsIgnoreCase("automatic");
    if (automatic && entries.stream().anyMatch(entry -> !isPlaced(entry, self))) {
      throw new Refused(
          ArmAnswer.provider(
              400,
              "IpAddressAndVirtualNetworkRequiredForBackendAddress",
              "For regional load balancer, ip_address and virtual_network_id should be specified"
                  + " when sync mode is not Manual. Backend pool: "
                  + pool
                  + "."));
    }
  }

  private static boolean isPlaced(Child entry, ObjectNode self) {
    ObjectNode own = entry.properties();
    boolean networked =
        own.has("virtualNetwork") || own.has("subnet") || self.has("virtualNetwork");
    return NicMembers.is(entry) || (own.has("ipAddress") && networked);
  }
}
