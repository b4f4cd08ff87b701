package io.poolkeeper.kube;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.watch.Delivery;
import io.poolkeeper.watch.Receiver;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor that keeps the objects of a watch and acknowledges at once. */
final class Mirror<K, V> {
  private final Map<K, V> content = new ConcurrentHashMap<>();
  private final AtomicInteger synced = new AtomicInteger();
  private final AtomicBoolean lost = new AtomicBoolean();
  private final ActorRef<CoreActor.Command<Delivery<K, V>>> actor;

  Mirror(ActorTestKit kit) {
    actor = kit.spawn(behavior());
  }

  static <K, V> Receiver<K, V, Delivery<K, V>> receiver(
      ActorRef<CoreActor.Command<Delivery<K, V>>> actor) {
    return new Receiver<>(actor, Function.identity());
  }

  Receiver<K, V, Delivery<K, V>> receiver() {
    return receiver(actor);
  }

  Map<K, V> content() {
    return Map.copyOf(content);
  }

  boolean lost() {
    return lost.get();
  }

  int timesSynced() {
    return synced.get();
  }

  private Behavior<CoreActor.Command<Delivery<K, V>>> behavior() {
    return Behaviors.receiveMessage(
        message -> {
          var acknowledged = (CoreActor.Acknowledged<Delivery<K, V>>) message;
          switch (acknowledged.event()) {
            case Delivery.Changes<K, V> changes -> changes.views().forEach(this::set);
            case Delivery.Lost<K, V> loss -> lost.set(true);
            case Delivery.Synced<K, V> end -> {
              lost.set(false);
              synced.incrementAndGet();
            }
          }
          acknowledged.replyTo().tell(CoreActor.Ack.INSTANCE);
          return Behaviors.same();
        });
  }

  private void set(K key, Optional<V> view) {
    content.compute(key, (same, before) -> view.orElse(null));
  }
}
