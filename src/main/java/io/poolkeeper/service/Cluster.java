package io.poolkeeper.service;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Manage;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.pool.IgnoredEndpoints;
import io.poolkeeper.pool.KnownNodes;
import io.poolkeeper.pool.Level;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * The mirror of the cluster: the newest objects of the caches, and the level of a Service derived
 * from them. Immutable; a changed mirror shares the unchanged parts.
 *
 * @param labels the Namespaces that have the label of {@link Manage}
 * @param byPrefix the load balancer Services by what the names of their rules begin with, folded
 */
public record Cluster(
    HashPMap<ServiceKey, ServiceView> services,
    Slices slices,
    HashPMap<NodeKey, NodeView> nodes,
    KnownNodes known,
    HashPMap<String, NamespaceView> labels,
    HashPMap<String, ServiceKey> byPrefix) {
  static final Cluster EMPTY =
      new Cluster(
          HashTreePMap.empty(),
          Slices.NONE,
          HashTreePMap.empty(),
          KnownNodes.NONE,
          HashTreePMap.empty(),
          HashTreePMap.empty());

  Cluster withServices(Map<ServiceKey, Optional<ServiceView>> changes) {
    HashPMap<String, ServiceKey> prefixes = byPrefix;
    for (Map.Entry<ServiceKey, Optional<ServiceView>> change : changes.entrySet()) {
      ServiceView before = services.get(change.getKey());
      if (before != null) {
        prefixes = prefixes.minus(PoolNames.prefix(before));
      }
      Optional<ServiceView> after = change.getValue().filter(ServiceView::loadBalancer);
      if (after.isPresent()) {
        prefixes = prefixes.plus(PoolNames.prefix(after.get()), after.get().key());
      }
    }
    return new Cluster(patched(services, changes), slices, nodes, known, labels, prefixes);
  }

  Cluster withNamespaces(Map<String, Optional<NamespaceView>> changes) {
    HashPMap<String, NamespaceView> next = patched(labels, changes);
    return new Cluster(services, slices, nodes, known, next, byPrefix);
  }

  /** Whether any annotation or label says whether to touch pools. */
  boolean marked() {
    return !labels.isEmpty()
        || services.values().stream().anyMatch(view -> view.manage().says().isPresent());
  }

  Scope.Owner owner(ServiceKey service) {
    ServiceView view = services.get(service);
    return owner(service, view == null ? Manage.ABSENT : view.manage());
  }

  /** The Service with another annotation. */
  Scope.Owner owner(ServiceKey service, Manage annotation) {
    NamespaceView namespace = labels.get(service.namespace());
    return new Scope.Owner(
        service, annotation, namespace == null ? Manage.ABSENT : namespace.label());
  }

  Cluster withNodes(Map<NodeKey, Optional<NodeView>> changes) {
    KnownNodes newlyKnown = known;
    for (Map.Entry<NodeKey, Optional<NodeView>> change : changes.entrySet()) {
      Optional<NodeView> before = Optional.ofNullable(nodes.get(change.getKey()));
      Optional<NodeView> after = change.getValue();
      if (!before.map(NodeView::addresses).equals(after.map(NodeView::addresses))) {
        newlyKnown = before.map(newlyKnown::without).orElse(newlyKnown);
        newlyKnown = after.map(newlyKnown::with).orElse(newlyKnown);
      }
    }
    HashPMap<NodeKey, NodeView> next = patched(nodes, changes);
    return new Cluster(services, slices, next, newlyKnown, labels, byPrefix);
  }

  Cluster withSlices(Map<SliceView.Key, Optional<SliceView>> changes) {
    return new Cluster(services, slices.with(changes), nodes, known, labels, byPrefix);
  }

  boolean hasLoadBalancer(ServiceKey service) {
    return Optional.ofNullable(services.get(service)).filter(ServiceView::loadBalancer).isPresent();
  }

  /** Whether a load balancer Service appears or changes, so that it may have a new pool. */
  boolean changesLoadBalancer(Map<ServiceKey, Optional<ServiceView>> changes) {
    return changes.values().stream()
        .flatMap(Optional::stream)
        .filter(ServiceView::loadBalancer)
        .anyMatch(this::changes);
  }

  /** Whether the load balancer may change. A deletion that begins changes none. */
  boolean changes(ServiceView next) {
    ServiceView before = services.get(next.key());
    return before == null || !before.uid().equals(next.uid()) || before.digest() != next.digest();
  }

  /** The nodes that differ from those in the mirror. */
  Set<NodeKey> different(Map<NodeKey, Optional<NodeView>> changes) {
    return changes.entrySet().stream()
        .filter(
            change -> !Optional.ofNullable(nodes.get(change.getKey())).equals(change.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /**
   * What the Service wants in its pool of that family: the first InternalIP of every eligible node
   * that any of its slices names. Unknown without a slice.
   *
   * @param hasEntry whether the pool had an entry of the address when it was listed last
   */
  Level level(ServiceKey service, IpFamily family, Predicate<Address> hasEntry) {
    Collection<SliceView> slicesOfService = slices.of(service).values();
    if (slicesOfService.isEmpty()) {
      return new Level.Unknown();
    }
    TreeMap<Address, NodeKey> members = new TreeMap<>();
    Set<Address> kept = new HashSet<>();
    TreeMap<NodeKey, String> excluded = new TreeMap<>();
    boolean nodeMissing = false;
    for (SliceView slice : slicesOfService) {
      for (NodeKey name : slice.nodes()) {
        NodeView node = nodes.get(name);
        Optional<String> exclusion = Optional.ofNullable(node).flatMap(Eligibility::excludedBy);
        if (node == null) {
          nodeMissing = true;
        } else if (exclusion.isPresent()) {
          excluded.put(node.key(), exclusion.get());
        } else if (!node.deleting()) {
          Optional<Address> address = node.address(family);
          if (Eligibility.stays(node)) {
            address.ifPresent(kept::add);
            address
                .filter(hasEntry.negate())
                .ifPresent(ip -> excluded.put(node.key(), Eligibility.TAINT));
          } else {
            address.ifPresent(
                ip ->
                    members.merge(ip, node.key(), BinaryOperator.minBy(Comparator.naturalOrder())));
          }
          nodeMissing |= node.addresses().isEmpty();
        }
      }
    }
    int nodeless = slicesOfService.stream().mapToInt(SliceView::nodeless).sum();
    Optional<KnownNodes> keepUnknown = nodeMissing ? Optional.of(known) : Optional.empty();
    return new Level.Exactly(members, kept, keepUnknown, new IgnoredEndpoints(excluded, nodeless));
  }

  private static <K, V> HashPMap<K, V> patched(HashPMap<K, V> map, Map<K, Optional<V>> changes) {
    HashPMap<K, V> next = map;
    for (Map.Entry<K, Optional<V>> change : changes.entrySet()) {
      Optional<V> value = change.getValue();
      next =
          value.isPresent() ? next.plus(change.getKey(), value.get()) : next.minus(change.getKey());
    }
    return next;
  }
}
