package io.poolkeeper.uninstall;

import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeView;
import java.util.List;

/**
 * What Poolkeeper has left in the cluster, as one look showed it.
 *
 * @param mark how the names of the cluster's entries end in pools of bindings
 * @param nodes all nodes: their entries may be Down
 * @param traces in the order in which they are removed
 */
public record ClusterTraces(Mark mark, List<NodeView> nodes, List<ObjectTrace> traces) {
  public ClusterTraces {
    nodes = List.copyOf(nodes);
    traces = List.copyOf(traces);
  }
}
