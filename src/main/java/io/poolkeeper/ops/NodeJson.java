package io.poolkeeper.ops;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodesView.Item;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Report;
import io.poolkeeper.status.Surroundings;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Nodes that leave or return, and the progress of pools with them. */
final class NodeJson {
  /** The maximum of named pools that have a node to write. */
  private static final int SHOWN = 5;

  private NodeJson() {}

  /** The nodes of a status: those that leave, and those that are not done in all pools. */
  static List<JsonObject> progress(Moment moment, Report report) {
    return moment.snapshot().nodes().items().stream()
        .filter(node -> node.leaves() || !node.done())
        .map(node -> progress(node, moment.snapshot().pools(), report))
        .toList();
  }

  private static JsonObject progress(Item node, List<PoolStatus> all, Report report) {
    Set<PoolId> pending = new HashSet<>(node.pending());
    int pools = 0;
    int done = 0;
    int writing = 0;
    for (PoolStatus pool : all) {
      List<AdminState> states = pool.picture().of(node.node());
      boolean waits = pending.contains(pool.id());
      pools += states.isEmpty() && !waits ? 0 : 1;
      done += !states.isEmpty() && !waits && settled(node, pool, states) ? 1 : 0;
      writing += pending.contains(pool.id()) && writes(pool) ? 1 : 0;
    }
    return JsonObject.of("node", node.node())
        .and("state", node.state())
        .and("reasons", node.reasons())
        .and("since", node.since())
        .and("pools", pools)
        .and("done", done)
        .and("writing", writing)
        .and("held", node.held().size())
        .and("until", last(report, pending))
        .and("pending", node.pending().stream().limit(SHOWN).toList())
        .and("more", Math.max(0, node.pending().size() - SHOWN))
        .and("lastError", node.lastError());
  }

  /** Whether no state is to be written; pools may not have said yet what they have to write. */
  private static boolean settled(Item node, PoolStatus pool, List<AdminState> states) {
    return states.stream().allMatch(AdminState.DOWN::equals) == node.leaves()
        || node.held().contains(pool.id())
        || !pool.picture().balanced();
  }

  /** When the last of the pools goes on, of those for which that is known. */
  private static Optional<Instant> last(Report report, Set<PoolId> pools) {
    return report.pools().stream()
        .filter(line -> pools.contains(line.status().id()))
        .flatMap(line -> until(line).stream())
        .max(Comparator.naturalOrder());
  }

  private static boolean writes(PoolStatus pool) {
    return pool.kind() == PoolStatus.State.READING || pool.kind() == PoolStatus.State.WRITING;
  }

  /** {@code /api/v1/nodes/NODE}: a node and its pools. Empty if the node is unknown. */
  static Optional<JsonObject> of(String name, Moment moment) {
    NodeKey key = new NodeKey(name);
    Optional<Item> node =
        moment.snapshot().nodes().items().stream()
            .filter(one -> one.node().equals(key))
            .findFirst();
    boolean waits = moment.snapshot().nodes().waiting().contains(key);
    Surroundings around = moment.around();
    List<JsonObject> pools =
        moment.snapshot().pools().stream()
            .filter(pool -> !pool.picture().of(key).isEmpty() || pending(node, pool.id()))
            .map(pool -> pool(Report.line(pool, around), key, node))
            .toList();
    return Optional.of(
            JsonObject.of("node", key)
                .and("state", node.map(Item::state).orElse(waits ? "Waiting" : "In service"))
                .and("reasons", node.map(Item::reasons).orElse(Set.of()))
                .and("since", node.flatMap(Item::since))
                .and("lastError", node.flatMap(Item::lastError))
                .and("pools", pools))
        .filter(any -> node.isPresent() || waits || !pools.isEmpty());
  }

  private static boolean pending(Optional<Item> node, PoolId pool) {
    return node.filter(of -> of.pending().contains(pool)).isPresent();
  }

  /** The states of the node's entries in a pool, and whether that keeps the node in service. */
  private static JsonObject pool(PoolLine line, NodeKey key, Optional<Item> node) {
    PoolId id = line.status().id();
    return JsonObject.of("id", id)
        .and("states", line.status().picture().of(key))
        .and("pending", pending(node, id))
        .and("held", node.filter(of -> of.held().contains(id)).isPresent())
        .and("label", line.label())
        .and("why", line.why())
        .and("until", until(line));
  }

  /** When the admin states of a pool go on, which wait for no hold of its members. */
  private static Optional<Instant> until(PoolLine line) {
    return line.status().picture().drainDue().or(line::until);
  }
}
