package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.poolkeeper.lab.judge.AdminStates;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Puts nodes out of service and back, and records in the ledger what must follow. Used by one
 * thread.
 */
public final class Nodes {
  private final Lab lab;
  private final Expectations ledger;
  private final Set<Integer> out = new TreeSet<>();

  /** Nodes whose draining taint Poolkeeper must have set, or must have left. */
  private final Set<String> draining = new TreeSet<>();

  Nodes(Lab lab, Expectations ledger) {
    this.lab = lab;
    this.ledger = ledger;
  }

  /** Gives nodes exactly these of the taints that put them out of service; none puts them back. */
  void taint(Collection<Integer> nodes, Leaving... taints) {
    begin(nodes, taints.length > 0);
    for (int node : nodes) {
      edit(
          node,
          current -> {
            List<Taint> all = new ArrayList<>(current.getSpec().getTaints());
            all.removeIf(AdminStates::leaving);
            for (Leaving one : taints) {
              all.add(one.taint());
            }
            current.getSpec().setTaints(all);
          });
      remember(node, Set.of(taints).contains(Leaving.SPOT_EVICTION));
    }
  }

  /** Something after which Poolkeeper itself must set the taint, unless the node has it. */
  void preempted(int node, Runnable signal) {
    begin(Set.of(node), true);
    signal.run();
    remember(node, true);
  }

  private void remember(int node, boolean drains) {
    if (drains) {
      draining.add(Blueprint.nodeName(node));
    } else {
      draining.remove(Blueprint.nodeName(node));
    }
  }

  /** A signal for those nodes whose state changes by it. */
  private void begin(Collection<Integer> nodes, boolean leaving) {
    List<Integer> changed = nodes.stream().filter(node -> out.contains(node) != leaving).toList();
    if (changed.isEmpty()) {
      return;
    }
    signal();
    for (int node : changed) {
      ledger.reported(Blueprint.nodeName(node), leaving);
      if (leaving) {
        out.add(node);
      } else {
        out.remove(node);
      }
    }
  }

  private void signal() {
    ledger.signals.add(new Expectations.Signal(lab.nanos(), true));
  }

  /** Cordons a node, which is no signal. */
  void cordon(int node) {
    edit(
        node,
        current -> {
          current.getSpec().setUnschedulable(true);
          current
              .getSpec()
              .getTaints()
              .add(new Taint("NoSchedule", "node.kubernetes.io/unschedulable", null, null));
        });
  }

  /** Taints a node that has opted out, which is no signal. */
  void optOut(int node) {
    edit(
        node,
        current -> {
          current.getMetadata().getLabels().put("poolkeeper.io/admin-state", "ignore");
          current.getSpec().getTaints().add(Leaving.OUT_OF_SERVICE.taint());
        });
  }

  /** Deletes a node; its entries stay until the slices say otherwise. */
  void delete(int node) {
    lab.world.node(node).delete();
    out.remove(node);
    remember(node, false);
  }

  /** Replaces a node by another one of the same name and addresses, which begins clean. */
  void replace(int node) {
    if (out.contains(node)) {
      signal();
    }
    delete(node);
    lab.cluster
        .client()
        .resource(
            Objects.node(
                Blueprint.nodeName(node), List.of(lab.world.ipv4(node), Blueprint.ipv6(node))))
        .create();
  }

  void edit(int node, Consumer<Node> change) {
    lab.world.node(node).accept(change);
  }

  Node get(int node) {
    return lab.world.node(node).require();
  }

  /** Nodes with the draining taint that must not have it, or without although they must. */
  public List<String> differences() {
    List<String> wrong = new ArrayList<>();
    for (Node node : lab.cluster.client().nodes().list().getItems()) {
      String name = node.getMetadata().getName();
      if (AdminStates.draining(node) != draining.contains(name)) {
        wrong.add(
            "%s is %s, against the signals"
                .formatted(name, draining.contains(name) ? "not tainted" : "tainted"));
      }
    }
    return wrong;
  }
}
