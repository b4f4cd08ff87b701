package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.admission.Ownership;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Those who make bindings, take them back and switch them off and on. Two bindings share a pool
 * with addresses of others, one of them that of a node; a third has a pool of its own. In the end
 * also the rule about what is there then.
 */
final class BindingUsers {
  static final String BALANCER = "unmanaged";
  private static final String SHARED = "shared";
  private static final String OWN = "exclusive";

  /** In the shared pool before anybody is bound to it; nobody may take them out. */
  static final Set<String> FOREIGN = Set.of("10.9.200.1", "10.0.0.2");

  private static final List<String> SERVICES = List.of("bound-a", "bound-b");
  private static final List<String> NAMES = List.of("one", "two", "three");

  private final SimWorld sim;
  private final Chance chance;
  private final BindingCheckers checkers;
  private int serial;

  BindingUsers(SimWorld sim) {
    this.sim = sim;
    chance = new Chance(~sim.options.bindings().orElseThrow());
    checkers = new BindingCheckers(sim, chance);
  }

  /** Whether a pool is one that the cloud provider knows nothing of. */
  static boolean bound(PoolId pool) {
    return pool.loadBalancer().name().equals(BALANCER);
  }

  /** Whether a Service has no pool but those that it is bound to. */
  static boolean bound(ServiceKey service) {
    return SERVICES.contains(service.name());
  }

  static PoolId shared() {
    return new LoadBalancerId(SimOptions.SUBSCRIPTION, SimOptions.GROUP, BALANCER).pool(SHARED);
  }

  private static PoolId own() {
    return shared().loadBalancer().pool(OWN);
  }

  void begin() {
    ObjectNode document = ArmJson.MAPPER.createObjectNode();
    document.put("location", "eastus");
    document.putObject("sku").put("name", "Standard").put("tier", "Regional");
    ObjectNode properties = document.putObject("properties");
    ObjectNode front = properties.putArray("frontendIPConfigurations").addObject();
    front.put("name", "front").putObject("properties").put("privateIPAllocationMethod", "Dynamic");
    ArrayNode pools = properties.putArray("backendAddressPools");
    for (PoolId pool : List.of(shared(), own())) {
      ObjectNode empty = pools.addObject().put("name", pool.name());
      empty.putObject("properties");
    }
    sim.arm.direct("PUT", shared().loadBalancer().path(), document);
    fill(shared(), FOREIGN);
    fill(own(), Set.of("10.9.200.2"));
    SERVICES.forEach(this::ensure);
    NAMES.forEach(this::create);
    sim.cluster.watch(checkers::changed);
  }

  private void fill(PoolId pool, Set<String> addresses) {
    ObjectNode document = ArmJson.MAPPER.createObjectNode().put("name", pool.name());
    ArrayNode entries = document.putObject("properties").putArray("loadBalancerBackendAddresses");
    for (String address : new TreeSet<>(addresses)) {
      ObjectNode entry = entries.addObject().put("name", "theirs-" + entries.size());
      entry.putObject("properties").put("ipAddress", address);
    }
    sim.arm.direct("PUT", pool.path(), document);
  }

  /** There is such a Service, and it says where it runs. */
  private void ensure(String service) {
    if (!sim.cluster.services.containsKey(service)) {
      String uid = "%08x-0000-0000-0000-000000000000".formatted(++serial);
      sim.cluster.put(new SimCluster.Service(service, uid, false, false, 0, 0));
    }
    if (sim.cluster.slicesOf(service).isEmpty()) {
      Set<String> nodes = new TreeSet<>(sim.cluster.nodes.keySet());
      nodes.removeIf(any -> chance.happens(0.5));
      sim.cluster.put(new SimCluster.Slice(service + "-" + ++serial, service, nodes));
    }
  }

  private void create(String name) {
    boolean third = name.equals("three");
    String service = SERVICES.get(name.equals("two") ? 1 : 0);
    ensure(service);
    BindingTarget target =
        new BindingTarget(
            SimCluster.serviceKey(service),
            new PoolReference(
                Optional.empty(), Optional.empty(), BALANCER, (third ? own() : shared()).name()),
            IpFamily.IPV4,
            third ? Ownership.EXCLUSIVE : Ownership.SHARED,
            Optional.empty(),
            Optional.empty());
    List<String> checks = third ? List.of() : List.of("window", "budget-" + name);
    sim.bindings.put(null, sim.bindings.made(name, new SimBinding.Spec(target, checks, true)));
  }

  /** Somebody changes something. */
  void change() {
    String name = chance.pick(NAMES);
    SimBinding now = sim.cluster.bindings.get(name);
    if (now == null) {
      create(name);
    } else if (!now.meta().deleted()) {
      boolean deletes = chance.happens(0.4);
      sim.mark(deletes ? Mark.BINDING_DELETED : Mark.BINDING_SWITCHED);
      sim.bindings.put(now, deletes ? now.deleted() : now.active(!now.spec().active()));
    }
    sim.trace.say("binding %s changes: %s".formatted(name, sim.cluster.bindings.get(name)));
  }

  /** From now on every check is Ready soon. */
  void heal() {
    SERVICES.forEach(this::ensure);
    checkers.heal();
  }

  /** What is not as it ought to be once nothing goes wrong any more. */
  Map<String, String> differences(Expected expected) {
    Map<String, String> wrong = new TreeMap<>();
    for (PoolId pool : List.of(shared(), own())) {
      List<SimBinding> all =
          sim.cluster.bindings.values().stream()
              .filter(one -> one.pool().equals(pool.path()))
              .toList();
      all.forEach(one -> checkers.open(one).ifPresent(how -> wrong.put(one.name(), how)));
      holds(expected, pool, all).ifPresent(how -> wrong.put(pool.path(), how));
    }
    return wrong;
  }

  private Optional<String> holds(Expected expected, PoolId pool, List<SimBinding> all) {
    boolean exclusive = pool.equals(own());
    Set<String> least = new TreeSet<>(exclusive ? Set.of() : FOREIGN);
    Set<String> recorded = new TreeSet<>();
    Set<String> most = new TreeSet<>();
    for (SimBinding one : all) {
      Set<String> added = SimBindings.texts(one.status().added());
      recorded.addAll(added);
      if (one.spec().active()) {
        String service = one.spec().target().service().name();
        SimCluster.Service of = sim.cluster.services.get(service);
        if (of == null || sim.cluster.slicesOf(service).isEmpty()) {
          return Optional.empty();
        }
        least.addAll(expected.members(of, IpFamily.IPV4).exactly());
      } else {
        most.addAll(added);
      }
    }
    most.addAll(least);
    Set<String> found = sim.arm.addresses(pool.path());
    boolean followed = all.stream().anyMatch(one -> one.spec().active());
    // That a write which Azure took was not made is not known to anybody.
    boolean sure = !sim.options.has(Fault.LOST_WRITE);
    boolean right =
        exclusive
            ? !followed || found.equals(least)
            : found.containsAll(least) && (!sure || most.containsAll(found));
    boolean records = !followed || found.containsAll(recordedByActive(all));
    return right && records
        ? Optional.empty()
        : Optional.of(
            "has %s, ought to have %s to %s; recorded are %s"
                .formatted(found, least, most, recorded));
  }

  private static Set<String> recordedByActive(List<SimBinding> all) {
    Set<String> recorded = new TreeSet<>();
    all.stream()
        .filter(one -> one.spec().active())
        .forEach(one -> recorded.addAll(SimBindings.texts(one.status().added())));
    return recorded;
  }
}
