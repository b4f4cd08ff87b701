package io.poolkeeper;

import io.poolkeeper.arm.DeferredArm;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.config.Settings;
import io.poolkeeper.kube.ClusterWatch;
import io.poolkeeper.kube.KubeEventRecorder;
import io.poolkeeper.kube.Receiver;
import io.poolkeeper.ops.HttpApi;
import io.poolkeeper.ops.Metrics;
import io.poolkeeper.ops.Reporter;
import io.poolkeeper.ops.StatusActor;
import io.poolkeeper.pool.PoolDeps;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.service.ServiceMapDeps;
import io.poolkeeper.turnstile.TurnstileActor;
import io.poolkeeper.turnstile.TurnstileLimits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The root actor: spawns and wires everything, ends the process when a part fails without which it
 * cannot go on, and shuts down in order: caches, HTTP, pools, clients.
 */
final class Guardian extends AbstractMatchingBehavior<Guardian.Command> {
  private static final Logger log = LoggerFactory.getLogger(Guardian.class);

  /** What the Guardian hears of the parts that are no actors. */
  sealed interface Command {}

  private record PartFailed(String part, Throwable cause) implements Command {}

  private record HttpBound(ServerBinding binding) implements Command {}

  private final Controller.Deps deps;
  private final Metrics metrics = new Metrics();
  private final CompletableFuture<Done> poolsEnded = new CompletableFuture<>();
  private final CompletableFuture<ServerBinding> bound;
  private final ActorRef<ServiceMapActor.Command> serviceMap;
  private final ActorRef<TurnstileActor.Command> turnstile;
  private final ClusterWatch watch;

  static Behavior<Command> create(Controller.Deps deps, CompletableFuture<ServerBinding> bound) {
    return Behaviors.setup(context -> new Guardian(context, deps, bound));
  }

