package io.poolkeeper.simulation;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.node.NodeCore;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.NodeState;
import io.poolkeeper.node.PatchResult;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Faults in what the controller makes of signals on nodes. */
final class FaultsOfNodes {
  static final List<SeededFault> ALL =
      List.of(
          new SeededFault(
              "write nodes that opted out",
              nodes(
                  node ->
                      changed(node, Map.of(), node.taints(), node.preemptions(), node.handled()))),
          new SeededFault(
              "taint a node again that was cleared",
              new Mutation("node.HandledPreemptions", "of", "FALSE_RETURNS")),
          new SeededFault(
              "keep a replacement Down under the same name",
              Around.core(NodeCore.class, Inherited::new)),
          new SeededFault(
              "take an event about an old node for the new one",
              Around.event(
                  NodeCore.class,
                  NodeEvent.Preempted.class,
                  event ->
                      new NodeEvent.Preempted(
                          event.node(),
                          event.uid(),
                          event.message(),
                          Instant.MAX,
                          event.age(),
                          event.origin()))),
          new SeededFault(
              "heed messages that only look alike", Around.core(NodeCore.class, Alike::new)),
          new SeededFault(
              "give up a patch that failed",
              Around.event(
                  NodeCore.class,
                  NodeEvent.Patched.class,
                  patched ->
                      new NodeEvent.Patched(patched.node(), patched.uid(), PatchResult.DONE))),
          new SeededFault(
              "patch a node while a patch is under way",
              new Mutation("node.SpotNode", "ready", "REMOVE_CONDITIONALS_EQUAL_IF").number(2, 5)));

  private FaultsOfNodes() {}

  private static Parts nodes(UnaryOperator<NodeView> change) {
    return Around.event(
        NodeCore.class, NodeEvent.NodesChanged.class, changed -> nodes(changed, change));
  }

  private static NodeEvent nodes(NodeEvent.NodesChanged changed, UnaryOperator<NodeView> change) {
    Map<NodeKey, Optional<NodeView>> nodes = new HashMap<>(changed.changes());
    nodes.replaceAll((key, node) -> node.map(change));
    return new NodeEvent.NodesChanged(nodes);
  }

  private static NodeView changed(
      NodeView node,
      Map<String, String> labels,
      Set<String> taints,
      List<String> preemptions,
      String handled) {
    return new NodeView(
        node.key(),
        node.uid(),
        node.addresses(),
        labels,
        taints,
        node.deleting(),
        node.providerId(),
        node.created(),
        preemptions,
        handled,
        node.ready());
  }

  /** A node that replaces another one under its name has the taints of that one, too. */
  private static final class Inherited extends Faulty<NodeState, NodeEvent, NodeEffect> {
    private final Map<NodeKey, NodeView> first = new HashMap<>();

    Inherited(Core<NodeState, NodeEvent, NodeEffect> own) {
      super(own);
    }

    @Override
    public Decision<NodeState, NodeEffect> decide(
        NodeState state, NodeEvent event, Instant now, RandomGenerator random) {
      NodeEvent heard = event;
      if (event instanceof NodeEvent.NodesChanged changed) {
        heard = nodes(changed, this::heir);
        changed.changes().forEach((key, node) -> gone(key, node));
      }
      return own.decide(state, heard, now, random);
    }

    private NodeView heir(NodeView node) {
      NodeView before = first.get(node.key());
      if (before == null || before.uid().equals(node.uid()) || !node.taints().isEmpty()) {
        first.put(node.key(), node);
        return node;
      }
      return changed(node, node.labels(), before.taints(), node.preemptions(), node.handled());
    }

    private void gone(NodeKey key, Optional<NodeView> node) {
      if (node.isEmpty()) {
        first.remove(key);
      }
    }
  }

  /** Takes every announcement of the cloud for one of a preemption. */
  private static final class Alike extends Faulty<NodeState, NodeEvent, NodeEffect> {
    Alike(Core<NodeState, NodeEvent, NodeEffect> own) {
      super(own);
    }

    @Override
    public Decision<NodeState, NodeEffect> decide(
        NodeState state, NodeEvent event, Instant now, RandomGenerator random) {
      NodeEvent heard = event;
      if (event instanceof NodeEvent.NodesChanged changed) {
        heard = nodes(changed, Alike::alike);
      } else if (event instanceof NodeEvent.Preempted one) {
        heard =
            new NodeEvent.Preempted(
                one.node(), one.uid(), alike(one.message()), one.at(), one.age(), one.origin());
      }
      return own.decide(state, heard, now, random);
    }

    private static NodeView alike(NodeView node) {
      List<String> messages = node.preemptions().stream().map(Alike::alike).toList();
      return changed(node, node.labels(), node.taints(), messages, node.handled());
    }

    private static String alike(String message) {
      return message.replaceFirst("^(Freeze|Reboot) ", "Preempt ");
    }
  }
}
