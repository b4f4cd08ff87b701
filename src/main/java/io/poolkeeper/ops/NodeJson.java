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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Nodes that leave or return as JSON, with the progress of their pools. */
final class NodeJson {
  /** The maximum of named pools that have a node to write. */
  private static final int SHOWN = 5;

  /** The maximum of nodes in a status. */
  static final int NODES = 200;

  private NodeJson() {}

  /** The nodes that leave, and those that are not done in all pools; what failed comes first. */
  static List<Item> underWay(Moment moment) {
    List<Item> all =
        moment.snapshot().nodes().items().stream()
            .filter(node -> node.leaves() || !node.done())
            .toList();
    return all.size() <= NODES
        ? all
        : all.stream()
            .sorted(
                Comparator.comparing((Item node) -> node.lastError().isEmpty())
                    .thenComparing(Item::done))
            .toList();
  }

  /** The first {@value #NODES} of these nodes. Each pool is looked at once. */
  static List<JsonObject> progress(List<Item> underWay, Report report) {
    Map<NodeKey, Progress> nodes = new LinkedHashMap<>();
    underWay.stream().limit(NODES).forEach(node -> nodes.put(node.node(), new Progress(node)));
    if (nodes.isEmpty()) {
      return List.of();
    }
    Map<PoolId, Set<Progress>> pending = new HashMap<>();
    for (Progress node : nodes.values()) {
      node.pending.forEach(id -> pending.computeIfAbsent(id, pool -> new HashSet<>()).add(node));
    }
    for (PoolLine line : report.pools()) {
      PoolStatus pool = line.status();
      pending.getOrDefault(pool.id(), Set.of()).forEach(node -> node.waits(line));
      Map<NodeKey, List<AdminState>> shown = pool.picture().statesOf(nodes.keySet());
      shown.forEach((node, states) -> Objects.requireNonNull(nodes.get(node)).shown(pool, states));
    }
    return nodes.values().stream().map(Progress::json).toList();
  }

  /** How far the pools are with a node. */
  private static final class Progress {
    private final Item node;
    private final Set<PoolId> pending;
    private int pools;
    private int done;
    private int writing;
    private Optional<Instant> until = Optional.empty();

    Progress(Item node) {
      this.node = node;
      this.pending = Set.copyOf(node.pending());
    }

    /** The pool has still to write it. */
    void waits(PoolLine line) {
      pools++;
      writing += line.attempts() ? 1 : 0;
      until =
          Stream.concat(until.stream(), NodeJson.until(line).stream())
              .max(Comparator.naturalOrder());
    }

    /** The pool has entries of it. */
    void shown(PoolStatus pool, List<AdminState> states) {
      if (!pending.contains(pool.id())) {
        pools++;
        done += settled(node, pool, states) ? 1 : 0;
      }
    }

    JsonObject json() {
      return JsonObject.of("node", node.node())
          .and("state", node.state())
          .and("reasons", node.reasons())
          .and("since", node.since())
          .and("pools", pools)
          .and("done", done)
          .and("writing", writing)
          .and("held", node.held().size())
          .and("until", until)
          .and("pending", node.pending().stream().limit(SHOWN).toList())
          .and("more", Math.max(0, pending.size() - SHOWN))
          .and("lastError", node.lastError());
    }
  }

  /** Whether no state is to be written; pools may not have said yet what they have to write. */
  private static boolean settled(Item node, PoolStatus pool, List<AdminState> states) {
    return states.stream().allMatch(AdminState.DOWN::equals) == node.leaves()
        || node.held().contains(pool.id())
        || !pool.picture().balanced();
  }

  /** {@code /api/v1/nodes/NODE}: a node and its pools. Empty if the node is unknown. */
  static Optional<JsonObject> of(String name, Moment moment) {
    NodeKey key = new NodeKey(name);
    Optional<Item> node =
        moment.snapshot().nodes().items().stream()
            .filter(item -> item.node().equals(key))
            .findFirst();
    boolean waits = moment.snapshot().nodes().waiting().contains(key);
    Surroundings around = moment.around();
    List<JsonObject> pools =
        moment.snapshot().pools().stream()
            .filter(pool -> !pool.picture().statesOf(key).isEmpty() || pending(node, pool.id()))
            .map(pool -> pool(PoolLine.of(pool, around), key, node))
            .toList();
    if (node.isEmpty() && !waits && pools.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        JsonObject.of("node", key)
            .and("state", node.map(Item::state).orElse(waits ? "Waiting" : "In service"))
            .and("reasons", node.map(Item::reasons).orElse(Set.of()))
            .and("since", node.flatMap(Item::since))
            .and("lastError", node.flatMap(Item::lastError))
            .and("pools", pools));
  }

  private static boolean pending(Optional<Item> node, PoolId pool) {
    return node.filter(item -> item.pending().contains(pool)).isPresent();
  }

  /** The states of the node's entries in a pool, and whether that keeps the node in service. */
  private static JsonObject pool(PoolLine line, NodeKey key, Optional<Item> node) {
    PoolId id = line.status().id();
    return JsonObject.of("id", id)
        .and("states", line.status().picture().statesOf(key))
        .and("pending", pending(node, id))
        .and("held", node.filter(item -> item.held().contains(id)).isPresent())
        .and("label", line.label())
        .and("why", line.why())
        .and("until", until(line));
  }

  /** When the admin states of a pool go on, which wait for no hold of its members. */
  private static Optional<Instant> until(PoolLine line) {
    return line.status().picture().drainDue().or(line::until);
  }
}
