package io.poolkeeper.process;

import io.poolkeeper.admission.BindingsActor;
import io.poolkeeper.lock.LeadershipActor;
import io.poolkeeper.lock.SharedLockActor;
import io.poolkeeper.node.NodeWatcherActor;
import io.poolkeeper.ops.LivenessActor;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Wires {@code /healthz} to each actor without which the process cannot go on, by its name. */
record LivenessWiring(
    ActorRef<TurnstileActor.Command> turnstile,
    ActorRef<NodeWatcherActor.Command> nodes,
    ActorRef<ServiceMapActor.Command> serviceMap,
    Optional<ActorRef<BindingsActor.Command>> bindings,
    Optional<ActorRef<SharedLockActor.Command>> lock,
    Optional<ActorRef<LeadershipActor.Command>> election) {
  Behavior<LivenessActor.Command> behavior(Consumer<Runnable> guardian, InstantSource clock) {
    Map<String, Consumer<Runnable>> actors = new HashMap<>();
    actors.put("guardian", guardian);
    actors.put("turnstile", answer -> turnstile.tell(new TurnstileActor.Ping(answer)));
    actors.put("nodes", answer -> nodes.tell(new NodeWatcherActor.Ping(answer)));
    actors.put("service-map", answer -> serviceMap.tell(new ServiceMapActor.Ping(answer)));
    bindings.ifPresent(
        of -> actors.put("bindings", answer -> of.tell(new BindingsActor.Ping(answer))));
    lock.ifPresent(of -> actors.put("lock", answer -> of.tell(new SharedLockActor.Ping(answer))));
    election.ifPresent(
        of -> actors.put("leadership", answer -> of.tell(new LeadershipActor.Ping(answer))));
    return LivenessActor.create(actors, clock);
  }
}
