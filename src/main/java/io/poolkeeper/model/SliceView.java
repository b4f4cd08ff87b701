package io.poolkeeper.model;

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

  public record Key(String namespace, String name) {
    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }
}
