package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.actor.CoreActor.Event;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.arm.NetworkInterfaces;
import io.poolkeeper.arm.ResourceManager;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LeaderElection;
import io.poolkeeper.lock.Leadership;
import io.poolkeeper.lock.LeadershipActor;
import io.poolkeeper.lock.LeadershipCore;
import io.poolkeeper.lock.PauseCore;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.NodeWatcherActor;
import io.poolkeeper.node.PatchResult;
import io.poolkeeper.ops.HttpApi;
import io.poolkeeper.ops.LivenessActor;
import io.poolkeeper.ops.Metrics;
import io.poolkeeper.ops.Reporter;
import io.poolkeeper.ops.StatusActor;
import io.poolkeeper.pool.PoolActor;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.service.ServiceMapCore;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.watch.Watches;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The root actor: spawns and wires everything, and stops it in order: watches, pools, itself. If an
 * essential part fails, the Guardian reports why and stops. The Guardian knows ports only, so that
 * the fault simulator runs this very actor.
 */
public final class Guardian extends AbstractMatchingBehavior<Guardian.Command> {
  private static final Logger log = LoggerFactory.getLogger(Guardian.class);

  /** How long pools may take to finish what is in flight. */
  private static final Duration GRACE = Duration.ofSeconds(4);

  /** How long the return of the shared Lease may take after that. */
  private static final Duration RELEASE = Duration.ofSeconds(2);

  public sealed interface Command {}

  /** Stop in order; the Guardian ends when everything has stopped. */
  public enum Stop implements Command {
    INSTANCE
  }

  private record Ping(Runnable answer) implements Command {}

  private record PartFailed(String part, Throwable cause) implements Command {}

  private record Listening(InetSocketAddress address) implements Command {}

  private enum Timeout implements Command {
    GRACE,
    RELEASE
  }

  private final Ports ports;
  private final Settings settings;
  private final InstantSource clock;
  private final TimerScheduler<Command> timers;

  /** Read at each write, by any thread. */
  private final AtomicReference<Leadership> leadership =
      new AtomicReference<>(new Leadership.Standby());

  private final Metrics metrics;
  private final ActorRef<CoreActor.Command<NodeEvent>> nodes;
  private final ActorRef<CoreActor.Command<ServiceMapEvent>> serviceMap;
  private final Optional<ActorRef<CoreActor.Command<SharedLockEvent>>> lock;
  private final Optional<ActorRef<CoreActor.Command<BindingsEvent>>> bindings;
  private final Optional<ActorRef<CoreActor.Command<LeadershipCore.Event>>> election;
  private final Watches watches;

  /** The pings of the actors without which the process cannot go on, by name. */
  private final Map<String, Consumer<Runnable>> pings = new HashMap<>();

  private boolean stopping;

