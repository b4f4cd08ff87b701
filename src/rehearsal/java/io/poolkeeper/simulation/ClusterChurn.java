package io.poolkeeper.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What happens to the cluster while the run lasts: Services come, go, move and change their kind;
 * slices split, merge and vanish; nodes come, go, lose their address, are replaced under their
 * name, and get signals.
 */
final class ClusterChurn {
  private final SimWorld sim;
  private int serial;

  ClusterChurn(SimWorld sim) {
    this.sim = sim;
  }

  /** The cluster as the run finds it. */
  void begin() {
    for (int number = 0; number < sim.options.size().nodes(); number++) {
      sim.cluster.put(node("node-" + number));
    }
    for (int number = 0; number < sim.options.size().services(); number++) {
      create("svc-" + number);
    }
  }

  private SimCluster.Node node(String name) {
    return node(name, Optional.of(++serial));
  }

  private SimCluster.Node node(String name, Optional<Integer> host) {
    Instant now = sim.time.now();
    return new SimCluster.Node(name, uid(), now, host, Map.of(), Set.of(), List.of(), "");
  }

  private String uid() {
    return "%08x-%08x-%08x-%08x%08x"
        .formatted(
            sim.chance.nextInt(),
            sim.chance.nextInt(),
            sim.chance.nextInt(),
            sim.chance.nextInt(),
            sim.chance.nextInt());
  }

  private void create(String name) {
    int balancer = balancer();
    boolean storm = sim.options.failures().outage().isPresent();
    boolean small =
        storm || (sim.options.size().services() == 1 && sim.options.failures().faults().isEmpty());
    boolean local = sim.chance.happens(0.9) || small;
    boolean dual = sim.chance.happens(0.2) && !small;
    sim.cluster.put(new SimCluster.Service(name, uid(), local, dual, balancer, 0));
    if (sim.chance.happens(0.9) || small) {
      slice(name);
    }
  }

  /** Where the cloud provider puts a Service. */
  private int balancer() {
    int named = sim.options.size().loadBalancers();
    boolean misplaced = sim.options.has(Fault.MISPLACED) && sim.chance.happens(0.1);
    return misplaced ? named : sim.chance.nextInt(named);
  }

  private void slice(String service) {
    sim.cluster.put(new SimCluster.Slice(service + "-" + ++serial, service, someNodes()));
  }

  Set<String> someNodes() {
    Set<String> some = new TreeSet<>();
    for (String node : sim.cluster.nodes.keySet()) {
      if (sim.chance.happens(0.5)) {
        some.add(node);
      }
    }
    if (sim.options.nodes().minActive() > 0 && !sim.cluster.nodes.isEmpty()) {
      some.add(sim.cluster.nodes.firstKey());
    }
    return some;
  }

  /** Something changes. */
  void change() {
    int what = sim.chance.nextInt(20);
    if (what < 10) {
      changeSlices();
    } else if (what < 15) {
      changeNodes();
    } else {
      changeServices();
    }
  }

  private void changeSlices() {
    if (sim.cluster.services.isEmpty()) {
      return;
    }
    String service = sim.chance.pick(List.copyOf(sim.cluster.services.keySet()));
    List<SimCluster.Slice> slices = sim.cluster.slicesOf(service);
    if (slices.isEmpty()) {
      slice(service);
      return;
    }
    SimCluster.Slice one = sim.chance.pick(slices);
    switch (sim.chance.nextInt(6)) {
      case 0 -> split(one);
      case 1 -> merge(slices);
      case 2 -> sim.cluster.remove(SimCluster.Kind.SLICE, one.name());
      default -> sim.cluster.put(one.with(someNodes()));
    }
    sim.trace.say("slices change: " + sim.cluster.slicesOf(service));
  }

  /** Every Service wants other nodes than before. */
  void moveAll() {
    for (SimCluster.Slice one : List.copyOf(sim.cluster.slices.values())) {
      Set<String> others = new TreeSet<>(sim.cluster.nodes.keySet());
      others.removeAll(one.nodes());
      sim.cluster.put(one.with(others));
    }
  }

