package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.lock.PauseActor;
import io.poolkeeper.lock.PauseCore;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.Pause;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.ops.Reporter;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.service.ServiceMapEvent;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Wires a pause to all actors that wait for it, as a level, which each gets before it leads. */
record PauseWiring(
    ActorRef<CoreActor.Command<ServiceMapEvent>> map,
    ActorRef<CoreActor.Command<NodeEvent>> nodes,
    Optional<ActorRef<CoreActor.Command<BindingsEvent>>> bindings,
    Reporter reporter) {
  /**
   * Starts the actor, which receives the leader's Lease from now on. Without an election it leads.
   *
   * @param lead runs when this replica begins to lead, after all others were sent the pause
   */
  ActorRef<CoreActor.Command<PauseCore.Event>> start(
      Ports ports,
      Function<
              Behavior<CoreActor.Command<PauseCore.Event>>,
              ActorRef<CoreActor.Command<PauseCore.Event>>>
          spawn,
      Runnable lead) {
    boolean elected = ports.election().isPresent();
    Runnable all =
        () -> {
          if (elected) {
            lead();
          }
          lead.run();
        };
    ActorRef<CoreActor.Command<PauseCore.Event>> actor =
        spawn.apply(
            PauseActor.create(
                ports.entropy().monotonic(), this::shown, all, ports.events()::record));
    ports.pauses().accept(read -> actor.tell(new CoreActor.Event<>(read)));
    if (!elected) {
      actor.tell(new CoreActor.Event<>(new PauseCore.Event.Lead()));
    }
    return actor;
  }

  /** Without an election this replica leads from the start. */
  private void lead() {
    nodes.tell(new CoreActor.Event<>(new NodeEvent.Lead()));
    bindings.ifPresent(to -> to.tell(new CoreActor.Event<>(new BindingsEvent.Lead())));
    map.tell(new CoreActor.Event<>(new ServiceMapEvent.Lead()));
  }

  private void shown(PauseView view) {
    boolean paused = view.pause().isPresent();
    boolean drains = view.pause().filter(Pause::drains).isPresent();
    map.tell(new ServiceMapActor.Paused(view.pause()));
    nodes.tell(new CoreActor.Event<>(new NodeEvent.Paused(drains)));
    bindings.ifPresent(to -> to.tell(new CoreActor.Event<>(new BindingsEvent.Paused(paused))));
    reporter.paused(view);
  }
}
