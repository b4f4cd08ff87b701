package io.poolkeeper.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import io.fabric8.kubernetes.client.Watch;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.config.LoadedSettings;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.lab.judge.ArmHttp;
import io.poolkeeper.lab.judge.BindingHistory;
import io.poolkeeper.lab.judge.Pace;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.process.Actors;
import io.poolkeeper.process.Controller;
import io.poolkeeper.process.Entropy;
import io.poolkeeper.ratelimit.RateLimiterLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * One rehearsal: a cluster, an ARM simulator, a world seeded into both, and the controller over
 * real HTTP with the configuration that a separate {@code run} could use. Closing it stops all.
 */
public final class Lab implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int PAGE_MILLIS = 3_000;

  final LabOptions options;
  final Entropy entropy;
  private final Closings closings;
  private final Path directory;
  private final Path config;
  private final LoadedSettings loaded;
  final LabCluster cluster;
  private final ArmSim arm;
  final ArmHttp http;
  final World world;
  private final Map<PoolId, List<PoolMember>> initial;

  /** The faults that ARM was given, by id. */
  final Map<Long, FaultRule> rules = new HashMap<>();

  final List<String> notes = new ArrayList<>();
  final BindingHistory history;

  private final Stage stage;
  private @Nullable Controller controller;
  private @Nullable ControllerProcess process;
  private Optional<String> page = Optional.empty();
  private long startedNanos;

  private Lab(LabOptions options, Entropy entropy, Audience out, Closings closings)
      throws IOException, InterruptedException {
    this.options = options;
    this.entropy = entropy;
    this.closings = closings;
    directory = Files.createTempDirectory("poolkeeper-lab");
    closings.add("the directory " + directory, this::removeDirectory);
    cluster = LabCluster.open(options.kubeconfig(), directory, entropy.wall());
    closings.add("the cluster", cluster);
    ActorSystem<Void> system = Actors.start(Behaviors.empty(), "lab", ConfigFactory.load());
    closings.add("the lab's actors", () -> terminate(system));
    ArmSimSettings settings =
        ArmSimSettings.fast(entropy.monotonicNanos(), entropy.wall())
            .withSeed(options.seed())
            .withLatency(options.profile());
    arm = await(ArmSim.start(system, settings));
    closings.add("the ARM simulator", () -> await(arm.close()));
    http = new ArmHttp(arm.endpoint());
    closings.add("the lab's connections to ARM", http);
    boolean dualStack = cluster.dualStack();
    if (!dualStack) {
      notes.add("the API server is single-stack: the dual-stack Services were made single-stack");
    }
    world = new World(scenario().services(), cluster.client(), entropy.monotonicNanos(), dualStack);
    world.seed();
    history = new BindingHistory(entropy.monotonicNanos());
    if (scenario().bound()) {
      defineBindings();
    }
    new ArmSeed(http, scenario(), world).seed();
    initial = arm.pools();
    config = LabConfig.write(directory, options, arm.endpoint());
    loaded = SettingsLoader.load(config, Optional.empty(), Map.of());
    stage = new Stage(this, out);
    closings.add("the judge", stage);
    startedNanos = nanos();
    stage.play.prepare();
  }

  private void defineBindings() throws IOException {
    boolean defined = cluster.defineBindings();
    boolean real = cluster.embedded().isEmpty();
    if (defined && real) {
      notes.add("the API server had no BackendPoolBinding: the lab defines it and removes it");
    }
    closings.add("the bindings", () -> cluster.clearBindings(defined && real));
    cluster.embedded().ifPresent(server -> server.listen(history::changed));
    if (real) {
      Watch watch = history.watch(cluster.client());
      closings.add("the watch on bindings", watch);
    }
  }

  /** Starts everything but the controller; {@code out} gets lines until the end of closing. */
  public static Lab open(LabOptions options, Entropy entropy, Audience out)
      throws IOException, InterruptedException {
    Closings closings = new Closings(new ArrayDeque<>(), out);
    try {
      return new Lab(options, entropy, out, closings);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      closings.close();
      throw failed;
    }
  }

  /**
   * Starts the controller: in this process, and waits until it serves its HTTP API; as a process of
   * its own if the scenario kills it.
   */
  public void startController() throws InterruptedException {
    startedNanos = nanos();
    closings.add("the controller", this::stopController);
    if (scenario().kills()) {
      launchController();
    } else {
      startAnother();
    }
  }

  void launchController() {
    try {
      process = ControllerProcess.start(config, cluster.kubeconfig());
      page = Optional.of("%s:%d".formatted(settings().http().host(), settings().http().port()));
    } catch (IOException failed) {
      throw new LabException("the controller cannot be started: " + failed.getMessage(), failed);
    }
  }

  /** Ends that process as a power failure would. */
  void killController() throws InterruptedException {
    ControllerProcess running = Objects.requireNonNull(process);
    process = null;
    running.kill();
  }

  private void startAnother() throws InterruptedException {
    Controller started =
        Controller.start(new Controller.Deps(loaded, cluster.client(), entropy, Map.of()));
    controller = started;
    InetSocketAddress address = await(started.httpAddress());
    page = Optional.of(address.getHostString() + ":" + address.getPort());
  }

  private void stopController() throws InterruptedException {
    if (process != null) {
      ControllerProcess running = process;
      process = null;
      running.stop();
    }
    if (controller != null) {
      await(controller.stop());
      controller = null;
    }
  }

  /** Stops the controller of this process in order, and starts another one. */
  void restartController() throws InterruptedException {
    stopController();
    startAnother();
  }

  void requireController() throws InterruptedException {
    if (process != null) {
      process.requireAlive();
    }
    if (controller != null) {
      CompletionStage<Optional<String>> ended = controller.ended();
      if (ended.toCompletableFuture().isDone()) {
        throw new LabException(
            "the controller ended: " + await(ended).orElse("for an unknown reason"));
      }
    }
  }

  public LabReport rehearse() throws InterruptedException {
    return stage.hold();
  }

  long nanos() {
    return entropy.monotonicNanos().getAsLong();
  }

  Scenario scenario() {
    return options.scenario();
  }

  public ArmSim arm() {
    return arm;
  }

  /** Who holds the shared Lease; nobody while nothing is to be written. */
  List<String> leases() {
    Settings.Lock lock = settings().lock();
    return Stream.ofNullable(
            cluster.client().leases().inNamespace(lock.namespace()).withName(lock.name()).get())
        .map(lease -> Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), ""))
        .filter(holder -> !holder.isBlank())
        .toList();
  }

  Settings settings() {
    return loaded.settings();
  }

  /** What the page shows; empty if it is not known where. */
  Optional<JsonNode> status() {
    return page.map(
        at -> {
          try {
            URLConnection answer =
                URI.create("http://%s/api/v1/status".formatted(at)).toURL().openConnection();
            answer.setConnectTimeout(PAGE_MILLIS);
            answer.setReadTimeout(PAGE_MILLIS);
            return JSON.readTree(answer.getInputStream());
          } catch (IOException none) {
            throw new UncheckedIOException("no controller answers", none);
          }
        });
  }

  Duration shortestSpacing() {
    return settings().pools().minInterval();
  }

  ArmJournal journal() {
    return new ArmJournal(arm, initial, rules, startedNanos);
  }

  long startedNanos() {
    return startedNanos;
  }

  Pace pace() {
    RateLimiterLimits limits = loaded.settings().rateLimiter();
    return new Pace(
        startedNanos,
        limits.initialWrites(),
        limits.writes().burst(),
        limits.writes().milliPerSecond() / 1000.0);
  }

  public Duration interval() {
    return loaded.settings().pools().interval();
  }

  /** The line that a shell needs to look at this lab, and to cause faults. */
  public String environment() {
    String server = cluster.client().getMasterUrl().toString().replaceFirst("/+$", "");
    String web = Blueprint.named("web").id(false).path();
    return "export KUBECONFIG=%s KUBE=%s ARM=%s WEB='%s%s?api-version=2025-05-01'"
        .formatted(cluster.kubeconfig(), server, arm.endpoint(), arm.endpoint(), web);
  }

  /** The lines that a separate {@code run} needs. */
  public List<String> coordinates() {
    List<String> lines = new ArrayList<>();
    lines.add("kubeconfig " + cluster.kubeconfig());
    lines.add("arm " + arm.endpoint());
    lines.add("config " + config);
    page.ifPresent(http -> lines.add("page http://%s/".formatted(http)));
    return lines;
  }

  /** Blocks: the lab's thread drives everything and waits for each part to start. */
  static <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
      throw new LabException(String.valueOf(cause.getMessage()), failed);
    } catch (TimeoutException late) {
      throw new LabException("a part of the lab took longer than " + PATIENCE, late);
    }
  }

  /**
   * Closes what was opened, the last one first, each even if another fails or we are interrupted.
   */
  private record Closings(Deque<Closings.Part> parts, Consumer<String> out)
      implements AutoCloseable {
    private record Part(String name, AutoCloseable closing) {}

    void add(String name, AutoCloseable closing) {
      parts.push(new Part(name, closing));
    }

    @Override
    public void close() {
      boolean interrupted = Thread.interrupted();
      while (!parts.isEmpty()) {
        Part part = parts.pop();
        try {
          part.closing().close();
        } catch (InterruptedException again) {
          interrupted = true;
        } catch (Exception failed) {
          out.accept("could not close " + part.name() + ": " + failed.getMessage());
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void terminate(ActorSystem<Void> system) throws InterruptedException {
    system.terminate();
    await(system.getWhenTerminated());
  }

  private void removeDirectory() throws IOException {
    for (String name : List.of("kubeconfig", LabConfig.NAME, ControllerProcess.LOG)) {
      Files.deleteIfExists(directory.resolve(name));
    }
    Files.deleteIfExists(directory);
  }

  @Override
  public void close() {
    closings.close();
  }
}
