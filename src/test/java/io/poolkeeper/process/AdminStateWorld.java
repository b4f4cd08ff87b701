package io.poolkeeper.process;

import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.node.NodeDriver;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.NodeLimits;
import io.poolkeeper.node.NodeObserver;
import io.poolkeeper.node.NodeWatcherActor;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.node.PatchResult;
import io.poolkeeper.node.SpotLimits;
import io.poolkeeper.pool.AdminReport;
import io.poolkeeper.pool.InMemoryArm;
import io.poolkeeper.pool.PoolActor;
import io.poolkeeper.pool.PoolFixtures;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.pool.SilentObserver;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.PoolNames;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.service.ServiceMapCore;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.service.ServiceMapObserver;
import io.poolkeeper.simulation.SeededActors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The way of a signal from its Node to ARM and back, wired as by the {@link Guardian}: the real
 * actors of nodes, Services, pools and the rate limiter, in virtual time. The first snapshot after
 * a quiet time waits for no window, so that what happens while time stands still happens at once.
 */
final class AdminStateWorld implements AutoCloseable {
  static final String OUT = "node.kubernetes.io/out-of-service";
  static final String SHUTDOWN = "node.cloudprovider.kubernetes.io/shutdown";
  static final String DRAINING = "cloudprovider.azure.microsoft.com/draining";

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final ServiceKey WEB = new ServiceKey("default", "web");

  final InMemoryArm arm = new InMemoryArm();
  final List<ObjectEvent> events = new ArrayList<>();
  final List<Duration> propagated = new ArrayList<>();
  final List<NodeEffect.Patch> patches = new ArrayList<>();
  PatchResult patchResult = PatchResult.DONE;
  int broadcasts;
  int reportCount;
  private final Map<PoolId, AdminReport> reports = new HashMap<>();

  private final SeededActors actors = new SeededActors();
  private NodesView view = NodesView.UNKNOWN;
  private final Map<NodeKey, NodeView> nodes = new HashMap<>();
  private final ActorRef<CoreActor.Command<NodeEvent>> watcher;
  private final ActorRef<CoreActor.Command<ServiceMapEvent>> map;

  AdminStateWorld(String... loadBalancers) {
    ActorRef<CoreActor.Command<RateLimiterEvent>> rateLimiter =
        actors.spawn(
            RateLimiterActor.create(
                RateLimiterFixtures.WIDE,
                actors,
                RateLimiterFixtures.UNSEEN,
                RateLimiterFixtures::quiet));
    watcher =
        actors.spawn(
            NodeWatcherActor.create(
                new NodeWatcherActor.Deps(
                    true,
                    new NodeLimits(
                        true,
                        new SpotLimits(true, NodeDriver.AKS, List.of("default"), List.of(), 1_000),
                        0,
                        Duration.ZERO,
                        Set.of()),
                    this::patch,
                    (id, deadline) -> CompletableFuture.completedFuture(Optional.empty()),
                    rateLimiter,
                    events::add,
                    new Listener(),
                    this::broadcast,
                    actors,
                    new SplittableRandom(1))));
    PoolNames names = PoolNames.of("kubernetes", List.of(loadBalancers));
    ServiceMapActor.Deps mapDeps =
        new ServiceMapActor.Deps(
            new ServiceMapCore(names, true, false, HOUR, Duration.ofSeconds(35)),
            true,
            Set.of(),
            arm,
            new Silent(),
            this::nodes,
            listed -> {},
            waits -> {});
    Duration interval = Duration.ofSeconds(30);
    Duration spacing = Duration.ofSeconds(2);
    Duration window = Duration.ofMillis(100);
    PoolLimits limits =
        PoolFixtures.limits(interval, spacing, true, window, Duration.ofSeconds(35), HOUR, 3);
    map =
        actors.spawn(
            ServiceMapActor.create(
                mapDeps,
                new PoolActor.Deps(
                    arm,
                    rateLimiter,
                    events::add,
                    new SilentObserver(),
                    this::reported,
                    actors,
                    SplittableRandom::new,
                    limits)));
  }

