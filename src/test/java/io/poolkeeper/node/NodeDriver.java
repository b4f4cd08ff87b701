package io.poolkeeper.node;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.AdminReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Feeds the node watcher's core, event by event, on a clock that only the test moves. */
public final class NodeDriver {
  public static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
  public static final Duration WINDOW = Duration.ofMillis(20);

  /** How events of AKS's detector begin that announce a preemption. */
  public static final List<String> AKS = List.of("Preempt Scheduled:", "Preempt Started:");

  static final NodeLimits SHIPPED = limits(true, true);
  public static final String OUT = "node.kubernetes.io/out-of-service";
  public static final String SHUTDOWN = "node.cloudprovider.kubernetes.io/shutdown";
  public static final String DRAINING = "cloudprovider.azure.microsoft.com/draining";

  private final NodeCore core;
  private final List<NodeEffect> effects = new ArrayList<>();
  private double random = 0.5;
  private NodeState state = NodeState.initial(true);
  private Instant now = T0;

  NodeDriver() {
    this(SHIPPED);
  }

  NodeDriver(NodeLimits limits) {
    core = new NodeCore(limits);
  }

  /** As shipped, but for the two switches. */
  static NodeLimits limits(boolean enabled, boolean spot) {
    return new NodeLimits(enabled, spot, AKS, 0, WINDOW, Set.of());
  }

  /** Of a replica that does not lead. */
  static NodeDriver standby() {
    NodeDriver driver = new NodeDriver();
    driver.state = NodeState.initial(false);
    return driver;
  }

  /** With these nodes in service, or not, and the first broadcast past. */
  public static NodeDriver synced(NodeView... nodes) {
    NodeDriver driver = new NodeDriver();
    driver.change(nodes).send(new NodeEvent.Synced()).after(WINDOW);
    driver.effects.clear();
    return driver;
  }

  /** What people see. */
  public NodesView view() {
    return new NodesView(state);
  }

  NodeState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  NodeDriver random(double number) {
    random = number;
    return this;
  }

  public NodeDriver send(NodeEvent event) {
    RandomGenerator fixed =
        new RandomGenerator() {
          @Override
          public long nextLong() {
            throw new AssertionError("a core draws doubles only");
          }

          @Override
          public double nextDouble() {
            return random;
          }
        };
    Decision<NodeState, NodeEffect> decision = core.decide(state, event, now, fixed);
    state = decision.state();
    effects.addAll(decision.effects());
    return this;
  }

  /** Passes time, and the timer fires whenever it is due. */
  public NodeDriver after(Duration duration) {
    Instant end = now.plus(duration);
    while (core.wakeAt(state).filter(at -> !at.isAfter(end)).isPresent()) {
      Instant at = core.wakeAt(state).orElseThrow();
      now = at.isAfter(now) ? at : now;
      send(new NodeEvent.TimerDue());
    }
    now = end;
    return this;
  }

  /** Passes the time until the next snapshot, or the window if none is due. */
  public NodeDriver snapshot() {
    return after(state.pacing().due().map(due -> Duration.between(now, due)).orElse(WINDOW));
  }

  Optional<Instant> wakeAt() {
    return core.wakeAt(state);
  }

  public NodeDriver change(NodeView... nodes) {
    Map<NodeKey, Optional<NodeView>> changes = new HashMap<>();
    Stream.of(nodes).forEach(node -> changes.put(node.key(), Optional.of(node)));
    return send(new NodeEvent.NodesChanged(changes));
  }

  NodeDriver delete(String node) {
    return send(new NodeEvent.NodesChanged(Map.of(key(node), Optional.empty())));
  }

  NodeDriver preempted(String node, String uid, String message) {
    return send(new NodeEvent.Preempted(key(node), uid, message, T0, Duration.ZERO));
  }

  NodeDriver patched(String node, PatchResult result) {
    return send(new NodeEvent.Patched(key(node), "uid-" + node, result));
  }

  public NodeDriver appeared(String... pools) {
    Stream.of(pools).forEach(pool -> send(new NodeEvent.PoolAppeared(pool(pool))));
    return this;
  }

