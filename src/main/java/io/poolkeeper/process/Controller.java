package io.poolkeeper.process;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.config.Build;
import io.poolkeeper.config.LoadedSettings;
import io.poolkeeper.config.Settings;
import io.poolkeeper.doctor.Doctor;
import io.poolkeeper.kube.ClusterWatch;
import io.poolkeeper.kube.GuardedElection;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.kube.KubeEventRecorder;
import io.poolkeeper.kube.KubeInspection;
import io.poolkeeper.kube.KubeLeaderElection;
import io.poolkeeper.kube.KubeLeases;
import io.poolkeeper.kube.KubeNodePatches;
import io.poolkeeper.kube.KubePauses;
import io.poolkeeper.kube.KubeReviews;
import io.poolkeeper.kube.WatchClient;
import io.poolkeeper.kube.binding.BindingViews;
import io.poolkeeper.kube.binding.KubeBindingWrites;
import io.poolkeeper.lock.LeaderElection;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.Leases;
import io.poolkeeper.ops.HttpApi;
import io.poolkeeper.ops.Moment;
import io.poolkeeper.ops.RotatingTls;
import io.poolkeeper.status.Installation;
import io.poolkeeper.tls.SelfMade;
import io.poolkeeper.trace.Telemetry;
import io.poolkeeper.trace.Tracing;
import io.poolkeeper.trace.TracingSettings;
import io.poolkeeper.watch.WatchLiveness;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running controller: a {@link Guardian} in an actor system of its own, with the adapters to
 * Kubernetes, Azure and HTTP. The adapters outlive the actors.
 */
public final class Controller {
  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  /**
   * The collaborators of a controller.
   *
   * @param client of the API server; outlives the controller
   * @param env may name the Pod, see {@link ElectionIdentity}
   * @param watches when a watch counts as lost
   */
  public record Deps(
      LoadedSettings loaded,
      KubernetesClient client,
      Entropy entropy,
      Map<String, String> env,
      WatchLiveness.Limits watches) {
    public Deps(
        LoadedSettings loaded, KubernetesClient client, Entropy entropy, Map<String, String> env) {
      this(loaded, client, entropy, env, WatchLiveness.Limits.SHIPPED);
    }

    Settings settings() {
      return loaded.settings();
    }
  }

  private enum Asked implements CoordinatedShutdown.Reason {
    INSTANCE
  }

  private final Deps deps;
  private final Settings settings;
  private final KubernetesClient client;
  private final Entropy entropy;
  private final KubeEventRecorder events;
  private final KubeNodePatches patches;
  private final KubeBindingWrites bindings;
  private final KubePauses pauses;
  private final KubeInspection inspection;
  private final KubeReviews reviews;
  private final Optional<GuardedElection> election;
  private final Optional<Telemetry> telemetry;
  private final CompletableFuture<InetSocketAddress> bound = new CompletableFuture<>();
  private final AtomicReference<Optional<String>> failure = new AtomicReference<>(Optional.empty());
  private final CompletableFuture<Done> guardianEnded = new CompletableFuture<>();
  private final AtomicReference<Optional<AzureArm>> azure = new AtomicReference<>(Optional.empty());
  private final AtomicReference<Optional<KubeLeases>> leases =
      new AtomicReference<>(Optional.empty());
  private final ActorSystem<Guardian.Command> system;
  private final CompletionStage<Optional<String>> ended;

