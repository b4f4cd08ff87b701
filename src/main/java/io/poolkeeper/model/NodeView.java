package io.poolkeeper.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the controller needs to know of a Node. Conditions and heartbeats are left out on purpose: a
 * view changes only when a pool may have to.
 *
 * @param addresses its InternalIPs in the order of the status
 * @param labels its labels
 * @param taints the keys of its taints
 * @param deleting whether its deletion has begun
 */
public record NodeView(
    NodeKey key,
    String uid,
    List<Address> addresses,
    Map<String, String> labels,
    Set<String> taints,
    boolean deleting) {
  public NodeView {
    addresses = List.copyOf(addresses);
    labels = Map.copyOf(labels);
    taints = Set.copyOf(taints);
  }

  /** The first InternalIP of a family: the one that belongs into a pool of that family. */
  public Optional<Address> address(IpFamily family) {
    return addresses.stream().filter(address -> address.family() == family).findFirst();
  }
}
