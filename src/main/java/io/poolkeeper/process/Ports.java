package io.poolkeeper.process;

import io.poolkeeper.admission.BindingWrites;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.ResourceManager;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LeaderElection;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.Leases;
import io.poolkeeper.lock.PauseCore;
import io.poolkeeper.node.NodePatches;
import io.poolkeeper.ops.LivenessActor;
import io.poolkeeper.ops.Metrics;
import io.poolkeeper.ops.StatusActor;
import io.poolkeeper.pool.EventRecorder;
import io.poolkeeper.trace.Tracing;
import io.poolkeeper.watch.Watches;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * The ports of a process, between its actors and the world.
 *
 * @param election empty if this process leads without one
 * @param azure starts Azure Resource Manager, which reports its calls to the observer and asks
 *     before each try of a write whether it may begin
 * @param pauses starts to watch the annotations of the leader's Lease
 * @param leases starts the shared Lease, whose changes the consumer receives
 * @param failed receives why the Guardian stops by itself
 * @param ended runs when the Guardian and all its actors have ended
 */
public record Ports(
    Settings settings,
    Entropy entropy,
    EventRecorder events,
    NodePatches patches,
    BindingWrites bindings,
    Optional<LeaderElection> election,
    BiFunction<ArmObserver, WriteFence, ResourceManager> azure,
    Consumer<Consumer<PauseCore.Event.Read>> pauses,
    Function<Consumer<LeaseView>, Leases> leases,
    Watches.Starter watches,
    Api api,
    Tracing tracing,
    Consumer<String> failed,
    Runnable ended) {

  @FunctionalInterface
  public interface Api {
    /** Starts to serve; {@code watchProblems} are those of the moment. */
    CompletionStage<InetSocketAddress> serve(
        ActorSystem<?> system,
        ActorRef<StatusActor.Command> status,
        ActorRef<LivenessActor.Command> liveness,
        Metrics metrics,
        Supplier<SequencedMap<String, String>> watchProblems);
  }
}
