package io.poolkeeper.simulation;

import io.poolkeeper.Entropy;
import io.poolkeeper.Guardian;
import io.poolkeeper.Ports;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.kube.Receiver;
import io.poolkeeper.kube.Watches;
import io.poolkeeper.lock.LeaderElection;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.ops.Metrics;
import io.poolkeeper.ops.StatusActor;
import io.poolkeeper.simulation.SimCluster.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;

/**
 * One process of the controller: its real {@link Guardian} and all below it, on simulated ports.
 * When it dies its ports are cut, so that nothing it still says reaches the world; what is under
 * way at ARM goes on there.
 */
final class SimProcess implements Wire {
  /** A successor leads before a minute and a half has passed. */
  private static final Duration LATEST = Duration.ofMinutes(3);

  final int number;
  private final SimWorld sim;
  private final SimCluster store = new SimCluster();
  private final Ledger ledger;
  private final Entropy entropy;
  private final Duration ahead;
  private final SimElection election;
  private final ActorRef<Guardian.Command> guardian;
  private List<SimWatch<?, ?>> watches = List.of();
  private Optional<SimWatch<?, ?>> watchOfBindings = Optional.empty();
  private @Nullable ActorRef<StatusActor.Command> status;
  private @Nullable Metrics metrics;
  private Consumer<ServiceKey> peerWrote = service -> {};
  private Optional<Consumer<SharedLockEvent>> lock = Optional.empty();
  private Consumer<NodeEvent.Preempted> preempted = event -> {};
  private Optional<LeaseClient> leases = Optional.empty();
  private boolean alive = true;
  private boolean stopping;
  private boolean failing;

  SimProcess(int number, SimWorld sim) {
    this.number = number;
    this.sim = sim;
    this.ledger = new Ledger(this, sim, store);
    this.entropy =
        Entropy.of(sim.faults::wall, sim.time::nanos, sim.time::shownNanos, sim.chance.nextLong());
    this.ahead = Duration.between(sim.time.now(), entropy.monotonic().instant());
    this.election = new SimElection(this, sim, entropy.monotonic());
    sim.trace.say("process %d begins".formatted(number));
    guardian = sim.system.spawn(Guardian.create(ports()));
  }

  private Ports ports() {
    Clocks clocks =
        new Clocks(entropy.monotonicNanos(), entropy.monotonic(), entropy.wall(), entropy::random);
    var settings = SimSettings.of(sim.options);
    Wire wire = parts().wire(this);
    return new Ports(
        settings,
        entropy,
        event -> whileAlive(() -> ledger.events().recorded(event)),
        patch -> sim.signals.patch(this, patch),
        sim.bindings.of(this),
        Optional.<LeaderElection>of(election).filter(any -> sim.options.has(Fault.LEADERSHIP)),
        (observer, fence) ->
            AzureArm.over(wire, settings.azure(), settings.turnstile(), observer, fence, clocks),
        never -> {},
        seen -> leases(entropy.monotonic(), seen),
        this::watch,
        (system, actor, liveness, counters, problems) -> {
          status = actor;
          metrics = counters;
          return CompletableFuture.completedFuture(new InetSocketAddress(0));
        },
        why -> {
          failing = true;
          sim.trace.say("process %d fails".formatted(number));
        },
        () -> whileAlive(this::end));
  }

  private LeaseClient leases(InstantSource clock, Consumer<LeaseView> seen) {
    LeaseClient client = new LeaseClient(this, sim, clock, seen);
    leases = Optional.of(client);
    return client;
  }

  /** Its way to the shared Lease; empty if turns need none. */
  Optional<LeaseClient> leases() {
    return leases;
  }

  private void whileAlive(Runnable what) {
    if (alive) {
      what.run();
    }
  }

  private Watches watch(
      Materializer materializer,
      Receiver<ServiceKey, ServiceView, ?, ?> services,
      Receiver<SliceView.Key, SliceView, ?, ?> slices,
      Receiver<NodeKey, NodeView, ?, ?> nodes,
      Receiver<String, NamespaceView, ?, ?> namespaces,
      Optional<Receiver<BindingKey, BindingView, ?, ?>> bindings,
      Consumer<ServiceKey> peerWrote,
      Consumer<NodeEvent.Preempted> preempted,
      Optional<Consumer<SharedLockEvent>> lock) {
    this.lock = lock;
    this.peerWrote = peerWrote;
    this.preempted = preempted;
    sim.signals.listed(this);
    watches =
        List.of(
            watch(materializer, Kind.NODE, nodes, NodeKey::new, store::node),
            watch(materializer, Kind.SERVICE, services, SimCluster::serviceKey, store::service),
            watch(materializer, Kind.SLICE, slices, SimCluster::sliceKey, store::slice));
    none(materializer, namespaces);
    watchOfBindings =
        bindings.map(
            receiver ->
                watch(
                    materializer,
                    Kind.BINDING,
                    receiver,
                    SimCluster::bindingKey,
                    name ->
                        Optional.ofNullable(store.bindings.get(name))
                            .map(one -> one.view(ahead()))));
    return watching();
  }

