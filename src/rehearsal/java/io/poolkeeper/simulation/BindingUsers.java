package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.BalancerBody;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Those who make bindings, take them back and switch them off and on, and those who harm them:
 * tenants of the same namespace and of another one who make many, and forge what they may write;
 * people who delete Services, the load balancer or its group, or take rights away. Two pools, one
 * of which is checked, hold entries of others. In the end also the rule about what is there then.
 */
final class BindingUsers {
  static final LoadBalancerId BALANCER =
      new LoadBalancerId(SimOptions.SUBSCRIPTION, "theirs", "unmanaged");
  static final PoolId CHECKED = BALANCER.pool("checked");
  private static final PoolId FREE = BALANCER.pool("free");
  static final String GROUP = BALANCER.path().substring(0, BALANCER.path().indexOf("/providers/"));

  private static final List<String> SERVICES = List.of("bound-a", "bound-b");
  private static final List<String> NAMES = List.of("one", "two", "three");
  private static final int FLOOD = 4;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SimWorld sim;
  private final Chance chance;
  private final BindingCheckers checkers;
  private int serial;

  BindingUsers(SimWorld sim, long stream) {
    this.sim = sim;
    chance = Chance.of(stream, "users");
    checkers = new BindingCheckers(sim, chance);
  }

  /** Whether a pool is one that the cloud provider knows nothing of. */
  static boolean bound(PoolId pool) {
    return pool.loadBalancer().equals(BALANCER);
  }

  /** Whether a Service has no pool but those that it is bound to. */
  static boolean bound(ServiceKey service) {
    return SERVICES.contains(service.name());
  }

  /** What others have put there: a node's address, too, and what another cluster has marked. */
  private static Map<String, String> foreign(PoolId pool) {
    return pool.equals(CHECKED)
        ? new TreeMap<>(Map.of("theirs-0", "10.9.200.1", "theirs-1", "10.0.0.2"))
        : Map.of("theirs.pk-ffffffffffffffff", "10.9.200.2");
  }

  void begin() {
    layOut();
    SERVICES.forEach(this::ensure);
    NAMES.forEach(this::create);
    sim.cluster.watch(checkers::changed);
  }

  /** Makes the load balancer, with the entries of others alone, if it does not exist. */
  private void layOut() {
    if (exists()) {
      return;
    }
    sim.arm.direct("PUT", GROUP, ArmJson.MAPPER.createObjectNode().put("location", "eastus"));
    BalancerBody body = OtherWriters.body(BALANCER);
    for (PoolId pool : List.of(CHECKED, FREE)) {
      ArrayNode entries =
          body.add(OtherWriters.POOLS, pool.name()).putArray("loadBalancerBackendAddresses");
      foreign(pool).forEach((name, address) -> BalancerBody.addEntry(entries, name, address));
    }
    // The other is left alone by drains.
    body.rule("theirs", OtherWriters.FRONTEND, CHECKED.name(), 80);
    sim.arm.write(BALANCER.path(), body.json(), Optional.empty(), () -> {});
    body.parts(OtherWriters.POOLS)
        .forEach(
            pool -> sim.arm.direct("PUT", BALANCER.pool(pool.path("name").asText()).path(), pool));
    sim.othersWrote(BALANCER);
  }

  private boolean exists() {
    return sim.arm.read(BALANCER.path()).has("etag");
  }

