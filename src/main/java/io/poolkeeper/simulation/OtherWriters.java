package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Who else writes to the load balancers: the cloud provider, which makes pools and rules of
 * Services, now and then writes a whole load balancer from an old cache, and changes members as
 * {@link PeerUpdater} says; and a person in the portal, who edits pools.
 */
final class OtherWriters {
  private static final int MOST_OLD = 20;

  private final SimStage sim;
  private final SimLease lease;
  private final Deque<Old> cache = new ArrayDeque<>();
  final PeerUpdater updater;
  private final Map<String, Integer> refused = new HashMap<>();
  private int byHand;

  /** A load balancer as it was. */
  private record Old(LoadBalancerId id, ObjectNode document) {}

  OtherWriters(SimStage sim, SimLease lease) {
    this.sim = sim;
    this.lease = lease;
    this.updater = new PeerUpdater(sim, lease);
  }

  /** A Service has changed, and its turn in the cloud provider's main loop comes. */
  void ensure(String service) {
    layOut();
    SimCluster.Service found = sim.cluster.services.get(service);
    if (found != null) {
      ensure(found);
    }
  }

  private void ensure(SimCluster.Service service) {
    if (!service.local() || !sim.options.has(Fault.PEER) || !sim.faults.on()) {
      return;
    }
    if (lease.cloudProviderTakes()) {
      refused.remove(service.name());
      updater.reconcile(
          service,
          () -> {
            lease.cloudProviderGivesBack();
            say(at -> new SharedLockEvent.Served(SimCluster.serviceKey(service.name())));
          });
    } else {
      int row = refused.merge(service.name(), 1, Integer::sum);
      say(at -> new SharedLockEvent.Complained(SimCluster.serviceKey(service.name()), at));
      sim.time.after(SimLease.backoff(row), () -> ensure(service.name()));
    }
  }

  /** An event of its main loop arrives wherever a process watches, unless it is lost. */
  private void say(Function<Instant, SharedLockEvent> event) {
    if (!sim.chance.happens(PeerUpdater.EVENTS_LOST)) {
      sim.time.after(
          sim.chance.between(Duration.ofMillis(1), Duration.ofMillis(300)),
          () ->
              sim.process.ifPresent(
                  one -> one.heard(event.apply(sim.time.now().plus(one.ahead())))));
    }
  }

  /** The cloud provider sees to it that every Service has its pools and rules, and no other has. */
  void layOut() {
    for (int number = 0; number < sim.options.size().loadBalancers(); number++) {
      LoadBalancerId id = sim.arm.balancer(number);
      ObjectNode document = read(id);
      if (arrange(document, number)) {
        write(id, document);
      }
    }
  }

  private ObjectNode read(LoadBalancerId id) {
    JsonNode found = sim.arm.read(id.path());
    ObjectNode document = document();
    ObjectNode properties = document.withObjectProperty("properties");
    for (String part : List.of("backendAddressPools", "loadBalancingRules")) {
      JsonNode before = found.at("/properties/" + part);
      properties.set(part, before.isArray() ? before : ArmJson.MAPPER.createArrayNode());
    }
    return document;
  }

  /** A load balancer without pools. */
  static ObjectNode document() {
    ObjectNode document = ArmJson.MAPPER.createObjectNode();
    document.put("location", "eastus");
    document.putObject("sku").put("name", "Standard").put("tier", "Regional");
    ObjectNode properties = document.putObject("properties");
    ObjectNode front = properties.putArray("frontendIPConfigurations").addObject();
    front.put("name", "front").putObject("properties").put("privateIPAllocationMethod", "Dynamic");
    return document;
  }

  private void write(LoadBalancerId id, ObjectNode document) {
    sim.arm.direct("PUT", id.path(), document);
    sim.othersWrote(id);
  }

