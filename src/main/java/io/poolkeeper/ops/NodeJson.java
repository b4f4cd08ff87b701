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

/** Nodes that leave or return, and how far pools are with them. */
final class NodeJson {
  /** So many of the pools that have a node to write are named. */
  private static final int SHOWN = 5;

  private NodeJson() {}

  /** {@code /api/v1/nodes}: all that are leaving or returning. */
  static List<Members> of(Moment moment) {
    return moment.snapshot().nodes().items().stream().map(NodeJson::item).toList();
  }

  private static Members item(Item node) {
    return Members.of("node", node.node())
        .and("uid", node.uid())
        .and("state", state(node))
        .and("reasons", node.reasons())
        .and("since", node.since())
        .and("done", node.done())
        .and("pending", node.pending())
        .and("held", node.held())
        .and("unreported", node.unreported())
        .and("lastError", node.failure());
  }

  private static boolean leaves(Item node) {
    return !node.reasons().isEmpty();
  }

  private static String state(Item node) {
    return leaves(node) ? "Leaving" : "Returning";
  }

  /** Of the status: those that are not done everywhere, and those that leave. */
  static List<Members> progress(Moment moment, Report report) {
    return moment.snapshot().nodes().items().stream()
        .filter(node -> leaves(node) || !node.done())
        .map(node -> progress(node, moment.snapshot().pools(), report))
        .toList();
  }

  private static Members progress(Item node, List<PoolStatus> all, Report report) {
    Set<PoolId> pending = new HashSet<>(node.pending());
    int pools = 0;
    int done = 0;
    int writing = 0;
    for (PoolStatus pool : all) {
      List<AdminState> states = pool.picture().of(node.node());
      pools += states.isEmpty() ? 0 : 1;
      boolean down = states.stream().allMatch(AdminState.DOWN::equals);
      done += !states.isEmpty() && down == leaves(node) && !pending.contains(pool.id()) ? 1 : 0;
      writing += pending.contains(pool.id()) && writes(pool) ? 1 : 0;
    }
    return Members.of("node", node.node())
        .and("state", state(node))
        .and("reasons", node.reasons())
        .and("since", node.since())
        .and("pools", pools)
        .and("done", done)
        .and("writing", writing)
        .and("held", node.held().size())
        .and("until", last(report, pending))
        .and("pending", node.pending().stream().limit(SHOWN).toList())
        .and("more", Math.max(0, node.pending().size() - SHOWN))
        .and("lastError", node.failure());
  }

  /** When the last of the pools goes on, of those for which that is known. */
  private static Optional<Instant> last(Report report, Set<PoolId> pools) {
    return report.pools().stream()
        .filter(line -> pools.contains(line.status().id()))
        .flatMap(line -> line.until().stream())
        .max(Comparator.naturalOrder());
  }

  private static boolean writes(PoolStatus pool) {
    return pool.kind() == PoolStatus.State.READING || pool.kind() == PoolStatus.State.WRITING;
  }

  /**
   * {@code /api/v1/nodes/NODE}: a node and the pools that have it, or are to have it. Empty if
   * nothing is known of such a node.
   */
  static Optional<Members> of(String name, Moment moment) {
    NodeKey key = new NodeKey(name);
    Optional<Item> node =
        moment.snapshot().nodes().items().stream()
            .filter(one -> one.node().equals(key))
            .findFirst();
    Surroundings around = moment.around();
    List<Members> pools =
        moment.snapshot().pools().stream()
            .filter(pool -> !pool.picture().of(key).isEmpty() || pending(node, pool.id()))
            .map(pool -> pool(Report.line(pool, around), key, node))
            .toList();
    return Optional.of(
            Members.of("node", key)
                .and("state", node.map(NodeJson::state).orElse("In service"))
                .and("reasons", node.map(Item::reasons).orElse(Set.of()))
                .and("since", node.flatMap(Item::since))
                .and("lastError", node.flatMap(Item::failure))
                .and("pools", pools))
        .filter(any -> node.isPresent() || !pools.isEmpty());
  }

  private static boolean pending(Optional<Item> node, PoolId pool) {
    return node.filter(of -> of.pending().contains(pool)).isPresent();
  }

  /** The states of its entries of the node, and whether it keeps that in service. */
  private static Members pool(PoolLine line, NodeKey key, Optional<Item> node) {
    PoolId id = line.status().id();
    return Members.of("id", id)
        .and("states", line.status().picture().of(key))
        .and("pending", pending(node, id))
        .and("held", node.filter(of -> of.held().contains(id)).isPresent())
        .and("label", line.label())
        .and("why", line.why())
        .and("until", line.until());
  }
}