  private void split(SimCluster.Slice one) {
    List<String> nodes = new ArrayList<>(one.nodes());
    int half = nodes.size() / 2;
    sim.cluster.put(
        new SimCluster.Slice(
            one.service() + "-" + ++serial, one.service(), new TreeSet<>(nodes.subList(0, half))));
    sim.cluster.put(one.with(new TreeSet<>(nodes.subList(half, nodes.size()))));
  }

  private void merge(List<SimCluster.Slice> slices) {
    Set<String> all = new TreeSet<>();
    slices.forEach(slice -> all.addAll(slice.nodes()));
    sim.cluster.put(slices.getFirst().with(all));
    slices.stream()
        .skip(1)
        .forEach(slice -> sim.cluster.remove(SimCluster.Kind.SLICE, slice.name()));
  }

  private void changeNodes() {
    if (sim.cluster.nodes.size() < 2
        || (sim.cluster.nodes.size() < 12 && sim.chance.happens(0.2))) {
      sim.cluster.put(node("node-" + ++serial));
      return;
    }
    SimCluster.Node one = sim.chance.pick(List.copyOf(sim.cluster.nodes.values()));
    switch (sim.chance.nextInt(12)) {
      case 0 -> sim.cluster.remove(SimCluster.Kind.NODE, one.name());
      case 1 -> {
        sim.mark(
            one.leaving() ? RunMark.REPLACED_WHILE_LEAVING : RunMark.NODE_REPLACED_UNDER_ITS_NAME);
        boolean keeps = sim.chance.happens(0.5);
        sim.cluster.put(node(one.name(), keeps ? one.host() : Optional.of(++serial)));
      }
      case 2 ->
          sim.cluster.put(
              one.at(one.host().isPresent() ? Optional.empty() : Optional.of(++serial)));
      case 3 -> sim.cluster.put(one.toggled(SimCluster.EXCLUDE, ""));
      case 4 -> sim.cluster.put(one.at(Optional.of(++serial)));
      default -> sim.signals.change(one);
    }
    sim.trace.say("%s changes: %s".formatted(one.name(), sim.cluster.nodes.get(one.name())));
  }

  private void changeServices() {
    if (sim.cluster.services.isEmpty()
        || (sim.cluster.services.size() < 8 && sim.chance.happens(0.2))) {
      create("svc-" + ++serial);
      return;
    }
    SimCluster.Service one = sim.chance.pick(List.copyOf(sim.cluster.services.values()));
    switch (sim.chance.nextInt(5)) {
      case 0 -> sim.cluster.removeService(one.name());
      case 1 -> {
        sim.cluster.removeService(one.name());
        create(one.name());
      }
      case 2 -> put(one, !one.local(), one.loadBalancer());
      default -> put(one, one.local(), balancer());
    }
    sim.trace.say("%s changes: %s".formatted(one.name(), sim.cluster.services.get(one.name())));
  }

  private void put(SimCluster.Service one, boolean local, int balancer) {
    sim.cluster.put(
        new SimCluster.Service(
            one.name(), one.uid(), local, one.dual(), balancer, one.touched() + 1));
  }

  /**
   * Removes what would leave expected pools undefined: unknown nodes, missing addresses or pools.
   */
  void clear() {
    for (SimCluster.Service service : List.copyOf(sim.cluster.services.values())) {
      if (service.loadBalancer() == sim.options.size().loadBalancers()) {
        put(service, service.local(), 0);
      }
    }
    for (SimCluster.Slice slice : List.copyOf(sim.cluster.slices.values())) {
      Set<String> known = new TreeSet<>(slice.nodes());
      known.retainAll(sim.cluster.nodes.keySet());
      sim.cluster.put(slice.with(known));
    }
    for (SimCluster.Node node : List.copyOf(sim.cluster.nodes.values())) {
      if (node.host().isEmpty()) {
        sim.cluster.put(node.at(Optional.of(++serial)));
      }
    }
  }
}