  public static Behavior<Command> create(Ports ports) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new Guardian(context, timers, ports)));
  }

  private Guardian(ActorContext<Command> context, TimerScheduler<Command> timers, Ports given) {
    super(context);
    this.timers = timers;
    settings = given.settings();
    clock = given.entropy().monotonic();
    Settings.Admission admission = settings.admission();
    boolean shadow = settings.shadow();
    metrics = new Metrics(admission.limits(), admission.checks(), given.entropy().shown());
    metrics.eventsDropped(given.events()::dropped);
    var status = status(given.entropy(), shadow);
    Reporter reporter = new Reporter(status, metrics, given.tracing());
    ports = shadow ? ShadowPorts.of(given, reporter::wouldWrite) : given;
    BooleanSupplier mayWrite = mayWrite();
    PermitFence fence = new PermitFence(clock, shadow ? () -> false : mayWrite);
    // The adapter reports its calls to the rate limiter, which reads pools through the adapter.
    CompletableFuture<BackendPools> pools = new CompletableFuture<>();
    ActorRef<CoreActor.Command<RateLimiterEvent>> rateLimiter =
        vital(
            "turnstile",
            RateLimiterActor.create(
                settings.rateLimiter(),
                clock,
                reporter,
                (pool, until) -> pools.thenCompose(arm -> arm.get(pool, until))));
    lock = spawnLock(rateLimiter, fence, reporter);
    var azure = ports.azure().apply(new CallsToRateLimiter(reporter, rateLimiter), fence);
    pools.complete(azure);
    reportFailure("azure", azure.ready());
    // The map of Services and each of these actors send each other levels.
    CompletableFuture<ActorRef<CoreActor.Command<ServiceMapEvent>>> map = new CompletableFuture<>();
    bindings = spawnBindings(map, reporter, mayWrite);
    nodes = spawnNodeWatcher(map, azure, rateLimiter, reporter, mayWrite);
    PoolActor.Deps poolDeps =
        new PoolActor.Deps(
            azure,
            rateLimiter,
            ports.events(),
            observer(reporter),
            (pool, report) -> tellNodes(new NodeEvent.PoolReported(pool, report)),
            clock,
            ports.entropy()::random,
            settings.pools());
    serviceMap = spawnServiceMap(poolDeps, azure, reporter);
    map.complete(serviceMap);
    watches =
        new WatchWiring(serviceMap, nodes, bindings, lock)
            .start(ports.watches(), Materializer.createMaterializer(context));
    metrics.watches(watches::connected);
    reportFailure("caches", watches.completion());
    PauseWiring pauses = new PauseWiring(ports, serviceMap, nodes, bindings, lock, reporter);
    var pause = watched("pause", pauses.behavior(), Props.empty());
    pauses.connect(pause);
    election = ports.election().map(elections -> spawnLeadership(elections, pause));
    Settings.Http http = settings.http();
    String part = "cannot listen on %s:%d (poolkeeper.http)".formatted(http.host(), http.port());
    context.pipeToSelf(
        ports.api().serve(context.getSystem(), status, liveness(), metrics, watches::problems),
        (address, failure) -> address != null ? new Listening(address) : failed(part, failure));
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    return switch (command) {
      case PartFailed failed -> fail(failed.part() + ": " + messageOf(failed.cause()));
      case Listening http -> {
        log.info("http=bound address={}", http.address());
        if (!stopping) {
          // Only now: the open port shows that no other process of its pod runs, and a restarted
          // container has the same identity.
          election.ifPresent(actor -> actor.tell(LeadershipActor.Stand.INSTANCE));
        }
        yield this;
      }
      case Stop stop -> stop();
      case Timeout.GRACE -> release();
      case Timeout.RELEASE -> Behaviors.stopped();
      case Ping ping -> {
        ping.answer().run();
        yield this;
      }
    };
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    if (signal instanceof PostStop) {
      metrics.close();
      ports.ended().run();
    }
    if (!(signal instanceof Terminated terminated)) {
      return this;
    }
    ActorRef<?> ended = terminated.getRef();
    if (stopping && lock.isPresent() && ended.equals(lock.get().unsafeUpcast())) {
      return Behaviors.stopped();
    }
    if (terminated instanceof ChildFailed failed) {
      log.error("actor={} state=failed", failed.getRef().path().name(), failed.getCause());
    }
    if (!stopping) {
      fail(terminated.getRef().path().name() + ": the actor failed, see the log");
    }
    return ended.equals(serviceMap.unsafeUpcast()) ? release() : this;
  }

  private ActorRef<CoreActor.Command<LeadershipCore.Event>> spawnLeadership(
      LeaderElection elections, ActorRef<CoreActor.Command<PauseCore.Event>> pause) {
    ActorRef<Command> self = getContext().getSelf();
    return vital(
        "leadership",
        LeadershipActor.create(
            new LeadershipActor.Deps(
                elections,
                settings.leaderElection().renewDeadline(),
                clock,
                leadership::set,
                () -> pause.tell(new Event<>(new PauseCore.Event.Lead())),
                why -> self.tell(failed("leader-election", new IllegalStateException(why))))));
  }

  private PoolObserver observer(Reporter reporter) {
    return bindings.isPresent() ? new PoolsToBindings(reporter, bindings.get()) : reporter;
  }

  private BooleanSupplier mayWrite() {
    return ports.election().isEmpty()
        ? () -> true
        : () -> leadership.get().mayBegin(clock.instant());
  }

  private ActorRef<CoreActor.Command<ServiceMapEvent>> spawnServiceMap(
      PoolActor.Deps poolDeps, ResourceManager azure, Reporter reporter) {
    ServiceMapActor.Deps mapDeps =
        new ServiceMapActor.Deps(
            new ServiceMapCore(
                BindingsWiring.names(settings),
                settings.updates(),
                settings.optIn(),
                settings.pools().resync(),
                settings.pools().verifyAfter()),
            ports.election().isEmpty(),
            BindingsWiring.groups(settings),
            (groups, deadline) -> ports.tracing().listing(() -> azure.list(groups, deadline)),
            reporter,
            this::tellNodes,
            listed -> bindings.ifPresent(actor -> actor.tell(new Event<>(listed))),
            waits -> tellLock(new SharedLockEvent.Complained(waits.service(), waits.since())));
    return vital("service-map", ServiceMapActor.create(mapDeps, poolDeps));
  }

  private ActorRef<CoreActor.Command<NodeEvent>> spawnNodeWatcher(
      CompletionStage<ActorRef<CoreActor.Command<ServiceMapEvent>>> map,
      NetworkInterfaces interfaces,
      ActorRef<CoreActor.Command<RateLimiterEvent>> rateLimiter,
      Reporter reporter,
      BooleanSupplier mayWrite) {
    NodeWatcherActor.Deps nodeDeps =
        new NodeWatcherActor.Deps(
            ports.election().isEmpty(),
            settings.nodes(),
            patch ->
                mayWrite.getAsBoolean()
                    ? ports.patches().patch(patch)
                    : CompletableFuture.completedFuture(PatchResult.FAILED),
            interfaces,
            rateLimiter,
            ports.events(),
            reporter,
            leaving ->
                map.thenAccept(
                    actor ->
                        actor.tell(new Event<>(new ServiceMapEvent.NodesOutOfService(leaving)))),
            clock,
            ports.entropy().random());
    return vital("nodes", NodeWatcherActor.create(nodeDeps));
  }

  private Optional<ActorRef<CoreActor.Command<BindingsEvent>>> spawnBindings(
      CompletionStage<ActorRef<CoreActor.Command<ServiceMapEvent>>> map,
      Reporter reporter,
      BooleanSupplier mayWrite) {
    return settings.admission().enabled()
        ? Optional.of(
            vital("bindings", new BindingsWiring(ports, reporter, mayWrite).behavior(map)))
        : Optional.empty();
  }

  private ActorRef<StatusActor.Command> status(Entropy entropy, boolean shadow) {
    return watched(
        "status", StatusActor.create(shadow, entropy.shown(), metrics), HttpApi.probes());
  }

  private ActorRef<LivenessActor.Command> liveness() {
    ActorRef<Command> self = getContext().getSelf();
    pings.put("guardian", answer -> self.tell(new Ping(answer)));
    return watched("liveness", LivenessActor.create(Map.copyOf(pings), clock), HttpApi.probes());
  }

  private void reportFailure(String part, CompletionStage<?> running) {
    ActorRef<Command> self = getContext().getSelf();
    running.exceptionally(
        failure -> {
          self.tell(new PartFailed(part, failure));
          return null;
        });
  }

  /** Spawns an actor that {@code /healthz} pings. */
  private <E> ActorRef<CoreActor.Command<E>> vital(
      String name, Behavior<CoreActor.Command<E>> behavior) {
    ActorRef<CoreActor.Command<E>> actor = watched(name, behavior, Props.empty());
    pings.put(name, answer -> actor.tell(new CoreActor.Ping<>(answer)));
    return actor;
  }

  private <T> ActorRef<T> watched(String name, Behavior<T> behavior, Props props) {
    ActorRef<T> actor = getContext().spawn(behavior, name, props);
    getContext().watch(actor);
    return actor;
  }

  private Behavior<Command> fail(String why) {
    if (stopping) {
      return this;
    }
    ports.failed().accept(why);
    return stop();
  }

  private Behavior<Command> stop() {
    if (!stopping) {
      stopping = true;
      watches.close();
      bindings.ifPresent(actor -> actor.tell(new Event<>(new BindingsEvent.Stop())));
      tellNodes(new NodeEvent.Stop());
      serviceMap.tell(new Event<>(new ServiceMapEvent.Stop()));
      timers.startSingleTimer(Timeout.GRACE, GRACE);
    }
    return this;
  }

  /** All writers have ended: gives the shared Lease back, and then ends. */
  private Behavior<Command> release() {
    tellLock(new SharedLockEvent.Stop());
    timers.startSingleTimer(Timeout.RELEASE, RELEASE);
    return lock.isPresent() ? this : Behaviors.stopped();
  }

  private Optional<ActorRef<CoreActor.Command<SharedLockEvent>>> spawnLock(
      ActorRef<CoreActor.Command<RateLimiterEvent>> rateLimiter,
      PermitFence fence,
      Reporter reporter) {
    if (settings.shared().isEmpty()) {
      return Optional.empty();
    }
    LockWiring wiring = new LockWiring(ports, rateLimiter, fence, reporter::ran);
    var self = new CompletableFuture<ActorRef<CoreActor.Command<SharedLockEvent>>>();
    ActorRef<CoreActor.Command<SharedLockEvent>> actor = vital("lock", wiring.behavior(self));
    self.complete(actor);
    wiring.connect(actor);
    return Optional.of(actor);
  }

  private void tellNodes(NodeEvent event) {
    nodes.tell(new Event<>(event));
  }

  private void tellLock(SharedLockEvent event) {
    lock.ifPresent(actor -> actor.tell(new Event<>(event)));
  }

  private static Command failed(String part, @Nullable Throwable cause) {
    return new PartFailed(part, cause == null ? new IllegalStateException("unknown") : cause);
  }

  private static String messageOf(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }
}