  private Controller(Deps deps) {
    this.deps = deps;
    settings = deps.settings();
    client = deps.client();
    entropy = deps.entropy();
    logStart();
    events = new KubeEventRecorder(client, entropy.wall(), settings.pools().interval());
    patches = new KubeNodePatches(client);
    bindings = new KubeBindingWrites(client, new BindingViews(entropy.monotonic(), entropy.wall()));
    inspection = new KubeInspection(client, entropy.wall());
    reviews = new KubeReviews(client, settings.http().access().apiServerTokens());
    pauses =
        new KubePauses(
            client, namespace(), settings.election(), entropy.monotonic(), entropy.wall());
    election = election();
    telemetry =
        TracingSettings.of(deps.env()).start(installation(), entropy.wall(), entropy.monotonic());
    Config config =
        deps.loaded().pekko().withFallback(HttpApi.settings()).withFallback(ConfigFactory.load());
    system = Actors.start(Guardian.create(ports()), "poolkeeper", config);
    CoordinatedShutdown.get(system)
        .addTask(CoordinatedShutdown.PhaseServiceStop(), "stop-guardian", this::stopGuardian);
    ended =
        system
            .getWhenTerminated()
            .thenApplyAsync(
                done -> {
                  closeAdapters();
                  return failure.get();
                });
  }

  /** Starts and returns at once; {@code /readyz} shows whether all is well. */
  public static Controller start(Deps deps) {
    return new Controller(deps);
  }

  /** The address of the HTTP API; fails if it cannot be served. */
  public CompletionStage<InetSocketAddress> httpAddress() {
    return bound;
  }

  /** Stops in order; calls in flight get a few seconds. */
  public CompletionStage<Done> stop() {
    return CoordinatedShutdown.get(system)
        .runAll(Asked.INSTANCE)
        .thenCombine(ended, (done, why) -> done);
  }

  /** Completes at the end, with the reason if the controller ended by a failure. */
  public CompletionStage<Optional<String>> ended() {
    return ended;
  }

  private Optional<GuardedElection> election() {
    if (!settings.election().enabled()) {
      return Optional.empty();
    }
    ElectionIdentity identity =
        ElectionIdentity.of(
            deps.env(), settings.http().port(), ElectionIdentity::hostName, entropy.random());
    identity
        .why()
        .ifPresent(
            why ->
                log.info(
                    "leader-election identity={} effect=\"a restart waits for its own Lease to"
                        + " expire\" why=\"{}\"",
                    identity.name(),
                    why));
    KubeLeaderElection elector =
        new KubeLeaderElection(
            settings.election(),
            namespace(),
            identity.name(),
            pauses,
            this::loopback,
            client,
            entropy.monotonic(),
            entropy.wall());
    return Optional.of(
        new GuardedElection(
            elector, settings.election(), settings.shared(), lease(), client, entropy.monotonic()));
  }

  private String lease() {
    return namespace() + "/" + settings.election().name();
  }

  /** Commands cannot reach a process that is no pod through the API server. */
  private Optional<URI> loopback() {
    if (bound.state() != Future.State.SUCCESS) {
      return Optional.empty();
    }
    InetAddress address = bound.resultNow().getAddress();
    String host = address instanceof Inet6Address ? "[::1]" : address.getHostAddress();
    return address.isLoopbackAddress()
        ? Optional.of(URI.create("http://%s:%d".formatted(host, bound.resultNow().getPort())))
        : Optional.empty();
  }

  private String namespace() {
    return settings.election().namespace().orElseGet(KubeClients::podNamespace);
  }

  private Ports ports() {
    return new Ports(
        settings,
        entropy,
        events,
        patches,
        bindings,
        election.map(LeaderElection.class::cast),
        this::startAzure,
        pauses::start,
        this::startLeases,
        (materializer, receivers) ->
            ClusterWatch.start(
                materializer,
                new WatchClient(client, entropy.monotonic(), deps.watches()),
                entropy.wall(),
                receivers),
        (system, status, liveness, metrics, problems) ->
            new HttpApi(
                    system,
                    status,
                    liveness,
                    metrics,
                    new Moment.Source(
                        installation(), pauses::leader, problems, entropy.monotonic()),
                    deps.loaded().effective().stream().map(Object::toString).toList(),
                    doctor()::examine,
                    reviews)
                .bind(settings.http(), tls())
                .whenComplete(
                    (address, refused) -> {
                      if (address != null) {
                        bound.complete(address);
                      }
                    }),
        tracing(),
        this::failed,
        () -> guardianEnded.complete(Done.getInstance()));
  }

