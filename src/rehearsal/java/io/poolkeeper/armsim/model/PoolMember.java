package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * One entry of a pool.
 *
 * @param ip as written, and absent for a NIC
 * @param adminState in the canonical spelling; empty if none is set
 */
public record PoolMember(String name, Optional<String> ip, Optional<String> adminState) {
  public static List<PoolMember> of(JsonNode pool) {
    return PoolEntries.of(pool)
        .valueStream()
        .map(
            entry ->
                new PoolMember(
                    Embedded.name(entry),
                    text(entry, "ipAddress"),
                    text(entry, PoolEntries.ADMIN_STATE)))
        .toList();
  }

  private static Optional<String> text(JsonNode entry, String property) {
    return Optional.of(entry.path("properties").path(property).asText(""))
        .filter(text -> !text.isEmpty());
  }
}