  @Override
  public void close() {
    actors.close();
  }

  /** A node such as {@code n4}, with the addresses 10.0.0.4 and fd00::4, of instance 4. */
  static NodeView node(String name, String... taints) {
    String number = name.substring(1);
    return new NodeView(
        new NodeKey(name),
        "uid-" + name,
        List.of(Address.of("10.0.0." + number), Address.of("fd00::" + number)),
        Map.of(),
        Set.of(taints),
        false,
        "azure:///subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute"
            + "/virtualMachineScaleSets/ss/virtualMachines/"
            + number,
        T0,
        List.of(),
        "",
        false);
  }

  /** Another Node under the same name, as made anew. */
  static NodeView reborn(NodeView node) {
    return with(node, node.uid() + "-again", Set.of(), List.of(), "");
  }

  static NodeView announced(NodeView node, String message) {
    return with(node, node.uid(), node.taints(), List.of(message), node.handled());
  }

  private static NodeView with(
      NodeView node, String uid, Set<String> taints, List<String> announced, String handled) {
    return new NodeView(
        node.key(),
        uid,
        node.addresses(),
        node.labels(),
        taints,
        node.deleting(),
        node.providerId(),
        node.created(),
        announced,
        handled,
        node.ready());
  }

  static PoolId pool(String loadBalancer, String name) {
    return new LoadBalancerId("sub", "rg", loadBalancer).pool(name);
  }

  /** A pool with one rule; entries are {@code 10.0.0.4}, or {@code 4} for a network interface. */
  PoolId show(String loadBalancer, String name, String... entries) {
    return show(pool(loadBalancer, name), Set.of("auidweb-TCP-80"), entries);
  }

  PoolId show(PoolId id, Set<String> rules, String... entries) {
    List<PoolEntry> all = Stream.of(entries).map(AdminStateWorld::entry).toList();
    arm.show(new PoolView(id, "etag", false, all, rules, true));
    return id;
  }

  private static PoolEntry entry(String text) {
    Optional<Address> address = Address.parse(text);
    String instance =
        "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/ss"
            + "/virtualMachines/%s/networkInterfaces/nic/ipConfigurations/c".formatted(text);
    return new PoolEntry(
        "entry-" + text,
        address,
        Optional.of(instance).filter(any -> address.isEmpty()),
        AdminState.NONE);
  }

  /**
   * All caches are full, and the local Service default/web has endpoints.
   *
   * @param followed the pools to wait for
   */
  void start(Set<PoolId> followed, Set<String> webRunsOn, NodeView... all) {
    change(all);
    Set<IpFamily> both = Set.of(IpFamily.IPV4, IpFamily.IPV6);
    ServiceView web = new ServiceView(WEB, "uid-web", true, true, false, both, 1);
    tell(new ServiceMapEvent.ServicesChanged(Map.of(WEB, Optional.of(web))));
    webRunsOn(webRunsOn);
    nodes(new NodeEvent.Synced());
    // The first listing must begin after the first snapshot, or pools report an hour later.
    settle();
    assertThat(broadcasts).isPositive();
    for (CacheKind kind : CacheKind.values()) {
      tell(new ServiceMapEvent.CacheSynced(kind));
    }
    actors.passUntil(() -> reports.keySet().containsAll(followed));
    pass(Duration.ofMinutes(10));
    forget();
  }

  /** Forgets what was counted. */
  void forget() {
    arm.forgetCalls();
    events.clear();
    broadcasts = 0;
    reportCount = 0;
  }

  void webRunsOn(Set<String> names) {
    SliceView.Key key = new SliceView.Key("default", "web-1");
    Set<NodeKey> on = names.stream().map(NodeKey::new).collect(toUnmodifiableSet());
    tell(new ServiceMapEvent.SlicesChanged(Map.of(key, Optional.of(new SliceView(key, WEB, on)))));
  }

