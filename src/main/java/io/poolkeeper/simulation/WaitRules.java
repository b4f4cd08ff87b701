package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.judge.Excuses;
import io.poolkeeper.judge.Violation;
import io.poolkeeper.judge.WaitJudge;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rule that what is wrong is put right within a bound: gives the judge of one process what its
 * watches deliver, what goes over its wire, and what ARM holds in truth.
 */
final class WaitRules implements ArmTruth.Follower {
  /** Seconds more than the bound that are no violation: the judge's own inexactness. */
  private static final Duration TOLERANCE =
      Duration.ofSeconds(Integer.getInteger("poolkeeper.simulation.tolerance", 5));

  private static final String BEGINS = "begins";
  private static final String UNSHOWN = "unshown";
  private static final String WATCH = "watch";

  /** What is late when a disturbance is over. */
  private static final Duration AFTER = Duration.ofSeconds(5);

  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

  private final SimProcess process;
  private final SimWorld sim;
  private final SimCluster store;
  private final Expected expected;
  private final WaitJudge judge;
  private final WaitCalls calls;
  private final Map<String, Map<PoolId, Expected.Members>> wanted = new HashMap<>();
  private final Set<String> held = new HashSet<>();
  private World.@Nullable Entry check;
  private Instant checkAt = Instant.MAX;
  private boolean knows;

  /** Not in a storm: what 500 pools and an outage of all calls cost it is too much yet. */
  private final boolean on;

  WaitRules(SimProcess process, SimWorld sim, SimCluster store) {
    this.process = process;
    this.sim = sim;
    this.store = store;
    this.expected = new Expected(store, sim.arm);
    this.judge = new WaitJudge(WaitTerms.of(sim.options), TOLERANCE, now());
    this.calls = new WaitCalls(judge, process, sim);
    judge.everywhere().open(BEGINS, "the process begins", now());
    sim.arm.shown().forEach((path, entries) -> holds(pool(path), Optional.of(entries), false));
    on = sim.options.outage().isEmpty();
    if (on) {
      sim.arm.truth().follow(this);
      sim.time.onDisturbance(this::disturbed);
      store.watch(this::delivered);
    }
  }

  private Instant now() {
    return sim.time.now();
  }

  static PoolId pool(String path) {
    if (ArmPath.parse(path) instanceof ArmPath.OnePool one) {
      return one.id();
    }
    throw new IllegalArgumentException("no pool: " + path);
  }

  /** The process is gone. */
  void end() {
    sim.arm.truth().unfollow(this);
    if (check != null) {
      check.cancel();
    }
  }

  private void disturbed(Duration length) {
    // What is withheld from who is not certain to lead is tried again as after a failure.
    Duration certain = sim.options.settings().leaderElection().renewDeadline();
    boolean lapses = sim.options.has(Fault.LEADERSHIP) && length.compareTo(certain) > 0;
    Duration after = lapses ? LONGEST_BACKOFF : AFTER;
    judge.everywhere().span("a fault of the process", now(), now().plus(length).plus(after));
  }

  @Override
  public void holds(PoolId pool, Optional<Map<String, ArmTruth.Shown>> entries, boolean byOthers) {
    judge.holds(pool, entries.map(WaitRules::downs), byOthers, now());
    judge();
  }

  private static Map<String, Boolean> downs(Map<String, ArmTruth.Shown> entries) {
    Map<String, Boolean> downs = new HashMap<>();
    entries.forEach((address, shown) -> downs.put(address, shown.down()));
    return downs;
  }

  @Override
  public void operationBegins(LoadBalancerId balancer, String operation) {
    judge.at(balancer).open(operation, "an operation", now());
  }

  @Override
  public void operationEnds(LoadBalancerId balancer, String operation) {
    judge.at(balancer).close(operation, now());
  }

  @Override
  public void rulesChanged() {
    store.services.keySet().forEach(this::wants);
    judge();
  }

  /** A watch has delivered something. */
  private void delivered(SimCluster.Kind kind, String name) {
    switch (kind) {
      case SERVICE -> wants(name);
      case SLICE -> wants(SimCluster.Slice.serviceOf(name));
      case NODE -> {
        store.services.keySet().forEach(this::wants);
        judge.nodes(outOfService(), now());
      }
      case BINDING -> {}
    }
    unshown();
    judge();
  }

