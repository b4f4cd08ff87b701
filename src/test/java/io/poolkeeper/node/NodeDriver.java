package io.poolkeeper.node;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Feeds the node watcher's core, event by event, on a clock that only the test moves. */
public final class NodeDriver {
  public static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
  public static final Duration WINDOW = Duration.ofMillis(20);

  /** How events of AKS's detector begin that announce a preemption. */
  public static final List<String> AKS = List.of("Preempt Scheduled:", "Preempt Started:");

  /** Where node-problem-detector writes, and who it says it is. */
  public static final NodeEvent.Origin DETECTOR =
      new NodeEvent.Origin("default", "", "node-problem-detector");

  public static final NodeLimits SHIPPED = limits(true, true);
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
    return new NodeLimits(enabled, spot(spot, AKS), 0, WINDOW, Set.of());
  }

  /** As shipped, but for the switch and the messages. */
  static SpotLimits spot(boolean enabled, List<String> messages) {
    return new SpotLimits(enabled, messages, List.of("default"), List.of(), 340);
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
    driver.change(nodes).sync().after(WINDOW);
    return driver.forget();
  }

  /** What came until now is not looked at. */
  NodeDriver forget() {
    effects.clear();
    return this;
  }

  /** What people see. */
  public NodesView view() {
    return new NodesView(state);
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
    return after(
        state.snapshots().coalescing().due().map(due -> Duration.between(now, due)).orElse(WINDOW));
  }

  NodeDriver sync() {
    return send(new NodeEvent.Synced());
  }

  NodeDriver lose() {
    return send(new NodeEvent.WatchLost());
  }

  NodeDriver paused(boolean paused) {
    return send(new NodeEvent.Paused(paused));
  }

  NodeDriver listed(long version) {
    return listed(version, Map.of());
  }

  /** A listing without the pool, where that node was wrong when it was seen last. */
  NodeDriver listedWithout(String pool, long version, String... nodes) {
    return listed(version, Map.of(pool(pool), keys(nodes)));
  }

  /** A listing without these resource groups, which cannot be read. */
  NodeDriver listedBut(long version, String... groups) {
    return send(new NodeEvent.Listed(version, Map.of(), Set.of(groups)));
  }

  private NodeDriver listed(long version, Map<PoolId, Set<NodeKey>> unseen) {
    return send(new NodeEvent.Listed(version, unseen, Set.of()));
  }

  NodeDriver gone(String pool) {
    return send(new NodeEvent.PoolGone(pool(pool)));
  }

  NodeDriver seconds(long seconds) {
    return after(Duration.ofSeconds(seconds));
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
    return send(new NodeEvent.Preempted(key(node), uid, message, T0, Duration.ZERO, DETECTOR));
  }

  NodeDriver patched(String node, PatchResult result) {
    return send(new NodeEvent.Patched(key(node), "uid-" + node, result));
  }

  public NodeDriver appeared(String... pools) {
    Stream.of(pools).forEach(pool -> send(new NodeEvent.PoolAppeared(pool(pool))));
    return this;
  }

  /** Both pools have dealt with the version and have nothing to write. */
  NodeDriver bothReported(long version) {
    return reported("a", version).reported("b", version);
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

  /** What came since this was asked last, in short: see {@link #text}. */
  NodeDriver came(String expected) {
    assertThat(effects().stream().map(NodeDriver::text).collect(Collectors.joining(", ")))
        .isEqualTo(expected);
    return this;
  }

  /**
   * A broadcast is its version and who leaves, why, and since which millisecond; an event is the
   * end of its reason and its node.
   */
  private static String text(NodeEffect effect) {
    return switch (effect) {
      case NodeEffect.Broadcast sent -> text(sent.outOfService());
      case NodeEffect.Patch patch ->
          (patch.taint() ? "taint " : "record ")
              + text(patch.node(), patch.uid())
              + " "
              + String.join("+", patch.ids());
      case NodeEffect.EventIgnored ignored ->
          (ignored.log() ? "log " : "count ")
              + (ignored.why() == SpotLimits.Refusal.MESSAGE ? "" : ignored.why() + " ")
              + ignored.node()
              + " "
              + ignored.event().message();
      case NodeEffect.PreemptionWaits waits -> "waits " + waits.node();
      case NodeEffect.RequestRead request -> "request";
      case NodeEffect.ReadInterface read -> "read " + read.ipConfiguration();
      case NodeEffect.InterfaceUnknown unknown -> "unknown " + unknown.ipConfiguration();
      case NodeEffect.Emit emit ->
          emit.event().reason().replace("LoadBalancerAdminState", "")
              + " "
              + emit.event().about().name();
      case NodeEffect.Held held ->
          held.nodes().stream()
              .map(NodeKey::toString)
              .sorted()
              .collect(Collectors.joining("+", "hold " + held.pool().name() + " ", ""));
      case NodeEffect.Propagated done -> "took " + done.took().toMillis();
    };
  }

  private static String text(OutOfService sent) {
    return sent.leaving().entrySet().stream()
        .map(
            one ->
                text(one.getKey(), one.getValue().uid())
                    + one.getValue().reasons().stream().sorted().toList()
                    + Duration.between(T0, one.getValue().since()).toMillis())
        .collect(Collectors.joining(" ", "v" + sent.version() + (sent.live() ? " " : " lost "), ""))
        .strip();
  }

  /** A uid is named only if it is not the first one of a node of that name. */
  private static String text(NodeKey node, String uid) {
    return uid.equals("uid-" + node.name()) ? node.name() : node.name() + "/" + uid;
  }

  /** The effects since the last call. */
  List<NodeEffect> effects() {
    List<NodeEffect> all = List.copyOf(effects);
    effects.clear();
    return all;
  }

  /** The only snapshot among them. */
  OutOfService broadcast() {
    List<OutOfService> all = of(NodeEffect.Broadcast.class, NodeEffect.Broadcast::outOfService);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  List<ObjectEvent> events() {
    return of(NodeEffect.Emit.class, NodeEffect.Emit::event);
  }

  private <T extends NodeEffect, V> List<V> of(Class<T> type, Function<T, V> value) {
    return effects().stream().filter(type::isInstance).map(type::cast).map(value).toList();
  }

  /** It wants to be woken so many milliseconds from now; not at all if that is -1. */
  NodeDriver wakesIn(long millis) {
    assertThat(core.wakeAt(state).map(at -> Duration.between(now, at).toMillis()).orElse(-1L))
        .isEqualTo(millis);
    return this;
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

  private static NodeView with(
      NodeView node,
      String uid,
      Map<String, String> labels,
      String providerId,
      Instant created,
      List<String> announced,
      String handled) {
    return with(node, uid, labels, providerId, created, announced, handled, node.ready());
  }

  static NodeView ready(NodeView a) {
    return with(
        a, a.uid(), a.labels(), a.providerId(), a.created(), a.preemptions(), a.handled(), true);
  }

  private static NodeView with(
      NodeView node,
      String uid,
      Map<String, String> labels,
      String providerId,
      Instant created,
      List<String> announced,
      String handled,
      boolean ready) {
    return new NodeView(
        node.key(),
        uid,
        node.addresses(),
        labels,
        node.taints(),
        node.deleting(),
        providerId,
        created,
        announced,
        handled,
        ready);
  }

  static NodeView of(NodeView a, String uid) {
    return with(a, uid, a.labels(), a.providerId(), a.created(), a.preemptions(), a.handled());
  }

  static NodeView on(NodeView a, String providerId) {
    return with(a, a.uid(), a.labels(), providerId, a.created(), a.preemptions(), a.handled());
  }

  static NodeView created(NodeView a, Instant created) {
    return with(a, a.uid(), a.labels(), a.providerId(), created, a.preemptions(), a.handled());
  }

  static NodeView labelled(NodeView a, String label, String value) {
    Map<String, String> labels = Map.of(label, value);
    return with(a, a.uid(), labels, a.providerId(), a.created(), a.preemptions(), a.handled());
  }

  static NodeView ignored(NodeView node) {
    return labelled(node, "poolkeeper.io/admin-state", "ignore");
  }

  /** With true conditions of these messages. */
  static NodeView announced(NodeView a, String... messages) {
    List<String> all = List.of(messages);
    return with(a, a.uid(), a.labels(), a.providerId(), a.created(), all, a.handled());
  }

  static NodeView handled(NodeView a, String annotation) {
    return with(a, a.uid(), a.labels(), a.providerId(), a.created(), a.preemptions(), annotation);
  }
}
