package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.BalancerBody;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How the cloud provider changes the members of pools: by PUTs of pools only, each from a GET of
 * its own, all under one lock. Its main loop gives a Service's pools the nodes of all its slices.
 * Both say so. Its updater follows changes of slices, each by itself: it drops a node that another
 * slice still names, and it does not look at slices that come or vanish. What ARM refuses it
 * forgets.
 */
final class PeerUpdater {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration INTERVAL = Duration.ofSeconds(30);

  /** The part of its events that its own filter drops. */
  static final double EVENTS_LOST = 0.2;

  /** The part of its events that come before its operation has ended. */
  private static final double EVENTS_EARLY = 0.2;

  private final SimWorld sim;

  /** Whether it sends If-Match: some versions do. */
  private final boolean conditional;

  /** Whether it writes entries without their admin states. */
  private final boolean forgetful;

  private final Expected expected;
  private final Map<String, Set<String>> slices = new HashMap<>();
  private final List<Change> queue = new ArrayList<>();

  /**
   * What a pool is to lose and to gain.
   *
   * @param gained names of nodes by address
   */
  private record Change(
      String service,
      LoadBalancerId id,
      String pool,
      Set<String> lost,
      Map<String, String> gained) {
    String path() {
      return id.pool(pool).path();
    }
  }

  PeerUpdater(SimWorld sim) {
    this.sim = sim;
    this.expected = new Expected(sim.cluster, sim.arm, sim.options.nodes().minActive());
    this.conditional = sim.chance.happens(0.5);
    this.forgetful = sim.options.has(Fault.REVERT) && sim.chance.happens(0.5);
  }

  /** Follows the slices from now on. */
  void begin() {
    sim.cluster.slices.forEach((name, slice) -> slices.put(name, slice.nodes()));
    sim.cluster.watch(
        (kind, name) -> {
          if (kind == SimCluster.Kind.SLICE) {
            changed(name);
          }
        });
    sim.time.after(INTERVAL, this::tick);
  }

  private void changed(String name) {
    SimCluster.Slice now = sim.cluster.slices.get(name);
    Set<String> before = now == null ? slices.remove(name) : slices.put(name, now.nodes());
    SimCluster.Service service = now == null ? null : sim.cluster.services.get(now.service());
    if (now == null || before == null || service == null || !service.local()) {
      return;
    }
    for (IpFamily family : service.families()) {
      Map<String, String> gained = addresses(now.nodes(), family);
      Set<String> lost = new TreeSet<>(addresses(before, family).keySet());
      boolean same = lost.equals(gained.keySet());
      lost.removeAll(gained.keySet());
      if (!same) {
        queue.add(change(service, family, lost, gained));
      }
    }
  }

  private Change change(
      SimCluster.Service service, IpFamily family, Set<String> lost, Map<String, String> gained) {
    LoadBalancerId id = sim.arm.balancer(service.loadBalancer());
    return new Change(service.name(), id, service.pool(family), lost, gained);
  }

  /** Node names by address; nodes without an address are left out. */
  private Map<String, String> addresses(Set<String> nodes, IpFamily family) {
    Map<String, String> found = new TreeMap<>();
    for (String name : nodes) {
      Optional.ofNullable(sim.cluster.nodes.get(name))
          .flatMap(node -> node.address(family))
          .ifPresent(address -> found.put(address, name));
    }
    return found;
  }

  /** Writes the queued changes when the lock is free, which may take minutes. */
  private void tick() {
    Duration most = sim.chance.happens(0.3) ? SECOND.multipliedBy(150) : SECOND;
    sim.time.after(
        sim.chance.between(MILLI, most),
        () -> {
          if (!sim.lease.cloudProviderTakes()) {
            sim.time.after(INTERVAL, this::tick);
            return;
          }
          Map<String, List<Change>> groups = new LinkedHashMap<>();
          queue.forEach(
              one -> groups.computeIfAbsent(one.path(), any -> new ArrayList<>()).add(one));
          queue.clear();
          next(groups.values().iterator());
        });
  }

  private void next(Iterator<List<Change>> groups) {
    if (!sim.faults.on()) {
      sim.lease.cloudProviderGivesBack();
      return;
    }
    if (groups.hasNext()) {
      write(groups.next(), () -> next(groups));
    } else {
      sim.lease.cloudProviderGivesBack();
      sim.time.after(INTERVAL, this::tick);
    }
  }

