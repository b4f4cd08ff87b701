package io.poolkeeper.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What happens to the cluster while the run lasts: Services come, go, move and change their kind;
 * slices split, merge and vanish; nodes come, go, lose their address and are replaced under their
 * name.
 */
final class Weather {
  private final Chance chance;
  private final Swarm swarm;
  private final SimCluster cluster;
  private final Checker checker;
  private final Trace trace;
  private int serial;

  Weather(Chance chance, Swarm swarm, SimCluster cluster, Checker checker, Trace trace) {
    this.chance = chance;
    this.swarm = swarm;
    this.cluster = cluster;
    this.checker = checker;
    this.trace = trace;
  }

  /** The cluster as the run finds it. */
  void begin() {
    for (int number = 0; number < swarm.nodes(); number++) {
      cluster.put(node("node-" + number));
    }
    for (int number = 0; number < swarm.services(); number++) {
      create("svc-" + number);
    }
  }

  private SimCluster.Node node(String name) {
    return new SimCluster.Node(name, uid(), Optional.of(++serial), false);
  }

  private String uid() {
    return "%08x-%08x-%08x-%08x%08x"
        .formatted(
            chance.nextInt(),
            chance.nextInt(),
            chance.nextInt(),
            chance.nextInt(),
            chance.nextInt());
  }

  private void create(String name) {
    int balancer = chance.nextInt(swarm.loadBalancers());
    boolean small = swarm.services() == 1 && swarm.faults().isEmpty();
    boolean local = chance.happens(0.9) || small;
    boolean dual = chance.happens(0.2) && !small;
    cluster.put(new SimCluster.Service(name, uid(), local, dual, balancer, 0));
    if (chance.happens(0.9) || small) {
      slice(name);
    }
  }

  private void slice(String service) {
    cluster.put(new SimCluster.Slice(service + "-" + ++serial, service, someNodes()));
  }

  private Set<String> someNodes() {
    Set<String> some = new TreeSet<>();
    for (String node : cluster.nodes.keySet()) {
      if (chance.happens(0.5)) {
        some.add(node);
      }
    }
    return some;
  }

  /** Something changes. */
  void change() {
    int what = chance.nextInt(20);
    if (what < 10) {
      changeSlices();
    } else if (what < 15) {
      changeNodes();
    } else {
      changeServices();
    }
  }

  private void changeSlices() {
    if (cluster.services.isEmpty()) {
      return;
    }
    String service = chance.pick(List.copyOf(cluster.services.keySet()));
    List<SimCluster.Slice> slices = cluster.slicesOf(service);
    if (slices.isEmpty()) {
      slice(service);
      return;
    }
    SimCluster.Slice one = chance.pick(slices);
    switch (chance.nextInt(6)) {
      case 0 -> split(one);
      case 1 -> merge(slices);
      case 2 -> cluster.removeSlice(one.name());
      default -> cluster.put(new SimCluster.Slice(one.name(), service, someNodes()));
    }
    trace.say("slices of %s change".formatted(service));
  }

  /** Every Service wants other nodes than before. */
  void moveAll() {
    for (SimCluster.Slice one : List.copyOf(cluster.slices.values())) {
      Set<String> others = new TreeSet<>(cluster.nodes.keySet());
      others.removeAll(one.nodes());
      cluster.put(new SimCluster.Slice(one.name(), one.service(), others));
    }
  }

  private void split(SimCluster.Slice one) {
    List<String> nodes = new ArrayList<>(one.nodes());
    int half = nodes.size() / 2;
    cluster.put(
        new SimCluster.Slice(
            one.service() + "-" + ++serial, one.service(), new TreeSet<>(nodes.subList(0, half))));
    cluster.put(
        new SimCluster.Slice(
            one.name(), one.service(), new TreeSet<>(nodes.subList(half, nodes.size()))));
  }

  private void merge(List<SimCluster.Slice> slices) {
    Set<String> all = new TreeSet<>();
    slices.forEach(slice -> all.addAll(slice.nodes()));
    SimCluster.Slice kept = slices.getFirst();
    cluster.put(new SimCluster.Slice(kept.name(), kept.service(), all));
    slices.stream().skip(1).forEach(slice -> cluster.removeSlice(slice.name()));
  }

  private void changeNodes() {
    if (cluster.nodes.size() < 2 || (cluster.nodes.size() < 12 && chance.happens(0.2))) {
      cluster.put(node("node-" + ++serial));
      return;
    }
    SimCluster.Node one = chance.pick(List.copyOf(cluster.nodes.values()));
    switch (chance.nextInt(5)) {
      case 0 -> cluster.removeNode(one.name());
      case 1 -> {
        checker.mark(Mark.NODE_REPLACED_UNDER_ITS_NAME);
        cluster.put(node(one.name()));
      }
      case 2 ->
          cluster.put(
              new SimCluster.Node(
                  one.name(),
                  one.uid(),
                  one.host().isPresent() ? Optional.empty() : Optional.of(++serial),
                  one.excluded()));
      case 3 ->
          cluster.put(new SimCluster.Node(one.name(), one.uid(), one.host(), !one.excluded()));
      default ->
          cluster.put(
              new SimCluster.Node(one.name(), one.uid(), Optional.of(++serial), one.excluded()));
    }
    trace.say("node %s changes".formatted(one.name()));
  }

  private void changeServices() {
    if (cluster.services.isEmpty() || (cluster.services.size() < 8 && chance.happens(0.2))) {
      create("svc-" + ++serial);
      return;
    }
    SimCluster.Service one = chance.pick(List.copyOf(cluster.services.values()));
    switch (chance.nextInt(5)) {
      case 0 -> cluster.removeService(one.name());
      case 1 -> {
        cluster.removeService(one.name());
        create(one.name());
      }
      case 2 -> put(one, !one.local(), one.loadBalancer());
      default -> put(one, one.local(), chance.nextInt(swarm.loadBalancers()));
    }
    trace.say("service %s changes".formatted(one.name()));
  }

  private void put(SimCluster.Service one, boolean local, int balancer) {
    cluster.put(
        new SimCluster.Service(
            one.name(), one.uid(), local, one.dual(), balancer, one.touched() + 1));
  }

  /** Nothing is left that nobody could say how it ought to be. */
  void clear() {
    for (SimCluster.Slice slice : List.copyOf(cluster.slices.values())) {
      Set<String> known = new TreeSet<>(slice.nodes());
      known.retainAll(cluster.nodes.keySet());
      cluster.put(new SimCluster.Slice(slice.name(), slice.service(), known));
    }
    for (SimCluster.Node node : List.copyOf(cluster.nodes.values())) {
      if (node.host().isEmpty()) {
        cluster.put(
            new SimCluster.Node(node.name(), node.uid(), Optional.of(++serial), node.excluded()));
      }
    }
  }

  static Duration layoutDelay(Chance chance) {
    return chance.between(Duration.ofMillis(500), Duration.ofSeconds(20));
  }
}