  /** Makes the Service, and a slice that names some nodes, if they do not exist. */
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
    boolean free = name.equals("three");
    String service = SERVICES.get(name.equals("one") || free ? 0 : 1);
    BindingTarget target =
        new BindingTarget(
            new ServiceKey(SimBinding.key(name).namespace(), service),
            PoolReference.parse((free ? FREE : CHECKED).path()).orElseThrow(),
            IpFamily.IPV4);
    List<String> checks = free ? List.of() : List.of("window", "budget-" + name);
    sim.bindings.put(null, sim.bindings.made(name, new SimBinding.Spec(target, checks, true)));
  }

  /** Somebody changes something. */
  void change() {
    switch (chance.nextInt(12)) {
      case 0 -> vanish(chance.happens(0.5) ? GROUP : BALANCER.path());
      case 1 -> refuse(chance.between(SECOND, MINUTE.multipliedBy(10)));
      case 2 -> flood(chance.pick(List.of("flood-", SimBinding.OTHER_NAMESPACE + "-")));
      case 3, 4 -> forge();
      case 5 -> sim.cluster.removeService(chance.pick(SERVICES));
      case 6 -> ensure(chance.pick(SERVICES));
      default -> change(chance.pick(NAMES));
    }
  }

  private void change(String name) {
    SimBinding now = sim.cluster.bindings.get(name);
    if (now == null) {
      create(name);
    } else if (!now.meta().deleted()) {
      if (chance.happens(0.4)) {
        delete(name);
      } else {
        sim.mark(RunMark.BINDING_SWITCHED);
        sim.bindings.put(now, now.active(!now.spec().active()));
      }
    }
    sim.trace.say("binding %s changes: %s".formatted(name, sim.cluster.bindings.get(name)));
  }

  private void delete(String name) {
    SimBinding now = sim.cluster.bindings.get(name);
    if (now != null && !now.meta().deleted()) {
      sim.mark(RunMark.BINDING_DELETED);
      sim.bindings.put(now, now.deleted(sim.time.now()));
    }
  }

  /** All that is below the path is deleted, and may come back. */
  private void vanish(String path) {
    if (exists()) {
      sim.mark(RunMark.BOUND_POOL_VANISHED);
      sim.trace.say("somebody deletes " + path);
      sim.arm.direct("DELETE", path, ArmJson.MAPPER.createObjectNode());
      sim.othersWrote(BALANCER);
      sim.time.after(
          chance.between(SECOND.multipliedBy(10), MINUTE.multipliedBy(5)),
          () -> {
            if (sim.faults.on()) {
              layOut();
            }
          });
    }
  }

  /** The controller has no right to the group for a while. */
  private void refuse(Duration length) {
    sim.trace.say("calls about %s are refused for %s".formatted(GROUP, length));
    sim.faults.refuse(GROUP, length);
  }

  /** Makes many bindings of one pool, or deletes those that exist. */
  private void flood(String prefix) {
    sim.mark(RunMark.BINDINGS_FLOODED);
    for (int number = 0; number < FLOOD; number++) {
      if (sim.cluster.bindings.containsKey(prefix + number)) {
        delete(prefix + number);
      } else {
        create(prefix + number);
      }
    }
  }

  /** Writes a status and, at a binding that nobody follows, the finalizer, as if it were ours. */
  private void forge() {
    List<SimBinding> all = List.copyOf(sim.cluster.bindings.values());
    if (all.isEmpty()) {
      return;
    }
    SimBinding now = chance.pick(all);
    long generation = now.meta().generation();
    SimBinding.Status status =
        new SimBinding.Status(
            now.status().checks(),
            chance.pick(List.of(0L, generation, generation + 1)),
            Optional.empty());
    sim.mark(RunMark.STATUS_FORGED);
    sim.trace.say("somebody forges the status of " + now.name());
    sim.bindings.put(now, now.with(status).finalizer(now.meta().finalizer() || !owns(now)));
  }

  private boolean owns(SimBinding binding) {
    return SimBinding.owner(sim.cluster.bindings.values(), binding.pool())
        .filter(binding::equals)
        .isPresent();
  }

  /** From now on every check is Ready soon. What was deleted or refused may stay so. */
  void heal() {
    boolean ends = chance.happens(0.3);
    refuse(ends ? Duration.ofDays(1) : Duration.ZERO);
    if (ends) {
      sim.mark(RunMark.RIGHTS_LOST);
      NAMES.forEach(this::delete);
    } else if (chance.happens(0.7)) {
      layOut();
    }
    SERVICES.stream().filter(any -> chance.happens(0.7)).forEach(this::ensure);
    checkers.heal();
  }

  /** What differs from what is expected when no fault happens any more. */
  Map<String, String> differences(Expected expected) {
    Map<String, String> wrong = new TreeMap<>();
    for (SimBinding one : sim.cluster.bindings.values()) {
      checkers.open(one, owns(one)).ifPresent(how -> wrong.put(one.name(), how));
    }
    if (exists() && !sim.faults.refuses(GROUP)) {
      List.of(CHECKED, FREE)
          .forEach(pool -> holds(expected, pool).ifPresent(how -> wrong.put(pool.path(), how)));
    }
    return wrong;
  }

  /** The pool has what the oldest binding's Service wants and what others have put there. */
  private Optional<String> holds(Expected expected, PoolId pool) {
    Map<String, String> foreign = foreign(pool);
    Map<String, String> found = sim.arm.entries(pool.path());
    Map<String, String> marked = new TreeMap<>(found);
    marked.keySet().removeAll(foreign.keySet());
    boolean kept = found.entrySet().containsAll(foreign.entrySet());
    Optional<Set<String>> wanted = wanted(expected, pool);
    wanted.ifPresent(all -> all.removeAll(foreign.values()));
    boolean right =
        wanted
            .map(all -> marked.values().stream().sorted().toList().equals(List.copyOf(all)))
            .orElse(true);
    return kept && right
        ? Optional.empty()
        : Optional.of("has %s, ought to have %s and %s".formatted(found, foreign, wanted));
  }

  /** Empty if it is not defined: without a Service, or while inactive, a pool stays as it is. */
  private Optional<Set<String>> wanted(Expected expected, PoolId pool) {
    Optional<SimBinding> owner = SimBinding.owner(sim.cluster.bindings.values(), pool.path());
    if (owner.isEmpty()) {
      boolean sure = sim.bindings.sure() && !sim.met(RunMark.DELETION_GIVEN_UP);
      return Optional.<Set<String>>of(new TreeSet<>()).filter(any -> sure);
    }
    String service = owner.get().spec().target().service().name();
    return Optional.ofNullable(sim.cluster.services.get(service))
        .filter(any -> owner.get().spec().active() && !sim.cluster.slicesOf(service).isEmpty())
        .map(of -> new TreeSet<>(expected.members(of, IpFamily.IPV4).exactly()));
  }
}
