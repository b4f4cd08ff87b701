package io.poolkeeper.uninstall;

import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeView;
import java.util.List;

/**
 * What the cluster shows, once.
 *
 * @param mark how the names of the cluster's entries end in pools of bindings
 * @param nodes all of them: their entries may be Down
 * @param traces in the order in which they go
 */
public record ClusterTraces(Mark mark, List<NodeView> nodes, List<ObjectTrace> traces) {
  public ClusterTraces {
    nodes = List.copyOf(nodes);
    traces = List.copyOf(traces);
  }
}