  public NodeDriver reported(String pool, long version, String... pending) {
    return reported(pool, new AdminReport(version, keys(pending), Set.of(), Optional.empty()));
  }

  public NodeDriver failed(String pool, long version, ArmFailure failure, String... pending) {
    return reported(pool, new AdminReport(version, keys(pending), Set.of(), Optional.of(failure)));
  }

  /** The pool has written all but these nodes, which it keeps in service. */
  public NodeDriver holding(String pool, long version, String... held) {
    return reported(pool, new AdminReport(version, Set.of(), keys(held), Optional.empty()));
  }

  private NodeDriver reported(String pool, AdminReport report) {
    return send(new NodeEvent.PoolReported(pool(pool), report));
  }

  /** The effects since the last call. */
  List<NodeEffect> effects() {
    List<NodeEffect> all = List.copyOf(effects);
    effects.clear();
    return all;
  }

  List<OutOfService> broadcasts() {
    return of(NodeEffect.Broadcast.class).map(NodeEffect.Broadcast::outOfService).toList();
  }

  List<NodeEffect.Patch> patches() {
    return of(NodeEffect.Patch.class).toList();
  }

  List<ObjectEvent> events() {
    return of(NodeEffect.Emit.class).map(NodeEffect.Emit::event).toList();
  }

  List<String> reasons() {
    return events().stream().map(ObjectEvent::reason).toList();
  }

  private <T extends NodeEffect> Stream<T> of(Class<T> type) {
    return effects().stream().filter(type::isInstance).map(type::cast);
  }

  static NodeKey key(String name) {
    return new NodeKey(name);
  }

  static Set<NodeKey> keys(String... names) {
    return Stream.of(names).map(NodeKey::new).collect(Collectors.toSet());
  }

  static PoolId pool(String name) {
    return new PoolId(new LoadBalancerId("s", "rg", "lb"), name);
  }

  /** A node such as {@code n4}, with the address 10.0.0.4 and the uid {@code uid-n4}. */
  public static NodeView node(String name, String... taints) {
    return new NodeView(
        key(name),
        "uid-" + name,
        List.of(Address.of("10.0.0." + name.substring(1))),
        Map.of(),
        Set.of(taints),
        false);
  }

  static NodeView of(NodeView node, String uid) {
    return new NodeView(
        node.key(),
        uid,
        node.addresses(),
        node.labels(),
        node.taints(),
        node.deleting(),
        node.providerId(),
        node.created(),
        node.preemptions(),
        node.handled());
  }

  static NodeView on(NodeView node, String providerId) {
    return new NodeView(
        node.key(),
        node.uid(),
        node.addresses(),
        node.labels(),
        node.taints(),
        node.deleting(),
        providerId,
        node.created(),
        node.preemptions(),
        node.handled());
  }

  static NodeView created(NodeView node, Instant created) {
    return new NodeView(
        node.key(),
        node.uid(),
        node.addresses(),
        node.labels(),
        node.taints(),
        node.deleting(),
        node.providerId(),
        created,
        node.preemptions(),
        node.handled());
  }

  static NodeView labelled(NodeView node, String label, String value) {
    return new NodeView(
        node.key(),
        node.uid(),
        node.addresses(),
        Map.of(label, value),
        node.taints(),
        node.deleting(),
        node.providerId(),
        node.created(),
        node.preemptions(),
        node.handled());
  }

  static NodeView ignored(NodeView node) {
    return labelled(node, "poolkeeper.io/admin-state", "ignore");
  }

  /** With true conditions of these messages. */
  static NodeView announced(NodeView node, String... messages) {
    return new NodeView(
        node.key(),
        node.uid(),
        node.addresses(),
        node.labels(),
        node.taints(),
        node.deleting(),
        node.providerId(),
        node.created(),
        List.of(messages),
        node.handled());
  }

  static NodeView handled(NodeView node, String annotation) {
    return new NodeView(
        node.key(),
        node.uid(),
        node.addresses(),
        node.labels(),
        node.taints(),
        node.deleting(),
        node.providerId(),
        node.created(),
        node.preemptions(),
        annotation);
  }
}