  /** Of each address; one that two nodes claim is left out. */
  private Map<String, Boolean> outOfService() {
    Map<String, Boolean> all = new HashMap<>();
    Set<String> unsure = new HashSet<>();
    for (SimCluster.Node node : store.nodes.values()) {
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

  private void wants(String name) {
    SimCluster.Service service = store.services.get(name);
    Map<PoolId, Expected.Members> next = new TreeMap<>((a, b) -> a.path().compareTo(b.path()));
    if (service != null && service.local() && !store.slicesOf(name).isEmpty()) {
      for (IpFamily family : service.families()) {
        PoolId pool = sim.arm.balancer(service.loadBalancer()).pool(service.pool(family));
        if (sim.arm.hasRule(pool, service.rule(family))) {
          next.put(pool, expected.members(service, family));
        }
      }
    }
    Map<PoolId, Expected.Members> before = wanted.put(name, next);
    if (before != null) {
      before.keySet().stream()
          .filter(pool -> !next.containsKey(pool))
          .forEach(pool -> judge.wants(pool, Optional.empty(), false, now()));
    }
    next.forEach(
        (pool, members) ->
            judge.wants(pool, Optional.of(members.exactly()), members.vague(), now()));
  }

  /** Where a check is asked for every pool, a pool waits until a binding shows it. */
  private void unshown() {
    if (!sim.options.freezes()) {
      return;
    }
    Set<String> shown = new HashSet<>();
    store.bindings.values().forEach(one -> shown.add(one.pool()));
    for (Map<PoolId, Expected.Members> pools : wanted.values()) {
      for (PoolId pool : pools.keySet()) {
        if (shown.contains(pool.path())) {
          judge.at(pool).close(UNSHOWN, now().plus(AFTER));
        } else {
          judge.at(pool).open(UNSHOWN, "no binding shows the pool", now());
        }
      }
    }
  }

  /** The checks of admission that hold pools, by their paths. */
  void held(Set<String> paths) {
    for (String path : Set.copyOf(held)) {
      if (!paths.contains(path)) {
        held.remove(path);
        judge.at(pool(path)).close("held", now());
      }
    }
    for (String path : paths) {
      held.add(path);
      judge.at(pool(path)).open("held", "a check holds the pool", now());
    }
  }

  /** The process has lost a watch, or has not yet; once a second. */
  void looksAtWatches() {
    boolean live = process.watches().stream().allMatch(SimWatch::live);
    if (live) {
      judge.everywhere().close(WATCH, now().plusSeconds(1));
    } else {
      watchLost();
    }
    looksAtBindings();
    if (!knows && calls.listed() && process.ledger().knowsAll()) {
      knows = true;
      judge.everywhere().close(BEGINS, now().plus(AFTER));
    }
  }

  /** Who may ask for a check is held while nobody knows whether one is asked for. */
  private void looksAtBindings() {
    boolean live = process.allWatches().stream().allMatch(SimWatch::live);
    Set<String> paths = new HashSet<>();
    store.bindings.values().forEach(one -> paths.add(one.pool()));
    if (sim.options.freezes()) {
      wanted.values().forEach(pools -> pools.keySet().forEach(pool -> paths.add(pool.path())));
    }
    for (String path : paths) {
      if (live) {
        judge.at(pool(path)).close(WATCH, now().plusSeconds(1));
      } else {
        judge.at(pool(path)).open(WATCH, "the watch of the bindings is lost", now());
      }
    }
  }

  void watchLost() {
    judge.everywhere().open(WATCH, "a watch is lost", now());
  }

  /** Another client has the shared Lease, or had it when it was seen last. */
  Excuses lease() {
    return judge.lease();
  }

  /** Calls about the shared Lease fail. */
  Excuses leaseIsUnreachable() {
    return judge.unreachable();
  }

  /** What the cloud provider says of the shared Lease arrives. */
  void heard(SharedLockEvent event) {
    if (event instanceof SharedLockEvent.Complained said) {
      judge.complaints().complained(said.service().toString(), now());
    } else if (event instanceof SharedLockEvent.Served said) {
      judge.complaints().content(said.service().toString(), now());
    }
  }

  /** The process has not heard of the last change of the Lease. */
  void leaseIsOld(boolean old) {
    if (old) {
      judge.leaseIsOld().open("old", "the watch of the Lease is late", now());
    } else {
      judge.leaseIsOld().close("old", now());
    }
  }

  /** The cloud provider's event arrives. */
  void heard(PoolId pool) {
    judge.announced(pool, now());
    judge();
  }

  void sent(Exchange exchange, Optional<PoolId> whose) {
    if (!on) {
      return;
    }
    calls.sent(exchange, whose);
    judge();
  }

  void failed(Exchange exchange) {
    calls.failed(exchange);
    judge();
  }

  void arrived(Exchange exchange, Wire.Answer answer, Optional<JsonNode> json) {
    calls.arrived(exchange, answer, json);
    judge();
  }

  /** Something may wait for too long from now on. */
  private void judge() {
    Instant next = judge.next().orElse(Instant.MAX);
    if (next.isBefore(checkAt)) {
      if (check != null) {
        check.cancel();
      }
      checkAt = next;
      check = sim.time.at(next, this::check);
    }
    report();
  }

  private void check() {
    check = null;
    checkAt = Instant.MAX;
    judge();
  }

  private void report() {
    for (Violation one : judge.violations(now())) {
      if (process.alive() && !process.stopping() && !process.failing()) {
        explain(one.subject().pool());
        sim.check(false, one.text());
      }
    }
  }

  /** What the process says of the pool, for the reader of the trace: no part of the verdict. */
  private void explain(PoolId pool) {
    if (sim.time.settled()) {
      process.status().pools().stream()
          .filter(status -> status.id().equals(pool))
          .forEach(status -> sim.trace.say("shows " + status));
      process.status().turnstile().stream()
          .flatMap(view -> view.waiting(process.time()).stream())
          .filter(waiting -> waiting.pool().equals(pool))
          .forEach(waiting -> sim.trace.say("shows " + waiting));
    }
  }
}