  private Watches watching() {
    return new Watches() {
      @Override
      public List<String> problems() {
        return List.of();
      }

      @Override
      public CompletionStage<?> completion() {
        return CompletableFuture.anyOf(
            allWatches().stream()
                .map(watch -> watch.completion().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
      }

      @Override
      public void close() {
        allWatches().forEach(SimWatch::close);
      }
    };
  }

  /** There is no object of that kind, and never will be. */
  private static <M, A> void none(Materializer materializer, Receiver<?, ?, M, A> receiver) {
    ActorRef<A> nobody = Adapter.toTyped(materializer.system()).ignoreRef();
    receiver.actor().tell(receiver.synced().apply(nobody));
  }

  private <K, V> SimWatch<K, V> watch(
      Materializer materializer,
      Kind kind,
      Receiver<K, V, ?, ?> receiver,
      Function<String, K> key,
      Function<String, Optional<V>> view) {
    return new SimWatch<>(this, kind, store, materializer, receiver, key, view);
  }

  SimElection election() {
    return election;
  }

  boolean alive() {
    return alive;
  }

  boolean stopping() {
    return stopping;
  }

  /** Whether it stops by itself, as a part of it has failed. */
  boolean failing() {
    return failing;
  }

  SimCluster cluster() {
    return sim.cluster;
  }

  Trace trace() {
    return sim.trace;
  }

  World world() {
    return sim.time;
  }

  Parts parts() {
    return sim.system.parts();
  }

  Chance chance() {
    return sim.chance;
  }

  List<SimWatch<?, ?>> watches() {
    return watches;
  }

  /** That of bindings, too, whose loss stops nothing but the pools that are bound. */
  List<SimWatch<?, ?>> allWatches() {
    return Stream.concat(watches.stream(), watchOfBindings.stream()).toList();
  }

  /** How far its clock is ahead of the world's time. */
  Duration ahead() {
    return ahead;
  }

  SimWatch<?, ?> watchOfNodes() {
    return watches.getFirst();
  }

  /** What the status page shows; only while the world is settled. */
  StatusActor.Snapshot status() {
    return sim.system.ask(Objects.requireNonNull(status), StatusActor.GetSnapshot::new);
  }

  /** What Prometheus reads. */
  String scrape() {
    return Objects.requireNonNull(metrics).scrape(status(), sim.time.now());
  }

  /** Its own monotonic time. */
  Instant time() {
    return entropy.monotonic().instant();
  }

  Ledger ledger() {
    return ledger;
  }

  /** Once a second for each of its watches. */
  void looksAtWatches() {
    ledger.rules().looks(mustKnowOfLoss());
    ledger.waits().check();
  }

  /** Whether a watch is gone for so long that it must know. */
  boolean mustKnowOfLoss() {
    return watches.stream()
        .flatMap(watch -> watch.lostSince().stream())
        .anyMatch(since -> !since.isAfter(sim.time.now()));
  }

  /** An event of the cloud provider's about the shared Lease arrives. */
  void heard(SharedLockEvent event) {
    ledger.waits().heard(event);
    guarded(() -> lock.ifPresent(to -> to.accept(event))).run();
  }

  /** The event of the cloud provider that it has written the pools of a Service arrives. */
  void peerWrote(ServiceKey service) {
    guarded(() -> peerWrote.accept(service)).run();
  }

  /** An event about a node arrives. */
  void preempted(NodeEvent.Preempted event) {
    guarded(() -> preempted.accept(event)).run();
  }

  /** It is gone from one moment to the next. */
  void die() {
    if (!alive) {
      return;
    }
    end();
    sim.system.stop(guardian);
    sim.time.forgetActors();
  }

  /** It is asked to stop, and ends by itself. */
  void stop() {
    stopping = true;
    sim.trace.say("process %d is asked to stop".formatted(number));
    guardian.tell(Guardian.Stop.INSTANCE);
  }

  private void end() {
    ledger.ended();
    alive = false;
    allWatches().forEach(SimWatch::close);
    sim.trace.say("process %d ends".formatted(number));
    sim.process = Optional.empty();
  }

  /** Runs only while the process lives and is not standing still. */
  Runnable guarded(Runnable what) {
    return new Runnable() {
      @Override
      public void run() {
        if (!alive) {
          return;
        }
        if (sim.time.frozen()) {
          sim.time.at(sim.time.frozenUntil(), this);
        } else {
          what.run();
        }
      }
    };
  }

  @Override
  public void send(Request request, Reply reply) {
    if (!alive) {
      return;
    }
    ArmCall call = SimArm.call(request.method(), request.url(), request.headers(), request.body());
    Exchange exchange = ledger.sent(call, request.call().equals("look"), reply);
    Runnable arrives = () -> sim.arm.request(call, whileItLives(exchange, reply), ledger.sender(exchange));
    if (exchange.write() && election.replaces()) {
      sim.time.after(Duration.ZERO, this::die);
      sim.time.after(sim.chance.between(Duration.ofSeconds(1), LATEST), arrives);
    } else {
      arrives.run();
    }
  }

  private Reply whileItLives(Exchange exchange, Reply reply) {
    return new Reply() {
      @Override
      public boolean awaited() {
        return alive && reply.awaited();
      }

      @Override
      public void answered(Answer answer) {
        guarded(
                () -> {
                  ledger.arrived(exchange, answer);
                  reply.answered(answer);
                })
            .run();
      }

      @Override
      public void failed(IOException why) {
        guarded(
                () -> {
                  ledger.waits().failed(exchange);
                  reply.failed(why);
                })
            .run();
      }
    };
  }

  @Override
  public Runnable later(Duration delay, Runnable what) {
    return sim.time.after(delay, guarded(what))::cancel;
  }
}