  private boolean arrange(ObjectNode document, int number) {
    LoadBalancerId id = sim.arm.balancer(number);
    ArrayNode pools =
        document.withObjectProperty("properties").withArrayProperty("backendAddressPools");
    ArrayNode rules =
        document.withObjectProperty("properties").withArrayProperty("loadBalancingRules");
    Set<String> wantedPools = new HashSet<>();
    Set<String> wantedRules = new HashSet<>();
    boolean changed = !sim.arm.read(id.path()).has("etag");
    for (SimCluster.Service service : sim.cluster.services.values()) {
      if (!service.local() || service.loadBalancer() != number) {
        continue;
      }
      for (IpFamily family : service.families()) {
        wantedPools.add(service.pool(family));
        wantedRules.add(service.rule(family));
        if (!names(pools).contains(service.pool(family))) {
          pools.addObject().put("name", service.pool(family)).putObject("properties");
          changed = true;
        }
        if (!names(rules).contains(service.rule(family))) {
          ObjectNode rule = rules.addObject().put("name", service.rule(family));
          ObjectNode target = rule.putObject("properties");
          target.putObject("backendAddressPool").put("id", id.pool(service.pool(family)).path());
          target.put("protocol", "Tcp").put("frontendPort", 80).put("backendPort", 80);
          changed = true;
        }
      }
    }
    changed |= retain(rules, wantedRules);
    changed |= retain(pools, wantedPools);
    return changed;
  }

  private static Set<String> names(ArrayNode all) {
    Set<String> names = new HashSet<>();
    all.forEach(one -> names.add(one.path("name").asText()));
    return names;
  }

  private static boolean retain(ArrayNode all, Set<String> names) {
    boolean changed = false;
    for (Iterator<JsonNode> each = all.iterator(); each.hasNext(); ) {
      if (!names.contains(each.next().path("name").asText())) {
        each.remove();
        changed = true;
      }
    }
    return changed;
  }

  /** The cloud provider remembers, and may write what it remembers up to two minutes later. */
  void peer() {
    int number = sim.chance.nextInt(sim.options.size().loadBalancers());
    LoadBalancerId id = sim.arm.balancer(number);
    Old old = new Old(id, read(id));
    cache.addLast(old);
    if (cache.size() > MOST_OLD) {
      cache.removeFirst();
    }
    sim.time.after(
        sim.chance.between(Duration.ofSeconds(1), Duration.ofSeconds(120)),
        () -> {
          if (sim.faults.on() && lease.cloudProviderTakes()) {
            sim.trace.say("the cloud provider writes %s from its cache".formatted(id));
            write(id, old.document());
            sim.time.after(
                sim.chance.between(Duration.ofMillis(100), Duration.ofSeconds(20)),
                lease::cloudProviderGivesBack);
            sim.cluster.services.values().stream()
                .filter(service -> service.loadBalancer() == number)
                .forEach(this::ensure);
          }
        });
  }

  /** A person adds an address to a pool, or takes one out. */
  void portal() {
    edit(
        entries -> {
          if (!entries.isEmpty() && sim.chance.happens(0.5)) {
            entries.remove(sim.chance.nextInt(entries.size()));
          } else {
            int host = ++byHand;
            entries
                .addObject()
                .put("name", "by-hand-" + host)
                .putObject("properties")
                .put("ipAddress", "10.9.%d.%d".formatted(host / 250, host % 250 + 1));
          }
        });
  }

  /** A person sets the admin state of an entry. */
  void revert() {
    edit(
        entries -> {
          if (!entries.isEmpty()) {
            sim.mark(Mark.STATE_REVERTED);
            ((ObjectNode) entries.get(sim.chance.nextInt(entries.size())))
                .withObjectProperty("properties")
                .put("adminState", sim.chance.pick(List.of("Down", "None", "Up")));
          }
        });
  }

  private void edit(Consumer<ArrayNode> how) {
    int number = sim.chance.nextInt(sim.options.size().loadBalancers());
    LoadBalancerId id = sim.arm.balancer(number);
    ObjectNode document = read(id);
    ArrayNode pools =
        document.withObjectProperty("properties").withArrayProperty("backendAddressPools");
    if (pools.isEmpty()) {
      return;
    }
    JsonNode pool = pools.get(sim.chance.nextInt(pools.size()));
    ArrayNode entries =
        ((ObjectNode) pool)
            .withObjectProperty("properties")
            .withArrayProperty("loadBalancerBackendAddresses");
    how.accept(entries);
    String name = pool.path("name").asText();
    sim.trace.say("somebody edits %s by hand".formatted(name));
    sim.arm.direct("PUT", id.pool(name).path(), pool);
    sim.othersWrote(id);
  }
}