  private Tracing tracing() {
    return telemetry.map(Telemetry::tracing).orElse(Tracing.OFF);
  }

  private Optional<Supplier<SSLContext>> tls() {
    return switch (settings.http().tls()) {
      case Settings.Tls.None none -> Optional.empty();
      case Settings.Tls.SelfMade selfMade -> {
        long serial = entropy.random().nextLong() >>> 1 | 1;
        SSLContext made = SelfMade.create(entropy.wall().instant(), serial).context();
        yield Optional.of(() -> made);
      }
      case Settings.Tls.Files files ->
          Optional.of(new RotatingTls(files.certificates(), files.key(), entropy.monotonic()));
    };
  }

  private void logStart() {
    Installation self = installation();
    List<String> balancers = settings.azure().loadBalancers();
    log.info(
        "start version={} commit={} cluster=\"{}\" subscription={} resource-group=\"{}\""
            + " load-balancers={} mode={} replica={} api-server={}",
        self.version(),
        self.commit(),
        settings.clusterName(),
        settings.azure().subscriptionId(),
        settings.azure().loadBalancerResourceGroup(),
        balancers.isEmpty() ? settings.clusterName() : String.join(",", balancers),
        settings.mode().name().toLowerCase(Locale.ROOT),
        self.pod(),
        client.getMasterUrl());
  }

  private Installation installation() {
    Build build = Build.read();
    return new Installation(
        settings.clusterName(),
        settings.shadow(),
        deps.env().getOrDefault("POD_NAME", ElectionIdentity.hostName()),
        namespace(),
        settings.election().enabled(),
        settings.election().name(),
        settings.http().port(),
        entropy.wall().instant(),
        build.version(),
        build.commit(),
        settings.http().runbooks());
  }

  /** The doctor. Azure is started before anybody can ask. */
  private Doctor doctor() {
    return new Doctor(
        settings,
        namespace(),
        (groups, scopes) -> azure.get().orElseThrow().look(groups, scopes),
        inspection,
        entropy.wall());
  }

  private AzureArm startAzure(ArmObserver observer, WriteFence fence) {
    Clocks clocks =
        new Clocks(entropy.monotonicNanos(), entropy.monotonic(), entropy.wall(), entropy::random);
    AzureArm arm =
        AzureArm.create(
            settings.azure(),
            settings.rateLimiter().permitDeadline(),
            settings.maxRetryAfter(),
            observer,
            fence,
            clocks,
            telemetry.map(Telemetry::api));
    azure.set(Optional.of(arm));
    return arm;
  }

  private Leases startLeases(Consumer<LeaseView> seen) {
    Settings.Lock lock = settings.lock();
    KubeLeases started =
        new KubeLeases(
            client,
            new KubeLeases.Terms(
                lock.namespace(),
                lock.name(),
                lock.identity(),
                lock.duration(),
                election.map(elections -> lease())),
            entropy.monotonic(),
            entropy.wall(),
            seen);
    leases.set(Optional.of(started));
    return started;
  }

  /** The controller failed: an unknown address stays unknown. */
  private void failed(String why) {
    failure.compareAndSet(Optional.empty(), Optional.of(why));
    bound.completeExceptionally(new IllegalStateException(why));
  }

  private CompletionStage<Done> stopGuardian() {
    system.tell(Guardian.Stop.INSTANCE);
    return guardianEnded;
  }

  /** Closes the adapters, the leadership last: no other replica writes before all has ended. */
  private void closeAdapters() {
    events.close();
    patches.close();
    bindings.close();
    leases.get().ifPresent(KubeLeases::close);
    pauses.close();
    inspection.close();
    reviews.close();
    azure.get().ifPresent(AzureArm::close);
    election.ifPresent(GuardedElection::close);
    tracing().close(); // a collector that is silent keeps nobody from leading
  }
}
