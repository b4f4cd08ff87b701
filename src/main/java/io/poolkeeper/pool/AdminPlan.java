package io.poolkeeper.pool;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.ratelimit.Share;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The admin states to write to a pool (spec 2, Admin State Lifecycle). An entry becomes Down if its
 * node is out of service, and a Down entry becomes None if its node is in service. Left alone are
 * entries of unknown nodes, entries that are Up on a node in service, pools that no rule sends to,
 * and pools for outbound connections. While the watch of nodes is lost, no entry becomes None.
 *
 * <p>No entry is set Down if fewer than {@link OutOfService#minActive()} entries of the pool would
 * stay in service. The node whose signal came first leaves first; the entries of the others are
 * held, which keep their state. An entry that is Down already stays so.
 *
 * @param edit what to write, by the names of entries
 * @param nodes the nodes of those entries
 * @param held the nodes out of service of entries that are held
 */
public record AdminPlan(SortedMap<String, AdminState> edit, Set<NodeKey> nodes, Set<NodeKey> held) {
  /** An entry in service whose node is out of service. */
  private record Leaver(Instant since, NodeKey node, String entry) {
    static final Comparator<Leaver> ORDER =
        Comparator.comparing(Leaver::since)
            .thenComparing(Leaver::node)
            .thenComparing(Leaver::entry);
  }

  public static AdminPlan of(PoolView pool, OutOfService set) {
    AdminPlan plan = new AdminPlan(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());
    List<Leaver> leavers = new ArrayList<>();
    int active = 0;
    for (PoolEntry entry : balanced(pool) ? pool.entries() : List.<PoolEntry>of()) {
      // ARM knows an entry by its name; one without cannot be meant.
      Optional<NodeKey> node =
          Optional.of(entry).filter(e -> !e.name().isBlank()).flatMap(set.nodes()::of);
      Optional<Leaving> leaving = node.map(set.leaving()::get);
      boolean down = entry.adminState() == AdminState.DOWN;
      boolean returns = down && node.isPresent() && leaving.isEmpty() && set.live();
      if (returns) {
        plan.set(entry.name(), node.get(), AdminState.NONE);
      } else if (!down && leaving.isPresent()) {
        leavers.add(new Leaver(leaving.get().since(), node.get(), entry.name()));
      }
      active += !down || returns ? 1 : 0;
    }
    leavers.sort(Leaver.ORDER);
    for (Leaver leaver : leavers) {
      if (active > set.minActive()) {
        plan.set(leaver.entry(), leaver.node(), AdminState.DOWN);
        active--;
      } else {
        plan.held.add(leaver.node());
      }
    }
    return plan;
  }

  private void set(String entry, NodeKey node, AdminState state) {
    edit.put(entry, state);
    nodes.add(node);
  }

  /** Whether any entry is a node's, so that its state may have to be set. */
  public static boolean concerns(PoolView pool, ClusterNodes nodes) {
    return balanced(pool) && pool.entries().stream().anyMatch(e -> nodes.of(e).isPresent());
  }

  /** The IP configurations whose ids do not say which machine has them; folded. */
  public static Stream<String> interfaces(PoolView pool) {
    return pool.entries().stream().flatMap(AdminPlan::interfaces);
  }

  public static Stream<String> interfaces(PoolEntry entry) {
    return entry.ipConfiguration().stream()
        .filter(id -> ClusterNodes.machineOf(id).isEmpty())
        .map(Names::fold);
  }

  /** Whether the states of its entries matter, so that they may have to be written. */
  public static boolean balanced(PoolView pool) {
    return !pool.rules().isEmpty() && !pool.outbound();
  }

  /** How much of what is not Down yet in the pool that this was made for is to be. */
  Share share(PoolView pool) {
    long down = edit.values().stream().filter(AdminState.DOWN::equals).count();
    return down == 0
        ? Share.NONE
        : new Share((int) down, pool.entries().size() - pool.count(AdminState.DOWN));
  }

  /** The nodes of entries with another state than theirs, also of those that are held. */
  public Set<NodeKey> wrong() {
    Set<NodeKey> wrong = new TreeSet<>(nodes);
    wrong.addAll(held);
    return wrong;
  }

  boolean isEmpty() {
    return edit.isEmpty();
  }
}
