package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pool entries for ip configurations of NICs. Only the NIC sets its pools; a write of the pool may
 * set their admin state, if it names the same entries. A pool has entries of NICs or of addresses,
 * never both.
 *
 * <p>Which members Azure requires in such a write is not recorded: here the names must be the same,
 * and each entry must name its NIC again. A write without a list of entries keeps the members, as
 * when a template with the bare pool is deployed again, and removes their admin states.
 */
final class NicMembers {
  static final String MEMBER = "networkInterfaceIPConfiguration";
  private static final Pattern ID =
      Pattern.compile(
          "(?i).*/resourceGroups/([^/]+)/providers/.*/([^/]+)/ipConfigurations/([^/]+)");

  private NicMembers() {}

  static boolean is(Child entry) {
    return entry.properties().has(MEMBER);
  }

  /** The id of the NIC's ip configuration. */
  static String nic(Child entry) {
    return entry.properties().path(MEMBER).path("id").asText("");
  }

  /** The entry for a NIC's ip configuration, named as Azure names it. */
  static Child of(String nicIpConfigurationId) {
    Matcher parts = ID.matcher(nicIpConfigurationId);
    if (!parts.matches()) {
      throw new IllegalArgumentException("no ip configuration of a NIC: " + nicIpConfigurationId);
    }
    ObjectNode properties = ArmJson.MAPPER.createObjectNode();
    properties.putObject(MEMBER).put("id", nicIpConfigurationId);
    String name = "%s_%s%s".formatted(parts.group(1), parts.group(2), parts.group(3));
    return new Child(name, properties, ArmJson.MAPPER.createObjectNode());
  }

  /**
   * The entries after a write of a pool.
   *
   * @param before the pool that it replaces
   * @param listed whether it has a list of entries
   */
  static List<Child> merge(String pool, Optional<Pool> before, List<Child> given, boolean listed) {
    List<Child> stored = before.filter(Pool::nicBased).map(Pool::entries).orElse(List.of());
    if (stored.isEmpty()) {
      if (given.stream().anyMatch(NicMembers::is)) {
        throw ArmError.NIC_MEMBERS_CHANGED.refused(pool);
      }
      return given;
    }
    if (!listed) {
      return stored.stream().map(member -> member(member, Optional.empty())).toList();
    }
    if (given.size() != stored.size()) {
      throw ArmError.NIC_MEMBERS_CHANGED.refused(pool);
    }
    Map<String, Child> byName = new HashMap<>();
    given.forEach(entry -> byName.put(Names.fold(entry.name()), entry));
    List<Child> merged = new ArrayList<>();
    for (Child member : stored) {
      Child entry = byName.get(Names.fold(member.name()));
      if (entry == null || !same(entry, member)) {
        throw ArmError.NIC_MEMBERS_CHANGED.refused(pool);
      }
      merged.add(member(member, Optional.of(entry)));
    }
    return List.copyOf(merged);
  }

  private static boolean same(Child entry, Child member) {
    return !entry.properties().has("ipAddress") && nic(entry).equalsIgnoreCase(nic(member));
  }

  private static Child member(Child stored, Optional<Child> given) {
    ObjectNode properties = ArmJson.MAPPER.createObjectNode();
    given
        .map(entry -> entry.properties().get(PoolEntries.ADMIN_STATE))
        .ifPresent(state -> properties.set(PoolEntries.ADMIN_STATE, state));
    properties.set(MEMBER, stored.properties().get(MEMBER));
    return new Child(stored.name(), properties, stored.others());
  }
}
