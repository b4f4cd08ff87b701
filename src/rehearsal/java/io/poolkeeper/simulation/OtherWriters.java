package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.BalancerBody;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
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
  static final String POOLS = "backendAddressPools";
  static final String FRONTEND = "front";
  private static final String RULES = "loadBalancingRules";
  private static final int MOST_OLD = 20;

  private final SimWorld sim;
  private final Deque<BalancerBody> cache = new ArrayDeque<>();
  final PeerUpdater updater;
  private final Map<String, Integer> refused = new HashMap<>();
  private int byHand;

  OtherWriters(SimWorld sim) {
    this.sim = sim;
    this.updater = new PeerUpdater(sim);
  }

  /** A Service has changed, and its permit in the cloud provider's main loop comes. */
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
    if (sim.lease.cloudProviderTakes()) {
      refused.remove(service.name());
      updater.reconcile(
          service,
          () -> {
            sim.lease.cloudProviderGivesBack();
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
              sim.process.ifPresent(one -> one.heard(event.apply(sim.time.now().plus(one.ahead)))));
    }
  }

  /** The cloud provider sees to it that every Service has its pools and rules, and no other has. */
  void layOut() {
    int misplaced = sim.options.has(Fault.MISPLACED) ? 1 : 0;
    for (int number = 0; number < sim.options.size().loadBalancers() + misplaced; number++) {
      BalancerBody body = read(sim.arm.balancer(number));
      if (arrange(body, number)) {
        write(body);
      }
    }
  }

  private BalancerBody read(LoadBalancerId id) {
    JsonNode found = sim.arm.read(id.path());
    BalancerBody body = body(id);
    for (String kind : List.of(POOLS, RULES)) {
      found.at("/properties/" + kind).forEach(body.parts(kind)::add);
    }
    return body;
  }

  /** A load balancer without pools. */
  static BalancerBody body(LoadBalancerId id) {
    BalancerBody body = BalancerBody.of(id);
    body.frontend(FRONTEND);
    return body;
  }

  private void write(BalancerBody body) {
    sim.arm.direct("PUT", body.id().path(), body.json());
    sim.othersWrote(body.id());
  }

  private boolean arrange(BalancerBody body, int number) {
    ArrayNode pools = body.parts(POOLS);
    ArrayNode rules = body.parts(RULES);
    Set<String> wantedPools = new HashSet<>();
    Set<String> wantedRules = new HashSet<>();
    boolean changed = !sim.arm.read(body.id().path()).has("etag");
    for (SimCluster.Service service : sim.cluster.services.values()) {
      if (!service.local() || service.loadBalancer() != number) {
        continue;
      }
      for (IpFamily family : service.families()) {
        wantedPools.add(service.pool(family));
        wantedRules.add(service.rule(family));
        if (!names(pools).contains(service.pool(family))) {
          body.add(POOLS, service.pool(family));
          changed = true;
        }
        if (!names(rules).contains(service.rule(family))) {
          body.rule(service.rule(family), FRONTEND, service.pool(family), 80);
          changed = true;
        }
      }
    }
    int before = rules.size() + pools.size();
    rules.removeIf(rule -> !wantedRules.contains(rule.path("name").asText()));
    pools.removeIf(pool -> !wantedPools.contains(pool.path("name").asText()));
    return changed || rules.size() + pools.size() < before;
  }

  private static Set<String> names(ArrayNode all) {
    Set<String> names = new HashSet<>();
    all.forEach(one -> names.add(one.path("name").asText()));
    return names;
  }

  /** The cloud provider remembers, and may write what it remembers up to two minutes later. */
  void peer() {
    int number = sim.chance.nextInt(sim.options.size().loadBalancers());
    BalancerBody old = read(sim.arm.balancer(number));
    cache.addLast(old);
    if (cache.size() > MOST_OLD) {
      cache.removeFirst();
    }
    sim.time.after(
        sim.chance.between(Duration.ofSeconds(1), Duration.ofSeconds(120)),
        () -> {
          if (sim.faults.on() && sim.lease.cloudProviderTakes()) {
            sim.trace.say("the cloud provider writes %s from its cache".formatted(old.id()));
            write(old);
            sim.time.after(
                sim.chance.between(Duration.ofMillis(100), Duration.ofSeconds(20)),
                sim.lease::cloudProviderGivesBack);
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
            String address = "10.9.%d.%d".formatted(host / 250, host % 250 + 1);
            BalancerBody.addEntry(entries, "by-hand-" + host, address);
          }
        });
  }

  /** A person sets the admin state of an entry. */
  void revert() {
    edit(
        entries -> {
          if (!entries.isEmpty()) {
            sim.mark(RunMark.STATE_REVERTED);
            ((ObjectNode) entries.get(sim.chance.nextInt(entries.size())))
                .withObjectProperty("properties")
                .put("adminState", sim.chance.pick(List.of("Down", "None", "Up")));
          }
        });
  }

  private void edit(Consumer<ArrayNode> how) {
    int number = sim.chance.nextInt(sim.options.size().loadBalancers());
    LoadBalancerId id = sim.arm.balancer(number);
    ArrayNode pools = read(id).parts(POOLS);
    if (pools.isEmpty()) {
      return;
    }
    JsonNode pool = pools.get(sim.chance.nextInt(pools.size()));
    how.accept(BalancerBody.entries(pool));
    String name = pool.path("name").asText();
    sim.trace.say("somebody edits %s by hand".formatted(name));
    sim.arm.direct("PUT", id.pool(name).path(), pool);
    sim.othersWrote(id);
  }
}
