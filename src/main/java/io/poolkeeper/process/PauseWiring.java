package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor.Command;
import io.poolkeeper.actor.CoreActor.Event;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.lock.PauseActor;
import io.poolkeeper.lock.PauseCore;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.Pause;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.ops.Reporter;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.service.ServiceMapEvent;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Wires a pause to the actors that wait for it; each is sent all of the pause before it leads. */
record PauseWiring(
    Ports ports,
    ActorRef<Command<ServiceMapEvent>> map,
    ActorRef<Command<NodeEvent>> nodes,
    Optional<ActorRef<Command<BindingsEvent>>> bindings,
    Optional<ActorRef<Command<SharedLockEvent>>> lock,
    Reporter reporter) {
  /** The actor of the pause; {@link #connect} follows. */
  Behavior<Command<PauseCore.Event>> behavior() {
    return PauseActor.create(
        ports.entropy().monotonic(), this::shown, this::lead, ports.events()::record);
  }

  /** The actor receives the leader's Lease from now on. Without an election it leads. */
  void connect(ActorRef<Command<PauseCore.Event>> actor) {
    ports.pauses().accept(read -> actor.tell(new Event<>(read)));
    if (ports.election().isEmpty()) {
      actor.tell(new Event<>(new PauseCore.Event.Lead()));
    }
  }

  /**
   * This replica begins to lead, and all were sent the pause. Without an election all but the lock
   * lead from the start.
   */
  private void lead() {
    if (ports.election().isPresent()) {
      nodes.tell(new Event<>(new NodeEvent.Lead()));
      bindings.ifPresent(actor -> actor.tell(new Event<>(new BindingsEvent.Lead())));
      map.tell(new Event<>(new ServiceMapEvent.Lead()));
    }
    lock.ifPresent(actor -> actor.tell(new Event<>(new SharedLockEvent.Lead())));
  }

  private void shown(PauseView view) {
    boolean paused = view.pause().isPresent();
    boolean drains = view.pause().filter(Pause::drains).isPresent();
    map.tell(new ServiceMapActor.Paused(view.pause()));
    nodes.tell(new Event<>(new NodeEvent.Paused(drains)));
    bindings.ifPresent(actor -> actor.tell(new Event<>(new BindingsEvent.Paused(paused))));
    reporter.paused(view);
  }
}
