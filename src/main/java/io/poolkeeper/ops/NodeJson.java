package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodesView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code /api/v1/nodes}; the names of its members are a contract.
 *
 * @param state {@code Leaving} or {@code Returning}
 * @param since when the signal came or went; of a node that had left before this process began,
 *     when it was first seen
 * @param done whether every pool shows it
 * @param pending the pools that still have it to write
 * @param held the pools that keep it in service, as {@code admin-state.min-active} says
 * @param unreported how many pools have not said yet how far they are
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record NodeJson(
    String node,
    String uid,
    String state,
    List<String> reasons,
    @Nullable String since,
    boolean done,
    List<String> pending,
    List<String> held,
    int unreported,
    @Nullable String lastError) {
  /** All nodes that are leaving or returning. */
  static List<NodeJson> of(NodesView nodes) {
    return nodes.items().stream().map(NodeJson::of).toList();
  }

  private static NodeJson of(NodesView.Item item) {
    return new NodeJson(
        item.node().name(),
        item.uid(),
        item.reasons().isEmpty() ? "Returning" : "Leaving",
        item.reasons().stream().sorted().map(Labels::of).toList(),
        Times.iso(item.since()),
        item.done(),
        item.pending().stream().map(PoolId::toString).toList(),
        item.held().stream().map(PoolId::toString).toList(),
        item.unreported(),
        item.failure().map(Object::toString).orElse(null));
  }
}