  private Guardian(
      ActorContext<Command> context, Controller.Deps deps, CompletableFuture<ServerBinding> bound) {
    super(context);
    this.deps = deps;
    this.bound = bound;
    var clock = deps.entropy().monotonic();
    var status = watched("status", StatusActor.create());
    Reporter reporter = new Reporter(status, metrics);
    turnstile =
        watched(
            "turnstile",
            TurnstileActor.create(
                TurnstileLimits.of(deps.settings().turnstile()), clock, reporter));
    CompletableFuture<AzureArm> azure = startAzure();
    KubeEventRecorder recorder = new KubeEventRecorder(deps.client(), deps.entropy().wall());
    serviceMap = spawnServiceMap(new DeferredArm<>(azure), reporter, recorder);
    watch = startWatch();
    bind(new HttpApi(context.getSystem(), status, metrics, watchProblems(watch), clock));
    shutDownInOrder(azure, recorder);
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case PartFailed failed -> {
        String why = failed.part() + ": " + messageOf(failed.cause());
        bound.completeExceptionally(new IllegalStateException(why)); // no effect if it was bound
        end(why);
      }
      case HttpBound http -> {
        log.info("http=bound address={}", http.binding().localAddress());
        bound.complete(http.binding());
      }
    }
    return this;
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    if (signal instanceof Terminated terminated) {
      if (terminated.getRef().equals(serviceMap.unsafeUpcast())) {
        poolsEnded.complete(Done.getInstance());
      }
      end(terminated.getRef().path().name() + ": the actor failed, see the log");
    }
    return this;
  }

  private void bind(HttpApi api) {
    Settings.Http http = deps.settings().http();
    String part = "cannot listen on %s:%d (poolkeeper.http)".formatted(http.host(), http.port());
    getContext()
        .pipeToSelf(
            api.bind(http.host(), http.port()),
            (binding, failure) -> binding != null ? new HttpBound(binding) : failed(part, failure));
  }

  /** Made on a thread of its own, since it takes most of a second; the caches fill meanwhile. */
  private CompletableFuture<AzureArm> startAzure() {
    Settings settings = deps.settings();
    CompletableFuture<AzureArm> azure =
        CompletableFuture.supplyAsync(
            () ->
                AzureArm.create(
                    settings.azure(),
                    settings.turnstile(),
                    new CallsToTurnstile(metrics::armAnswered, turnstile),
                    new Clocks(
                        deps.entropy().monotonicNanos(),
                        deps.entropy().monotonic(),
                        deps.entropy().wall(),
                        deps.entropy()::random)),
            task -> Thread.ofVirtual().name("azure-start").start(task));
    tellOfFailure("azure", azure);
    return azure;
  }

  private ActorRef<ServiceMapActor.Command> spawnServiceMap(
      DeferredArm<AzureArm> arm, Reporter reporter, KubeEventRecorder recorder) {
    Settings settings = deps.settings();
    Settings.Updater updater = settings.updater();
    var clock = deps.entropy().monotonic();
    PoolLimits limits =
        new PoolLimits(
            updater.interval(),
            updater.leadingEdge(),
            updater.coalesceWindow(),
            updater.maxRetries());
    PoolDeps poolDeps =
        new PoolDeps(arm, turnstile, recorder, reporter, clock, deps.entropy()::random, limits);
    ServiceMapDeps mapDeps =
        new ServiceMapDeps(
            updater.enabled(),
            settings.clusterName(),
            settings.azure().loadBalancers(),
            arm,
            reporter,
            updater.resync(),
            clock);
    return watched("service-map", ServiceMapActor.create(mapDeps, poolDeps));
  }

  private ClusterWatch startWatch() {
    ClusterWatch started =
        ClusterWatch.start(
            getContext().getSystem(),
            deps.client(),
            new Receiver<>(
                serviceMap,
                ServiceMapActor.ServicesChanged::new,
                ack -> new ServiceMapActor.CacheSynced(CacheKind.SERVICES, ack)),
            new Receiver<>(
                serviceMap,
                ServiceMapActor.SlicesChanged::new,
                ack -> new ServiceMapActor.CacheSynced(CacheKind.ENDPOINT_SLICES, ack)),
            new Receiver<>(
                serviceMap,
                ServiceMapActor.NodesChanged::new,
                ack -> new ServiceMapActor.CacheSynced(CacheKind.NODES, ack)));
    tellOfFailure("caches", started.completion());
    return started;
  }

  private void tellOfFailure(String part, CompletionStage<?> running) {
    ActorRef<Command> self = getContext().getSelf();
    running.exceptionally(
        failure -> {
          self.tell(new PartFailed(part, failure));
          return null;
        });
  }

  private static Supplier<List<String>> watchProblems(ClusterWatch watch) {
    return () -> watch.health().stream().flatMap(health -> health.problem().stream()).toList();
  }

  private <T> ActorRef<T> watched(String name, Behavior<T> behavior) {
    ActorRef<T> actor = getContext().spawn(behavior, name);
    getContext().watch(actor);
    return actor;
  }

  private void shutDownInOrder(CompletableFuture<AzureArm> azure, KubeEventRecorder recorder) {
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(getContext().getSystem());
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeServiceUnbind(),
        "stop-caches",
        () -> {
          watch.close();
          return done();
        });
    shutdown.addTask(
        CoordinatedShutdown.PhaseServiceStop(),
        "stop-pools",
        () -> {
          serviceMap.tell(ServiceMapActor.Stop.INSTANCE);
          return poolsEnded;
        });
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
        "close-clients",
        () -> {
          recorder.close();
          metrics.close();
          return azure.handle(
              (arm, failure) -> {
                if (arm != null) {
                  arm.close();
                }
                return Done.getInstance();
              });
        });
  }

  private static CompletableFuture<Done> done() {
    return CompletableFuture.completedFuture(Done.getInstance());
  }

  private static Command failed(String part, @Nullable Throwable cause) {
    return new PartFailed(part, cause == null ? new IllegalStateException("unknown") : cause);
  }

  private void end(String why) {
    CoordinatedShutdown.get(getContext().getSystem()).runAll(new Controller.Failed(why));
  }

  private static String messageOf(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }
}
