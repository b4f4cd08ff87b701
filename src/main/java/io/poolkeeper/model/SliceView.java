package io.poolkeeper.model;

import java.util.Set;

/**
 * The nodes named by an EndpointSlice's endpoints, whatever the endpoints' conditions. Endpoints
 * without a node are ignored.
 */
public record SliceView(Key key, ServiceKey service, Set<NodeKey> nodes) {
  public SliceView {
    nodes = Set.copyOf(nodes);
  }

  public record Key(String namespace, String name) {
    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }
}
