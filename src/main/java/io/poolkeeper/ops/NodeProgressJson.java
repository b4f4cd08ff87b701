package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Report;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far pools are with a node that leaves or returns; the names of its members are a contract.
 *
 * @param pools how many hold it
 * @param done how many of them show it as they should
 * @param writing how many are being written
 * @param held how many keep it in service
 * @param until when the last of them goes on, about; null if that is not known
 * @param pending the first of those that have it to write
 * @param more how many more there are
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record NodeProgressJson(
    String node,
    String state,
    List<String> reasons,
    @Nullable String since,
    int pools,
    int done,
    int writing,
    int held,
    @Nullable String until,
    List<String> pending,
    int more,
    @Nullable String lastError) {
  private static final int SHOWN = 5;

  /** Those that are not done everywhere, and those that leave. */
  static List<NodeProgressJson> of(Snapshot snapshot, Report report) {
    return snapshot.nodes().items().stream()
        .filter(node -> !node.reasons().isEmpty() || !node.done())
        .map(node -> of(node, snapshot, report))
        .toList();
  }

  private static NodeProgressJson of(NodesView.Item node, Snapshot snapshot, Report report) {
    boolean leaves = !node.reasons().isEmpty();
    Set<PoolId> pending = new HashSet<>(node.pending());
    int pools = 0;
    int done = 0;
    int writing = 0;
    for (PoolStatus pool : snapshot.pools()) {
      List<AdminState> states = pool.picture().of(node.node());
      pools += states.isEmpty() ? 0 : 1;
      boolean down = states.stream().allMatch(AdminState.DOWN::equals);
      done += !states.isEmpty() && down == leaves && !pending.contains(pool.id()) ? 1 : 0;
      writing += pending.contains(pool.id()) && writes(pool) ? 1 : 0;
    }
    return new NodeProgressJson(
        node.node().name(),
        leaves ? "Leaving" : "Returning",
        node.reasons().stream().sorted().map(Labels::of).toList(),
        Times.iso(node.since()),
        pools,
        done,
        writing,
        node.held().size(),
        Times.iso(last(report, pending)),
        node.pending().stream().limit(SHOWN).map(RowJson::id).toList(),
        Math.max(0, node.pending().size() - SHOWN),
        node.failure().map(Object::toString).orElse(null));
  }

  /** When the last of them goes on, of those for which that is known. */
  private static Optional<Instant> last(Report report, Set<PoolId> pools) {
    return pools.isEmpty()
        ? Optional.empty()
        : report.pools().stream()
            .filter(line -> pools.contains(line.status().id()))
            .flatMap(line -> line.until().stream())
            .max(Comparator.naturalOrder());
  }

  private static boolean writes(PoolStatus pool) {
    return pool.kind() == PoolStatus.State.READING || pool.kind() == PoolStatus.State.WRITING;
  }
}
