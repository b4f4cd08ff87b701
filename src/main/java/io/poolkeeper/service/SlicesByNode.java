package io.poolkeeper.service;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.SliceView;
import java.util.Set;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * Which slices name a node, so that a change of a node touches no others. No node is listed without
 * a slice.
 */
record SlicesByNode(HashPMap<NodeKey, MapPSet<SliceView.Key>> all) {
  static final SlicesByNode NONE = new SlicesByNode(HashTreePMap.empty());

  Set<SliceView.Key> of(NodeKey node) {
    return all.getOrDefault(node, HashTreePSet.empty());
  }

  /** The nodes of a slice change; the cost is that of those that differ. */
  SlicesByNode with(SliceView.Key slice, Set<NodeKey> before, Set<NodeKey> after) {
    HashPMap<NodeKey, MapPSet<SliceView.Key>> next = all;
    for (NodeKey node : before) {
      if (!after.contains(node)) {
        MapPSet<SliceView.Key> left =
            next.getOrDefault(node, HashTreePSet.<SliceView.Key>empty()).minus(slice);
        next = left.isEmpty() ? next.minus(node) : next.plus(node, left);
      }
    }
    for (NodeKey node : after) {
      if (!before.contains(node)) {
        next =
            next.plus(
                node, next.getOrDefault(node, HashTreePSet.<SliceView.Key>empty()).plus(slice));
      }
    }
    return new SlicesByNode(next);
  }
}
