package io.poolkeeper.simulation;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What ought to be in ARM, computed from the objects of the cluster by short code of its own: it
 * shares none with the controller, so that a mistake there is not made here again.
 */
record Expected(SimCluster cluster, SimArm arm, int floor) {
  /**
   * What a pool ought to hold.
   *
   * @param exactly the addresses of the nodes that are named
   * @param vague whether a named node is not known yet, so that more may be there
   */
  record Members(Set<String> exactly, boolean vague) {}

  /** What each pool that a Service owns ought to hold; pools without an owner are left out. */
  TreeMap<String, Members> expected() {
    TreeMap<String, Members> all = new TreeMap<>();
    for (SimCluster.Service service : cluster.services.values()) {
      if (!service.local() || cluster.slicesOf(service.name()).isEmpty()) {
        continue;
      }
      for (IpFamily family : service.families()) {
        PoolId pool = arm.balancer(service.loadBalancer()).pool(service.pool(family));
        if (arm.truth.hasRule(pool, service.rule(family))) {
          all.put(pool.path(), members(service, family));
        }
      }
    }
    return all;
  }

  /** What a Service of local traffic wants in its pool of that family. */
  Members members(SimCluster.Service service, IpFamily family) {
    TreeSet<String> addresses = new TreeSet<>();
    boolean vague = false;
    for (SimCluster.Slice slice : cluster.slicesOf(service.name())) {
      for (String name : slice.nodes()) {
        SimCluster.Node node = cluster.nodes.get(name);
        Optional<String> address = node == null ? Optional.empty() : node.address(family);
        if (node != null && node.excluded()) {
          continue;
        }
        address.ifPresent(addresses::add);
        vague |= address.isEmpty();
      }
    }
    return new Members(addresses, vague);
  }

  /** The pools that differ from what they ought to hold, each with how. */
  TreeMap<String, String> differences() {
    TreeMap<String, String> wrong = new TreeMap<>();
    expected()
        .forEach(
            (pool, members) -> {
              Set<String> found = arm.addresses(pool);
              boolean right =
                  members.vague()
                      ? found.containsAll(members.exactly())
                      : found.equals(members.exactly());
              if (!right) {
                wrong.put(pool, "has " + found + ", ought to have " + members.exactly());
              }
            });
    wrong.putAll(wrongStates());
    return wrong;
  }

  private static long active(Map<String, ArmTruth.Shown> entries) {
    return entries.values().stream().filter(shown -> !shown.down()).count();
  }

  /** Whether the node of an address leaves; an address on which two nodes differ is left out. */
  Map<String, Boolean> leaving() {
    Map<String, Boolean> all = new HashMap<>();
    Set<String> unsure = new HashSet<>();
    for (SimCluster.Node node : cluster.nodes.values()) {
      for (String address : node.addresses()) {
        Boolean before = all.put(address, node.leaving());
        if (node.ignored() || (before != null && before != node.leaving())) {
          unsure.add(address);
        }
      }
    }
    all.keySet().removeAll(unsure);
    return all;
  }

  /** The pools in which an entry of a node is Down and ought not to be, or the other way round. */
  private TreeMap<String, String> wrongStates() {
    Map<String, Boolean> leaving = leaving();
    TreeMap<String, String> wrong = new TreeMap<>();
    for (SimCluster.Node node : cluster.nodes.values()) {
      if (!node.ignored() && !NodeSignals.heeded(node)) {
        wrong.put(node.name(), "has heeded " + node.handled() + " of " + node.notices());
      }
    }
    arm.truth
        .shown()
        .forEach(
            (pool, entries) ->
                entries.forEach(
                    (address, shown) -> {
                      boolean kept = !shown.down() && active(entries) <= floor;
                      if (!kept && shown.down() != leaving.getOrDefault(address, shown.down())) {
                        String how = address + (shown.down() ? " is Down" : " is not Down");
                        wrong.put(pool + " states", how);
                      }
                    }));
    return wrong;
  }
}
