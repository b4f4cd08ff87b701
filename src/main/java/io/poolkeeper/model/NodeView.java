package io.poolkeeper.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parts of a Node that may affect a pool; no conditions and heartbeats.
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

  /** The first InternalIP of a family: the one for a pool of that family. */
  public Optional<Address> address(IpFamily family) {
    return addresses.stream().filter(address -> address.family() == family).findFirst();
  }
}