  /** The cloud provider says that it has written the pools of default/web. */
  void cloudProviderWrote() {
    tell(new ServiceMapEvent.CloudProviderWrote(WEB));
  }

  /** Nodes as they are now. */
  void change(NodeView... changed) {
    Map<NodeKey, Optional<NodeView>> all = new HashMap<>();
    for (NodeView node : changed) {
      nodes.put(node.key(), node);
      all.put(node.key(), Optional.of(node));
    }
    changed(all);
  }

  void delete(String name) {
    nodes.remove(new NodeKey(name));
    changed(Map.of(new NodeKey(name), Optional.empty()));
  }

  private void changed(Map<NodeKey, Optional<NodeView>> changes) {
    nodes(new NodeEvent.NodesChanged(changes));
    tell(new ServiceMapEvent.NodesChanged(changes));
  }

  /** An event on a Node, as a node-problem-detector records it. */
  void preempted(String node, String message) {
    NodeView view = nodes.get(new NodeKey(node));
    nodes(
        new NodeEvent.Preempted(
            view.key(), view.uid(), message, actors.instant(), Duration.ZERO, NodeDriver.DETECTOR));
  }

  Set<String> taints(String node) {
    return nodes.get(new NodeKey(node)).taints();
  }

  /** An operator sets the taints of a Node. */
  void taint(String node, String... taints) {
    NodeView before = nodes.get(new NodeKey(node));
    change(with(before, before.uid(), Set.of(taints), before.preemptions(), before.handled()));
  }

  /** What the API server makes of a patch. */
  private CompletionStage<PatchResult> patch(NodeEffect.Patch patch) {
    patches.add(patch);
    NodeView node = nodes.get(patch.node());
    if (patchResult == PatchResult.DONE) {
      Set<String> taints = new HashSet<>(node.taints());
      if (patch.taint()) {
        taints.add(DRAINING);
      }
      String handled = String.join("; ", patch.ids());
      change(with(node, node.uid(), taints, node.preemptions(), handled));
    }
    return CompletableFuture.completedFuture(patchResult);
  }

  void pass(Duration duration) {
    actors.pass(duration);
  }

  void passUntil(BooleanSupplier condition) {
    actors.passUntil(condition);
  }

  /** All that happens while time stands still. */
  void settle() {
    actors.settle();
  }

  /** The nodes as the status page shows them. */
  NodesView view() {
    return view;
  }

  /** The entries that are Down, over all pools, as {@code pool/entry}. */
  Set<String> down(PoolId... pools) {
    return Stream.of(pools)
        .flatMap(
            id ->
                arm.view(id).entries().stream()
                    .filter(entry -> entry.adminState() == AdminState.DOWN)
                    .map(entry -> id.name() + "/" + entry.name()))
        .collect(toUnmodifiableSet());
  }

  List<String> reasons() {
    return events.stream().map(ObjectEvent::reason).toList();
  }

  private void tell(ServiceMapEvent event) {
    map.tell(new CoreActor.Event<>(event));
  }

  private void nodes(NodeEvent event) {
    watcher.tell(new CoreActor.Event<>(event));
  }

  private void broadcast(OutOfService set) {
    broadcasts++;
    tell(new ServiceMapEvent.NodesOutOfService(set));
  }

  private void reported(PoolId pool, AdminReport report) {
    reportCount++;
    reports.put(pool, report);
    nodes(new NodeEvent.PoolReported(pool, report));
  }

  private final class Listener implements NodeObserver {
    @Override
    public void changed(NodesView now) {
      view = now;
    }

    @Override
    public void ran(NodeEffect effect) {
      if (effect instanceof NodeEffect.Propagated done) {
        propagated.add(done.took());
      }
    }
  }

  private static final class Silent implements ServiceMapObserver {
    @Override
    public void changed(Knowledge knowledge) {}

    @Override
    public void ran(ServiceMapEffect effect) {}
  }
}
