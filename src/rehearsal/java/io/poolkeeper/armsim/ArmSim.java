package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.ArmSimSettings.Access;
import io.poolkeeper.armsim.fault.Behavior;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.armsim.model.ResourceMap.LoadBalancer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.model.PoolId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.ServerBuilder;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running simulator of Azure Resource Manager. Any number can run in one JVM, one after another
 * also on the same port. Its getters show the state when the last answer was sent.
 */
public final class ArmSim {
  private static final String HOST = "127.0.0.1";
  private static final Duration TERMINATION = Duration.ofMillis(200);
  // Links with signed queries are long; latencies and faults delay answers.
  private static final String SERVER =
      """
      pekko.http.server {
        server-header = ""
        request-timeout = 15 minutes
        idle-timeout = 20 minutes
        max-connections = 8192
        parsing {
          max-uri-length = 16k
          max-content-length = 8m
          uri-parsing-mode = relaxed
          # They would show tokens.
          illegal-header-warnings = off
          error-logging-verbosity = simple
        }
      }
      """;
  private static final AtomicLong STARTED = new AtomicLong();

  private final SimPort port;
  private final ServerBinding binding;
  private final SimView view;
  private final Access access;
  private final Optional<CaFile> caFile;

  private ArmSim(
      SimPort port, ServerBinding binding, SimView view, Access access, Optional<CaFile> caFile) {
    this.port = port;
    this.binding = binding;
    this.view = view;
    this.access = access;
    this.caFile = caFile;
  }

  /**
   * Starts a simulator on the given system, which must outlive it.
   *
   * @return fails with a message that names the port that is taken, the state file that cannot be
   *     read and written, or the certificate file that cannot be written
   */
  public static CompletionStage<ArmSim> start(ActorSystem<?> system, ArmSimSettings settings) {
    return start(system, settings, call -> {});
  }

  /** The same with an observer of every call before it is handled, on any thread. */
  public static CompletionStage<ArmSim> start(
      ActorSystem<?> system, ArmSimSettings settings, Consumer<ArmCall> observer) {
    SavedState initial;
    try {
      initial =
          settings.stateFile().map(file -> new StateFile(file).open()).orElse(SavedState.empty());
    } catch (RuntimeException unusable) {
      return CompletableFuture.failedFuture(unusable);
    }
    var view = new SimView();
    ActorRef<SimActor.Command> actor =
        system.systemActorOf(
            SimActor.create(settings, initial, view),
            "arm-sim-" + STARTED.incrementAndGet(),
            DispatcherSelector.defaultDispatcher());
    var port = new SimPort(system, actor);
    var http = new SimHttp(port, settings, view, observer);
    Access access = settings.access();
    Optional<Authority> authority =
        access.tls() ? Optional.of(Authority.create(settings.clock())) : Optional.empty();
    return server(system, settings, authority)
        .bind(http::handle)
        .thenCompose(
            binding ->
                publish(authority, access, binding)
                    .thenApply(caFile -> new ArmSim(port, binding, view, access, caFile)))
        .whenComplete(
            (started, failed) -> {
              if (failed != null) {
                actor.tell(new SimActor.Stop(system.ignoreRef()));
              }
            });
  }

  private static ServerBuilder server(
      ActorSystem<?> system, ArmSimSettings settings, Optional<Authority> authority) {
    ServerBuilder plain =
        Http.get(system)
            .newServerAt(HOST, settings.port())
            .withSettings(ServerSettings.create(SERVER));
    return authority
        .map(ca -> plain.enableHttps(ConnectionContext.httpsServer(ca.server().context())))
        .orElse(plain);
  }

  /**
   * After binding: a simulator without the port must not replace the file of the one that has it.
   */
  private static CompletionStage<Optional<CaFile>> publish(
      Optional<Authority> authority, Access access, ServerBinding binding) {
    try {
      return CompletableFuture.completedFuture(
          authority.map(ca -> CaFile.write(access.caFile(), ca.pem())));
    } catch (UncheckedIOException unwritable) {
      return binding.unbind().thenCompose(unbound -> CompletableFuture.failedFuture(unwritable));
    }
  }

