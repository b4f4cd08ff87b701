package io.poolkeeper.service;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.SliceView;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The mirror of the EndpointSlices. Immutable; a changed mirror shares the unchanged parts.
 *
 * @param byService so that a level needs no search of slices; no Service without a slice
 * @param owners the Service of each slice
 * @param byNode the slices that name a node, so that a change of a node touches no others; no node
 *     without a slice. In order, not hashed: a slice may name 1,000 nodes that all have the same
 *     hash
 */
record Slices(
    HashPMap<ServiceKey, HashPMap<SliceView.Key, SliceView>> byService,
    HashPMap<SliceView.Key, ServiceKey> owners,
    TreePMap<NodeKey, TreePSet<SliceView.Key>> byNode) {
  static final Slices NONE =
      new Slices(HashTreePMap.empty(), HashTreePMap.empty(), TreePMap.empty());

  HashPMap<SliceView.Key, SliceView> of(ServiceKey service) {
    return byService.getOrDefault(service, HashTreePMap.empty());
  }

  Slices with(Map<SliceView.Key, Optional<SliceView>> changes) {
    Slices next = this;
    for (Map.Entry<SliceView.Key, Optional<SliceView>> change : changes.entrySet()) {
      SliceView.Key key = change.getKey();
      Set<NodeKey> before = next.nodesOf(key);
      Set<NodeKey> after = change.getValue().map(SliceView::nodes).orElse(Set.of());
      Slices without = next.without(key);
      next = change.getValue().map(without::with).orElse(without).named(key, before, after);
    }
    return next;
  }

  private Set<NodeKey> nodesOf(SliceView.Key slice) {
    ServiceKey owner = owners.get(slice);
    SliceView view = owner == null ? null : of(owner).get(slice);
    return view == null ? Set.of() : view.nodes();
  }

  private Slices without(SliceView.Key slice) {
    ServiceKey owner = owners.get(slice);
    if (owner == null) {
      return this;
    }
    HashPMap<SliceView.Key, SliceView> left = of(owner).minus(slice);
    var all = left.isEmpty() ? byService.minus(owner) : byService.plus(owner, left);
    return new Slices(all, owners.minus(slice), byNode);
  }

  private Slices with(SliceView slice) {
    ServiceKey owner = slice.service();
    return new Slices(
        byService.plus(owner, of(owner).plus(slice.key(), slice)),
        owners.plus(slice.key(), owner),
        byNode);
  }

  /** The nodes of a slice change; the cost is that of those that differ. */
  private Slices named(SliceView.Key slice, Set<NodeKey> before, Set<NodeKey> after) {
    TreePMap<NodeKey, TreePSet<SliceView.Key>> next = byNode;
    for (NodeKey node : before) {
      if (!after.contains(node)) {
        TreePSet<SliceView.Key> left =
            next.getOrDefault(node, TreePSet.<SliceView.Key>empty()).minus(slice);
        next = left.isEmpty() ? next.minus(node) : next.plus(node, left);
      }
    }
    for (NodeKey node : after) {
      if (!before.contains(node)) {
        next =
            next.plus(node, next.getOrDefault(node, TreePSet.<SliceView.Key>empty()).plus(slice));
      }
    }
    return new Slices(byService, owners, next);
  }

  /** The Services of the slices, before and after the change. */
  Set<ServiceKey> servicesOf(Map<SliceView.Key, Optional<SliceView>> changes) {
    return changes.entrySet().stream()
        .flatMap(
            change ->
                Stream.concat(
                    Stream.ofNullable(owners.get(change.getKey())),
                    change.getValue().map(SliceView::service).stream()))
        .collect(Collectors.toSet());
  }

  /** The Services whose slices name one of the nodes. */
  Set<ServiceKey> servicesOn(Set<NodeKey> changed) {
    return changed.stream()
        .flatMap(node -> byNode.getOrDefault(node, TreePSet.empty()).stream())
        .map(slice -> Objects.requireNonNull(owners.get(slice)))
        .collect(Collectors.toSet());
  }
}
