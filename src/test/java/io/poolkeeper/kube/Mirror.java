package io.poolkeeper.kube;

import io.poolkeeper.watch.Receiver;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.Done;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor that keeps the objects of a watch and acknowledges at once. */
final class Mirror<K, V> {
  sealed interface Message<K, V> {
    ActorRef<Done> ackTo();
  }

  record Changes<K, V>(Map<K, Optional<V>> views, ActorRef<Done> ackTo) implements Message<K, V> {}

  record Lost<K, V>(ActorRef<Done> ackTo) implements Message<K, V> {}

  record Synced<K, V>(ActorRef<Done> ackTo) implements Message<K, V> {}

  private final Map<K, V> content = new ConcurrentHashMap<>();
  private final AtomicInteger synced = new AtomicInteger();
  private final AtomicBoolean lost = new AtomicBoolean();
  private final ActorRef<Message<K, V>> actor;

  Mirror(ActorTestKit kit) {
    actor = kit.spawn(behavior());
  }

  static <K, V> Receiver<K, V, Message<K, V>, Done> receiver(ActorRef<Message<K, V>> actor) {
    return new Receiver<>(actor, Changes::new, Lost::new, Synced::new);
  }

  Receiver<K, V, Message<K, V>, Done> receiver() {
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

  private Behavior<Message<K, V>> behavior() {
    return Behaviors.receiveMessage(
        message -> {
          switch (message) {
            case Changes<K, V> changes -> changes.views().forEach(this::set);
            case Lost<K, V> loss -> lost.set(true);
            case Synced<K, V> end -> {
              lost.set(false);
              synced.incrementAndGet();
            }
          }
          message.ackTo().tell(Done.getInstance());
          return Behaviors.same();
        });
  }

  private void set(K key, Optional<V> view) {
    content.compute(key, (same, before) -> view.orElse(null));
  }
}