  /** The main loop: the pools of a Service hold the nodes of its slices, all nodes without any. */
  void reconcile(SimCluster.Service service, Runnable then) {
    Set<String> named = new TreeSet<>();
    sim.cluster.slicesOf(service.name()).forEach(slice -> named.addAll(slice.nodes()));
    Set<String> all = sim.cluster.nodes.keySet();
    Set<String> wanted =
        new TreeSet<>(sim.cluster.slicesOf(service.name()).isEmpty() ? all : named);
    wanted.removeIf(name -> excluded(name));
    AtomicInteger left = new AtomicInteger(service.families().size());
    for (IpFamily family : service.families()) {
      Map<String, String> gained = addresses(wanted, family);
      Set<String> lost = new TreeSet<>(addresses(all, family).keySet());
      lost.removeAll(gained.keySet());
      write(
          List.of(change(service, family, lost, gained)),
          () -> {
            if (left.decrementAndGet() == 0) {
              then.run();
            }
          });
    }
  }

  private boolean excluded(String name) {
    SimCluster.Node node = sim.cluster.nodes.get(name);
    return node != null && node.excluded();
  }

  /** Reads a pool and writes it some time later, as it was read but for the changes. */
  private void write(List<Change> changes, Runnable then) {
    Change one = changes.getFirst();
    JsonNode pool = sim.arm.read(one.path());
    SimCluster.Service service = sim.cluster.services.get(one.service());
    boolean there = service != null && sim.arm.balancer(service.loadBalancer()).equals(one.id());
    boolean differs = false;
    if (there && pool instanceof ObjectNode document && document.has("etag")) {
      ArrayNode entries = BalancerBody.entries(document);
      for (Change change : changes) {
        differs |= apply(change, entries);
      }
    }
    if (differs) {
      sim.time.after(
          sim.chance.between(MILLI.multipliedBy(20), SECOND), () -> put(one, pool, then));
    } else {
      then.run();
    }
  }

  private boolean apply(Change change, ArrayNode entries) {
    Map<String, JsonNode> held = new LinkedHashMap<>();
    for (JsonNode entry : entries) {
      held.put(entry.at("/properties/ipAddress").asText(), entry);
      if (forgetful && entry.path("properties") instanceof ObjectNode properties) {
        properties.remove("adminState");
      }
    }
    boolean differs = held.keySet().removeAll(change.lost());
    entries.removeAll();
    entries.addAll(held.values());
    for (Map.Entry<String, String> each : change.gained().entrySet()) {
      if (!held.containsKey(each.getKey())) {
        BalancerBody.addEntry(entries, each.getValue(), each.getKey());
        differs = true;
      }
    }
    return differs;
  }

  private void put(Change change, JsonNode pool, Runnable then) {
    Optional<String> etag =
        conditional ? Optional.of(pool.path("etag").asText()) : Optional.empty();
    boolean right = !expected.differences().containsKey(change.path());
    boolean announced = !sim.chance.happens(EVENTS_LOST);
    boolean early = sim.chance.happens(EVENTS_EARLY);
    PoolId written = change.id().pool(change.pool());
    Runnable done =
        () -> {
          if (announced && !early) {
            say(change);
          }
          then.run();
        };
    if (!sim.faults.on() || !sim.arm.write(change.path(), pool, etag, done)) {
      then.run();
      return;
    }
    sim.trace.say(
        "the cloud provider writes %s of %s".formatted(sim.arm.addresses(change.path()), written));
    sim.othersWrote(change.id());
    if (forgetful) {
      sim.mark(RunMark.STATE_REVERTED);
    }
    if (right && expected.differences().containsKey(change.path())) {
      sim.mark(RunMark.PEER_DAMAGED);
    }
    if (announced && early) {
      // The pool may be Updating for long: the process looks again, but not for ever.
      say(change);
    }
  }

  /** The event of a write arrives at the process. */
  private void say(Change change) {
    sim.time.after(
        sim.chance.between(MILLI, MILLI.multipliedBy(300)),
        () ->
            sim.process.ifPresent(
                one -> one.cloudProviderWrote(SimCluster.serviceKey(change.service()))));
  }
}
