package io.poolkeeper.watch;

import io.poolkeeper.actor.CoreActor;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The actor that follows a kind of objects. It acknowledges each delivery before it gets the next.
 *
 * @param event converts a delivery to an event of the actor's core
 */
public record Receiver<K, V, E>(
    ActorRef<CoreActor.Command<E>> actor, Function<Delivery<K, V>, E> event) {
  /** The message that carries a delivery. */
  public CoreActor.Command<E> message(Delivery<K, V> delivery, ActorRef<CoreActor.Ack> ackTo) {
    return new CoreActor.Acknowledged<>(event.apply(delivery), ackTo);
  }
}
