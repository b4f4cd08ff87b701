package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The context of reading a load balancer. A client's document is checked against the stored one and
 * other resources; one from a state file was checked before, and may have members that only the
 * server sets, such as the NICs in a pool.
 *
 * @param before the load balancer that the write replaces
 * @param stored whether the document comes from a state file
 * @param networks whether a virtual network or subnet may be referenced
 * @param deviations what is read otherwise than Azure is assumed to
 */
public record Reading(
    ResourceId id,
    Optional<Resource> before,
    boolean stored,
    Predicate<ResourceId> networks,
    Set<Deviation> deviations) {

  /** What was once accepted can be read again. */
  private static final Set<Deviation> STORED =
      Set.of(Deviation.DUPLICATE_ADDRESS_ACCEPTED, Deviation.DUPLICATE_NAME_ACCEPTED);

  public static Reading stored(ResourceId id) {
    return new Reading(id, Optional.empty(), true, network -> true, STORED);
  }

  boolean deviates(Deviation how) {
    return deviations.contains(how);
  }

  String path() {
    return id.path();
  }

  Optional<JsonNode> pool(String name) {
    return before.flatMap(balancer -> balancer.part(Embedded.POOLS, name));
  }
}
