package io.poolkeeper.service;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.SliceView;
import java.util.Set;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * Which slices name a node, so that a change of a node touches no others. No node is listed without
 * a slice. In order, not hashed: a slice may name any 1,000 nodes, also such as have one hash.
 */
record SlicesByNode(TreePMap<NodeKey, TreePSet<SliceView.Key>> all) {
  static final SlicesByNode NONE = new SlicesByNode(TreePMap.empty());

  Set<SliceView.Key> of(NodeKey node) {
    return all.getOrDefault(node, TreePSet.empty());
  }

  /** The nodes of a slice change; the cost is that of those that differ. */
  SlicesByNode with(SliceView.Key slice, Set<NodeKey> before, Set<NodeKey> after) {
    TreePMap<NodeKey, TreePSet<SliceView.Key>> next = all;
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
    return new SlicesByNode(next);
  }
}
