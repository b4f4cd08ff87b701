package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.lock.LeaderElection;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.PatchResult;
import io.poolkeeper.ops.ApiJson;
import io.poolkeeper.ops.Metrics;
import io.poolkeeper.ops.Moment;
import io.poolkeeper.ops.StatusActor;
import io.poolkeeper.process.Entropy;
import io.poolkeeper.process.Guardian;
import io.poolkeeper.process.Ports;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.Snapshot;
import io.poolkeeper.trace.Tracing;
import io.poolkeeper.watch.Receivers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * One process of the controller: its real {@link Guardian} and all below it, on simulated ports.
 * When it dies its ports are cut, so that nothing it still says reaches the world; what is under
 * way at ARM goes on there.
 */
final class SimProcess implements Wire {
  /** The longest delay of a former leader's write; a successor leads after 90 s at most. */
  private static final Duration LATEST = Duration.ofMinutes(3);

  private static final Installation SELF =
      new Installation(
          "kubernetes",
          false,
          "poolkeeper",
          "",
          true,
          "",
          1,
          VirtualTime.START,
          "",
          "",
          Optional.empty());

  /** Counted from 1. */
  final int number;

  /** How far its clock is ahead of the world's time. */
  final Duration ahead;

  final SimWorld sim;
  private final Entropy entropy;
  final SimElection election;
  final SimWatches watches;
  final Ledger ledger;
  private final ActorRef<Guardian.Command> guardian;
  private @Nullable ActorRef<StatusActor.Command> status;
  private @Nullable Metrics metrics;
  private Optional<Receivers> receivers = Optional.empty();
  private boolean alive = true;
  private boolean stopping;
  private boolean failing;

  SimProcess(int number, SimWorld sim) {
    this.number = number;
    this.sim = sim;
    this.entropy =
        Entropy.of(
            sim.faults::wall,
            sim.time::nanos,
            () -> sim.time.elapsed().toNanos(),
            sim.chance.nextLong());
    this.ahead = Duration.between(sim.time.now(), entropy.monotonic().instant());
    this.election = new SimElection(this, sim, entropy.monotonic());
    this.watches = new SimWatches(this);
    this.ledger = new Ledger(this);
    sim.trace.say("process %d begins".formatted(number));
    guardian = sim.system.spawn(Guardian.create(ports()));
  }

  private Ports ports() {
    Clocks clocks =
        new Clocks(entropy.monotonicNanos(), entropy.monotonic(), entropy.wall(), entropy::random);
    var settings = SimSettings.of(sim.options);
    Wire wire = sim.system.parts.wire(this);
    return new Ports(
        settings,
        entropy,
        event -> whileAlive(() -> ledger.events.recorded(event)),
        this::patch,
        sim.bindings.of(this, election, binding -> ledger.bindings.accepted(binding)),
        Optional.<LeaderElection>of(election).filter(any -> sim.options.has(Fault.LEADERSHIP)),
        (observer, fence) ->
            AzureArm.over(
                wire,
                settings.azure(),
                settings.rateLimiter().permitDeadline(),
                settings.maxRetryAfter(),
                observer,
                fence,
                clocks),
        never -> {},
        seen -> ledger.leases(entropy.monotonic(), seen),
        (materializer, to) -> {
          receivers = Optional.of(to);
          sim.signals.listed(this);
          watches.open(materializer, to);
          return watches;
        },
        (system, actor, liveness, counters, problems) -> {
          status = actor;
          metrics = counters;
          return CompletableFuture.completedFuture(new InetSocketAddress(0));
        },
        Tracing.OFF,
        why -> {
          failing = true;
          sim.trace.say("process %d fails".formatted(number));
        },
        () -> whileAlive(this::end));
  }

  private CompletionStage<PatchResult> patch(NodeEffect.Patch patch) {
    election.writes();
    ledger.states.patches(patch);
    return sim.signals
        .patch(this, patch)
        .thenApply(
            result -> {
              ledger.states.patched(patch);
              return result;
            });
  }

  private void whileAlive(Runnable what) {
    if (alive) {
      what.run();
    }
  }

  boolean alive() {
    return alive;
  }

  boolean stopping() {
    return stopping;
  }

  /** Whether it was asked to stop, or stops by itself, as a part of it has failed. */
  boolean ending() {
    return stopping || failing;
  }

  /** What the status page shows; only while the world is settled. */
  Snapshot status() {
    return sim.system.ask(Objects.requireNonNull(status), StatusActor.GetSnapshot::new);
  }

  /** What a client of {@code /api/v1/status} reads. */
  JsonNode json(Snapshot status) {
    Instant now = entropy.monotonic().instant();
    return ApiJson.tree(
        new Moment(status, SELF, Optional.empty(), new LinkedHashMap<>(), now).status());
  }

  /** What Prometheus reads. */
  String scrape() {
    return Objects.requireNonNull(metrics).scrape(status(), sim.time.now());
  }

  /** An event of the cloud provider's about the shared Lease arrives. */
  void heard(SharedLockEvent event) {
    ledger.waits.heard(event);
    guarded(() -> receivers.flatMap(Receivers::lock).ifPresent(to -> to.accept(event))).run();
  }

  /** The event of the cloud provider that it has written the pools of a Service arrives. */
  void cloudProviderWrote(ServiceKey service) {
    guarded(() -> receivers.ifPresent(to -> to.cloudProviderWrote().accept(service))).run();
  }

  /** An event about a node arrives. */
  void preempted(NodeEvent.Preempted event) {
    guarded(() -> receivers.ifPresent(to -> to.preempted().accept(event))).run();
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

  /** Asks the process to stop. */
  void stop() {
    stopping = true;
    sim.trace.say("process %d is asked to stop".formatted(number));
    guardian.tell(Guardian.Stop.INSTANCE);
  }

  private void end() {
    ledger.ended();
    alive = false;
    watches.close();
    sim.trace.say("process %d ends".formatted(number));
    sim.process = Optional.empty();
  }

  /** Runs only while the process lives and is not standing still. */
  Runnable guarded(Runnable what) {
    return () -> {
      if (alive && sim.time.frozen()) {
        sim.time.at(sim.time.frozenUntil(), guarded(what));
      } else if (alive) {
        what.run();
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
    Runnable arrives = () -> sim.arm.request(exchange, whileItLives(exchange, reply), ledger);
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
                  ledger.waits.failed(exchange);
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
