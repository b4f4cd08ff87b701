package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
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
public final class NicMembers {
  static final String MEMBER = "networkInterfaceIPConfiguration";
  private static final Pattern ID =
      Pattern.compile(
          "(?i).*/resourceGroups/([^/]+)/providers/.*/([^/]+)/ipConfigurations/([^/]+)");

  private NicMembers() {}

  static boolean is(JsonNode entry) {
    return entry.path("properties").has(MEMBER);
  }

  static String nic(JsonNode entry) {
    return entry.path("properties").path(MEMBER).path("id").asText("");
  }

  public static boolean in(JsonNode pool) {
    return is(PoolEntries.of(pool).path(0));
  }

  /** The entry for a NIC's ip configuration, named as Azure names it. */
  private static ObjectNode of(String nicIpConfigurationId) {
    Matcher parts = ID.matcher(nicIpConfigurationId);
    if (!parts.matches()) {
      throw new IllegalArgumentException("no ip configuration of a NIC: " + nicIpConfigurationId);
    }
    String name = "%s_%s%s".formatted(parts.group(1), parts.group(2), parts.group(3));
    ObjectNode entry = ArmJson.MAPPER.createObjectNode().put("name", name);
    entry.putObject("properties").putObject(MEMBER).put("id", nicIpConfigurationId);
    return entry;
  }

  /** The entries after a write of a pool, which may have been written without a list of them. */
  static ArrayNode merge(String pool, Optional<JsonNode> before, ArrayNode given, boolean listed) {
    List<JsonNode> stored =
        before.filter(NicMembers::in).map(PoolEntries::of).stream()
            .flatMap(JsonNode::valueStream)
            .toList();
    boolean mixed = stored.isEmpty() && given.valueStream().anyMatch(NicMembers::is);
    if (mixed || (!stored.isEmpty() && listed && given.size() != stored.size())) {
      throw ArmError.NIC_MEMBERS_CHANGED.refused(pool);
    }
    if (stored.isEmpty()) {
      return given;
    }
    Map<String, JsonNode> byName = new HashMap<>();
    given.forEach(entry -> byName.put(Names.fold(Embedded.name(entry)), entry));
    ArrayNode merged = ArmJson.MAPPER.createArrayNode();
    for (JsonNode member : stored) {
      Optional<JsonNode> entry =
          Optional.ofNullable(byName.get(Names.fold(Embedded.name(member))))
              .filter(named -> same(named, member));
      if (listed && entry.isEmpty()) {
        throw ArmError.NIC_MEMBERS_CHANGED.refused(pool);
      }
      merged.add(member(member, entry));
    }
    return merged;
  }

  private static boolean same(JsonNode entry, JsonNode member) {
    return !entry.path("properties").has("ipAddress") && nic(entry).equalsIgnoreCase(nic(member));
  }

  private static ObjectNode member(JsonNode stored, Optional<JsonNode> given) {
    ObjectNode properties = ArmJson.MAPPER.createObjectNode();
    given
        .map(entry -> entry.path("properties").get(PoolEntries.ADMIN_STATE))
        .ifPresent(state -> properties.set(PoolEntries.ADMIN_STATE, state));
    properties.set(MEMBER, stored.path("properties").get(MEMBER));
    ObjectNode member = ArmJson.MAPPER.createObjectNode();
    member.setAll((ObjectNode) stored);
    return member.set("properties", properties);
  }

  /** Ip configurations leave and join pools; nothing has changed if a pool refuses one. */
  static void move(List<PoolMembership> left, List<PoolMembership> joined, Resources all) {
    joined.forEach(one -> pool(one).ifPresent(id -> open(id, one.ipConfiguration(), all)));
    left.forEach(one -> pool(one).ifPresent(id -> leave(id, one.ipConfiguration(), all)));
    joined.forEach(one -> pool(one).ifPresent(id -> join(id, one.ipConfiguration(), all)));
  }

  private static Optional<ResourceId> pool(PoolMembership membership) {
    return ResourceId.parse(membership.pool())
        .filter(id -> id.types().size() == 2)
        .flatMap(id -> id.balancer().map(balancer -> ResourceId.of(balancer.pool(id.name()))));
  }

  /**
   * Adds a NIC's ip configuration to a pool, unless it is in it. The load balancer's etag changes,
   * and no operation runs.
   */
  public static void join(ResourceId id, String nicIpConfigurationId, Resources all) {
    JsonNode pool = open(id, nicIpConfigurationId, all);
    if (PoolEntries.of(pool).valueStream().noneMatch(entry -> isOf(entry, nicIpConfigurationId))) {
      ObjectNode more = copy(pool);
      ((ArrayNode) PoolEntries.of(more)).add(of(nicIpConfigurationId));
      touch(id, more, all);
    }
  }

  /** The pool, if there is one and it holds no addresses. */
  private static JsonNode open(ResourceId id, String nicIpConfigurationId, Resources all) {
    JsonNode pool =
        all.part(id)
            .orElseThrow(() -> ArmError.NO_SUCH_REFERENCE.refused(id.path(), nicIpConfigurationId));
    if (PoolEntries.ipBased(pool)) {
      throw ArmError.MIXED_MEMBERS.refused(id.path());
    }
    return pool;
  }

  /** Removes a NIC's ip configuration from a pool, if both exist. */
  public static void leave(ResourceId id, String nicIpConfigurationId, Resources all) {
    all.part(id)
        .ifPresent(
            pool -> {
              ObjectNode fewer = copy(pool);
              ArrayNode entries = (ArrayNode) PoolEntries.of(fewer);
              entries.removeIf(entry -> isOf(entry, nicIpConfigurationId));
              if (entries.size() < PoolEntries.of(pool).size()) {
                touch(id, fewer, all);
              }
            });
  }

  private static boolean isOf(JsonNode entry, String nicIpConfigurationId) {
    return nic(entry).equalsIgnoreCase(nicIpConfigurationId);
  }

  private static ObjectNode copy(JsonNode pool) {
    return Embedded.ENTRIES.copy((ObjectNode) pool);
  }

  private static void touch(ResourceId id, ObjectNode pool, Resources all) {
    Resource balancer = all.find(id.top()).orElseThrow();
    all.touch(balancer, Embedded.POOLS.with(balancer.document(), pool));
  }

  /**
   * One ip configuration of a network interface that names a backend pool.
   *
   * @param pool the pool's id as written
   * @param ipConfiguration the id of the ip configuration
   * @param privateAddress its address; empty if it has none
   */
  public record PoolMembership(String pool, String ipConfiguration, String privateAddress) {}
}
