package io.poolkeeper.simulation;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What Services wanted in their pools at any time, as far as one process could know: computed by
 * the checker's own code from the objects that its watches have delivered.
 */
final class DesiredHistory {
  private static final Expected.Members NONE = new Expected.Members(Set.of(), false);

  private final SimWorld sim;
  private final SimCluster store;
  private final Expected expected;
  private final Map<String, List<Level>> levels = new HashMap<>();

  /** Those just deleted, too: an actor may hear of a slice before it hears of the deletion. */
  private final Map<String, SimCluster.Service> known = new TreeMap<>();

  private final Map<String, Instant> gone = new HashMap<>();

  /**
   * Which nodes the slices of a Service name, or have named lately, and until when: an actor may
   * hear of a node's new address before it hears that a slice names it no more.
   */
  private final Map<String, Map<String, Instant>> named = new HashMap<>();

  private final Map<String, Set<String>> ever = new HashMap<>();

  /** What a pool ought to hold from a time on, for a Service of that UID at a load balancer. */
  private record Level(Instant from, String uid, int balancer, Expected.Members members) {}

  DesiredHistory(SimWorld sim, SimCluster store) {
    this.sim = sim;
    this.store = store;
    this.expected = new Expected(store, sim.arm, sim.options.nodes().minActive());
    store.watch(this::record);
  }

  /** Only Services that the object matters to can want anything else now. */
  private void record(SimCluster.Kind kind, String name) {
    Instant heard = sim.time.now().minus(sim.options.slack());
    gone.entrySet()
        .removeIf(one -> one.getValue().isBefore(heard) && known.remove(one.getKey()) != null);
    switch (kind) {
      case SERVICE -> {
        recordService(name);
        recordLevels(name, heard);
      }
      case SLICE -> {
        String service = SimCluster.Slice.serviceOf(name);
        recordNodes(service);
        recordLevels(service, heard);
      }
      case NODE ->
          named.forEach(
              (service, nodes) -> {
                if (nodes.containsKey(name)) {
                  recordLevels(service, heard);
                }
              });
      case BINDING -> {}
    }
  }

  private void recordService(String name) {
    SimCluster.Service service = store.services.get(name);
    if (service == null) {
      gone.put(name, sim.time.now());
    } else {
      gone.remove(name);
      known.put(name, service);
    }
  }

  private void recordNodes(String service) {
    Map<String, Instant> of = named.computeIfAbsent(service, any -> new HashMap<>());
    of.replaceAll((node, until) -> until.equals(Instant.MAX) ? sim.time.now() : until);
    store
        .slicesOf(service)
        .forEach(slice -> slice.nodes().forEach(node -> of.put(node, Instant.MAX)));
  }

  private void recordLevels(String name, Instant heard) {
    SimCluster.Service service = known.get(name);
    if (service == null) {
      return;
    }
    Map<String, Instant> nodes = named.getOrDefault(name, new HashMap<>());
    nodes.values().removeIf(heard::isAfter);
    boolean deleted = !service.equals(store.services.get(name));
    for (IpFamily family : service.families()) {
      Expected.Members members = expected.members(service, family);
      if (service.local()) {
        Set<String> all = ever.computeIfAbsent(service.pool(family), any -> new TreeSet<>());
        all.addAll(members.exactly());
        all.addAll(expected.addresses(nodes.keySet(), family));
      }
      if (!deleted) {
        recordLevel(service, family, service.local() ? members : NONE);
      }
    }
  }

  private void recordLevel(SimCluster.Service service, IpFamily family, Expected.Members members) {
    List<Level> of = levels.computeIfAbsent(service.pool(family), any -> new ArrayList<>());
    String uid = service.local() ? service.uid() : "";
    if (of.isEmpty()
        || !of.getLast().members().equals(members)
        || !of.getLast().uid().equals(uid)
        || of.getLast().balancer() != service.loadBalancer()) {
      of.add(new Level(sim.time.now(), uid, service.loadBalancer(), members));
    }
  }

  /** The Services as the process knows them. */
  Collection<SimCluster.Service> services() {
    return store.services.values();
  }

  /** Every address that was ever wanted in a pool. */
  Set<String> ever(PoolId pool) {
    return ever.getOrDefault(pool.name(), Set.of());
  }

  /** When what is wanted in a pool has changed last. */
  Instant lastChange(String pool) {
    List<Level> of = of(pool);
    return of.isEmpty() ? Instant.MIN : of.getLast().from();
  }

  /** Whether a node is named that is not known, so that each change of any node is one there. */
  boolean vague(String pool) {
    List<Level> of = of(pool);
    return !of.isEmpty() && of.getLast().members().vague();
  }

  /** Whether a Service of that UID owned the pool lately. */
  boolean owned(String pool, String uid, Instant since) {
    return since(pool, since).stream().anyMatch(level -> level.uid().equals(uid));
  }

  /** Whether the pool ought to have been without an address lately. */
  boolean unwanted(String pool, String address, Instant since) {
    List<Level> of = since(pool, since);
    return of.isEmpty()
        || of.stream().anyMatch(level -> !level.members().exactly().contains(address));
  }

  /** Whether one of the contents holds all that was wanted at some time since then. */
  boolean satisfied(String pool, Instant since, List<Set<String>> contents) {
    return since(pool, since).stream()
        .anyMatch(
            level ->
                contents.stream().anyMatch(held -> held.containsAll(level.members().exactly())));
  }

  private List<Level> of(String pool) {
    return levels.getOrDefault(pool, List.of());
  }

  /** The levels that held at that time or later. */
  private List<Level> since(String pool, Instant since) {
    List<Level> of = of(pool);
    List<Level> found = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      if (i == of.size() - 1 || of.get(i + 1).from().isAfter(since)) {
        found.add(of.get(i));
      }
    }
    return found;
  }
}
