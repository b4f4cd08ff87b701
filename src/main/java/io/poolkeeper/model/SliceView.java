package io.poolkeeper.model;

import java.util.Set;

/**
 * What the controller needs to know of an EndpointSlice: the nodes its endpoints name, whatever the
 * endpoints' conditions. Endpoints without a node name count for nothing.
 */
public record SliceView(Key key, ServiceKey service, Set<NodeKey> nodes) {
  public SliceView {
    nodes = Set.copyOf(nodes);
  }

  /** A slice by name. */
  public record Key(String namespace, String name) {
    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }
}
