package io.poolkeeper.model;

import java.util.Comparator;
import java.util.Set;

/**
 * The nodes named by an EndpointSlice's endpoints, whatever the endpoints' conditions.
 *
 * @param nodeless how many endpoints name none
 */
public record SliceView(Key key, ServiceKey service, Set<NodeKey> nodes, int nodeless) {
  public SliceView {
    nodes = Set.copyOf(nodes);
  }

  /** All endpoints name a node. */
  public SliceView(Key key, ServiceKey service, Set<NodeKey> nodes) {
    this(key, service, nodes, 0);
  }

  public record Key(String namespace, String name) implements Comparable<Key> {
    private static final Comparator<Key> BY_NAME =
        Comparator.comparing(Key::namespace).thenComparing(Key::name);

    @Override
    public int compareTo(Key other) {
      return BY_NAME.compare(this, other);
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }
}
