package io.poolkeeper.node;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.PoolsSeen.Seen;
import io.poolkeeper.node.Unconfirmed.Waiter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The state of the node watcher for people, whose values are computed on request. */
public record NodesView(NodeState state) {
  public static final NodesView UNKNOWN = new NodesView(NodeState.initial(false));

  /** The nodes that are out of service, as pools know them. */
  public OutOfService outOfService() {
    return state.snapshots().last();
  }

  /** The nodes that are not tainted yet, as too many preemptions are known from events alone. */
  public NavigableSet<NodeKey> waiting() {
    return state.preemptions().unconfirmed().waiting().stream()
        .map(Waiter::node)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The nodes whose eviction is announced, and that are not tainted because of a pause. */
  public NavigableSet<NodeKey> paused() {
    return state.paused()
        ? state.preemptions().spots().keySet().stream()
            .filter(state.preemptions()::announced)
            .collect(Collectors.toCollection(TreeSet::new))
        : new TreeSet<>();
  }

  /**
   * A node that is leaving, or returning: the item of {@code /api/v1/nodes}.
   *
   * @param state {@code Leaving} or {@code Returning}
   * @param reasons why it is out of service; empty if it is in service again
   * @param since when the signal came or went, or was first seen
   * @param done whether every pool shows that the node leaves, or has returned
   * @param pending pools that still have to write the node's admin state, by name
   * @param held pools that keep the node in service, by name
   * @param unreported how many pools have not said yet how far they are
   * @param lastError of a pending pool
   */
  public record Item(
      NodeKey node,
      String uid,
      String state,
      Set<Reason> reasons,
      Optional<Instant> since,
      boolean done,
      List<PoolId> pending,
      List<PoolId> held,
      int unreported,
      Optional<ArmFailure> lastError) {
    public boolean leaves() {
      return !reasons.isEmpty();
    }
  }

  /** The nodes in the order of their names. */
  public List<Item> items() {
    Map<NodeKey, List<PoolId>> pending = seen().poolsByNode(Seen::pending);
    Map<NodeKey, List<PoolId>> held = seen().poolsByNode(Seen::held);
    List<Item> items = new ArrayList<>();
    for (var entry : state.progress().transitions().entrySet()) {
      NodeKey node = entry.getKey();
      List<PoolId> pendingIn = List.copyOf(pending.getOrDefault(node, List.of()));
      List<PoolId> heldIn = List.copyOf(held.getOrDefault(node, List.of()));
      items.add(item(node, entry.getValue(), pendingIn, heldIn));
    }
    return List.copyOf(items);
  }

  /** Since when the oldest unfinished drain lasts; empty if there is none. */
  public Optional<Instant> drainingSince() {
    return state.progress().transitions().entrySet().stream()
        .filter(drain -> drain.getValue().down())
        .filter(drain -> !drain.getValue().done() || seen().pending(drain.getKey()))
        .flatMap(drain -> since(drain.getKey(), drain.getValue()).stream())
        .min(Comparator.naturalOrder());
  }

  private PoolsSeen seen() {
    return state.progress().seen();
  }

  private Optional<Leaving> leaving(NodeKey node) {
    return Optional.ofNullable(outOfService().leaving().get(node));
  }

  private Optional<Instant> since(NodeKey node, Transition transition) {
    return transition.since().or(() -> leaving(node).map(Leaving::since));
  }

  private Item item(NodeKey node, Transition transition, List<PoolId> pending, List<PoolId> held) {
    Set<Reason> reasons = leaving(node).map(Leaving::reasons).orElse(transition.reasons());
    Optional<ArmFailure> failure =
        pending.isEmpty() || transition.warned().isEmpty()
            ? Optional.empty()
            : Optional.of(transition.warned().getLast());
    return new Item(
        node,
        transition.uid(),
        reasons.isEmpty() ? "Returning" : "Leaving",
        reasons,
        since(node, transition),
        transition.done() && pending.isEmpty(),
        pending,
        held,
        transition.done() ? 0 : seen().unreported(node, transition.version()),
        failure);
  }
}
