package io.poolkeeper.model;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parts of a Node that may affect a pool. Nothing that a heartbeat changes.
 *
 * @param addresses its InternalIPs in the order of the status
 * @param labels its labels
 * @param taints the keys of its taints
 * @param deleting whether its deletion has begun
 * @param providerId such as {@code azure:///subscriptions/...}; empty if it has none
 * @param created by the API server's clock; compared with times of the same kind only
 * @param preemptions the messages of its conditions that may announce a preemption and are true
 * @param handled the annotation {@code poolkeeper.io/preemption-handled}; empty if it has none
 * @param ready whether its kubelet is heard of and says so
 */
public record NodeView(
    NodeKey key,
    String uid,
    List<Address> addresses,
    Map<String, String> labels,
    Set<String> taints,
    boolean deleting,
    String providerId,
    Instant created,
    List<String> preemptions,
    String handled,
    boolean ready) {
  private static final String AZURE = "azure://";

  public NodeView {
    addresses = List.copyOf(addresses);
    labels = Map.copyOf(labels);
    taints = Set.copyOf(taints);
    preemptions = List.copyOf(preemptions);
  }

  /** A Node without a machine and without an announced preemption, not yet ready. */
  public NodeView(
      NodeKey key,
      String uid,
      List<Address> addresses,
      Map<String, String> labels,
      Set<String> taints,
      boolean deleting) {
    this(key, uid, addresses, labels, taints, deleting, "", Instant.EPOCH, List.of(), "", false);
  }

  /** The first InternalIP of a family, which is a member of that family's pool. */
  public Optional<Address> address(IpFamily family) {
    return addresses.stream().filter(address -> address.family() == family).findFirst();
  }

  /** The ARM id of its virtual machine or instance of a scale set, folded; empty elsewhere. */
  public Optional<String> machine() {
    String folded = providerId.toLowerCase(Locale.ROOT);
    return folded.startsWith(AZURE + "/subscriptions/")
        ? Optional.of(folded.substring(AZURE.length()))
        : Optional.empty();
  }
}
