package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Report;
import io.poolkeeper.status.Surroundings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/nodes/NODE}: a node and the pools that have it, or are to have it;
 * the names of its members are a contract.
 *
 * @param state {@code Leaving}, {@code Returning} or {@code In service}
 * @param since when the signal came or went; null while it is in service
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record NodeDetailJson(
    String node,
    String state,
    List<String> reasons,
    @Nullable String since,
    @Nullable String lastError,
    List<Pool> pools) {
  /**
   * A pool.
   *
   * @param states of its entries of the node
   * @param pending whether one of them is still to be written
   * @param held whether it keeps the node in service, as too few would be left
   * @param label its state; why: what it waits for
   */
  record Pool(
      String id,
      List<String> states,
      boolean pending,
      boolean held,
      String label,
      String why,
      @Nullable String until) {}

  /** Empty if nothing is known of such a node. */
  static Optional<NodeDetailJson> of(String name, Snapshot snapshot, Instant now) {
    NodeKey key = new NodeKey(name);
    Optional<NodesView.Item> item =
        snapshot.nodes().items().stream().filter(one -> one.node().equals(key)).findFirst();
    Surroundings around = StatusJson.input(snapshot, Optional.empty()).surroundings(now);
    List<Pool> pools =
        snapshot.pools().stream()
            .filter(pool -> !pool.picture().of(key).isEmpty() || wants(item, pool.id()))
            .map(pool -> pool(Report.line(pool, around), key, item))
            .toList();
    if (item.isEmpty() && pools.isEmpty()) {
      return Optional.empty();
    }
    Set<?> reasons = item.map(NodesView.Item::reasons).orElse(Set.of());
    String state = reasons.isEmpty() ? "Returning" : "Leaving";
    return Optional.of(
        new NodeDetailJson(
            key.name(),
            item.map(any -> state).orElse("In service"),
            item.stream().flatMap(of -> of.reasons().stream()).sorted().map(Labels::of).toList(),
            Times.iso(item.flatMap(NodesView.Item::since)),
            item.flatMap(NodesView.Item::failure).map(Object::toString).orElse(null),
            pools));
  }

  private static boolean wants(Optional<NodesView.Item> item, PoolId pool) {
    return item.filter(of -> of.pending().contains(pool)).isPresent();
  }

  private static Pool pool(PoolLine line, NodeKey node, Optional<NodesView.Item> item) {
    return new Pool(
        RowJson.id(line.status().id()),
        line.status().picture().of(node).stream().map(AdminState::toString).toList(),
        wants(item, line.status().id()),
        item.filter(of -> of.held().contains(line.status().id())).isPresent(),
        line.label(),
        line.why(),
        Times.iso(line.until()));
  }
}
