package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.lock.LeadershipCore;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.ops.LivenessActor;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.turnstile.TurnstileEvent;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Wires {@code /healthz} to each actor without which the process cannot go on, by its name. */
record LivenessWiring(
    ActorRef<CoreActor.Command<TurnstileEvent>> turnstile,
    ActorRef<CoreActor.Command<NodeEvent>> nodes,
    ActorRef<CoreActor.Command<ServiceMapEvent>> serviceMap,
    Optional<ActorRef<CoreActor.Command<BindingsEvent>>> bindings,
    Optional<ActorRef<CoreActor.Command<SharedLockEvent>>> lock,
    Optional<ActorRef<CoreActor.Command<LeadershipCore.Event>>> election) {
  Behavior<LivenessActor.Command> behavior(Consumer<Runnable> guardian, InstantSource clock) {
    Map<String, Consumer<Runnable>> actors = new HashMap<>();
    actors.put("guardian", guardian);
    actors.put("turnstile", ping(turnstile));
    actors.put("nodes", ping(nodes));
    actors.put("service-map", ping(serviceMap));
    bindings.ifPresent(of -> actors.put("bindings", ping(of)));
    lock.ifPresent(of -> actors.put("lock", ping(of)));
    election.ifPresent(of -> actors.put("leadership", ping(of)));
    return LivenessActor.create(actors, clock);
  }

  private static <E> Consumer<Runnable> ping(ActorRef<CoreActor.Command<E>> actor) {
    return answer -> actor.tell(new CoreActor.Ping<>(answer));
  }
}