  /** Its URL, without a slash at the end. */
  public URI endpoint() {
    return URI.create(
        "%s://%s:%d".formatted(access.scheme(), HOST, binding.localAddress().getPort()));
  }

  /** The certificate to trust, as PEM; empty without TLS. */
  public Optional<Path> caCertificate() {
    return caFile.map(CaFile::path);
  }

  public List<ArmLogEntry> log() {
    return view.journal.entries();
  }

  public Optional<List<PoolMember>> pool(PoolId id) {
    return view.resources
        .balancer(id.loadBalancer())
        .flatMap(balancer -> balancer.members(id.name()));
  }

  /** The entries of every pool, a consistent snapshot. */
  public Map<PoolId, List<PoolMember>> pools() {
    Map<PoolId, List<PoolMember>> pools = new LinkedHashMap<>();
    for (LoadBalancer balancer : view.resources.balancers()) {
      for (String name : balancer.poolNames()) {
        pools.put(balancer.id().pool(name), balancer.members(name).orElseThrow());
      }
    }
    return pools;
  }

  /**
   * The most writes in flight at once on one load balancer so far. A write is in flight from its
   * arrival until it is refused or its operation has ended; without latency that is when it is
   * polled.
   */
  public int maxInFlightPerLoadBalancer() {
    return view.writes.max();
  }

  /** The whole state, in the form of the state file. */
  public CompletionStage<ObjectNode> dump() {
    return port.<SavedState>ask(SimActor.Snapshot::new).thenApplyAsync(SavedState::dump);
  }

  /** Replaces the whole state by a dumped one. Log, counts and fault rules are cleared. */
  public CompletionStage<Done> load(ObjectNode dump) {
    SavedState state = SavedState.load(dump);
    return port.done(replyTo -> new SimActor.Restore(state, replyTo));
  }

  /** Adds a fault rule and returns its id; fails if there are too many. */
  public CompletionStage<Long> addFault(FaultRule rule) {
    return port.tune(gate -> gate.faults.add(List.of(rule)))
        .thenApply(
            ids ->
                ids.orElseThrow(() -> new IllegalStateException("too many fault rules"))
                    .getFirst());
  }

  /** Removes all fault rules. Operations that a rule has spoiled stay so. */
  public CompletionStage<Done> dropFaults() {
    return port.change(gate -> gate.faults.clear());
  }

  public CompletionStage<Done> behave(Behavior behavior) {
    return port.change(gate -> gate.behave(behavior));
  }

  /**
   * Stops listening, closes open connections and saves the state. The getters stay usable.
   *
   * @return fails if the state cannot be saved; the message names the file
   */
  public CompletionStage<Done> close() {
    return binding
        .terminate(TERMINATION)
        .thenCompose(terminated -> port.done(SimActor.Stop::new))
        .whenComplete((stopped, failed) -> caFile.ifPresent(CaFile::remove));
  }

  /**
   * The file of the certificate that clients have to trust. Without a given path it is temporary
   * and deleted with the simulator.
   */
  record CaFile(Path path, boolean temporary) {
    private static final Logger LOG = LoggerFactory.getLogger(CaFile.class);

    static CaFile write(Optional<Path> named, String pem) {
      try {
        Path path =
            named.isPresent()
                ? named.get().toAbsolutePath()
                : Files.createTempFile("poolkeeper-arm-sim-ca-", ".pem");
        Files.writeString(path, pem);
        return new CaFile(path, named.isEmpty());
      } catch (IOException failed) {
        String place = named.map(Path::toString).orElse(System.getProperty("java.io.tmpdir", ""));
        throw new UncheckedIOException(
            "CA certificate %s cannot be written: %s".formatted(place, failed), failed);
      }
    }

    void remove() {
      if (!temporary) {
        return;
      }
      try {
        Files.deleteIfExists(path);
      } catch (IOException failed) {
        LOG.warn("ca certificate not removed file={} error={}", path, failed.toString());
      }
    }
  }
}
