package io.poolkeeper.watch;

import io.poolkeeper.actor.CoreActor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.apache.pekko.stream.typed.javadsl.ActorFlow;

/**
 * Delivers changed objects to an actor as levels: their keys collect in a set while the actor is
 * busy. When it has acknowledged its last message, the next message carries the views of all
 * collected keys, read at that moment. So a burst costs one message per acknowledgement and at most
 * one entry per object, and at most one message is in the actor's mailbox.
 *
 * <p>No change is lost: every key that entered the stream is read after that.
 */
public final class KeyStream<K, V> {
  /** The most keys on their way into the stream; the source waits beyond that. */
  public static final int MAX_OFFERS = 1024;

  /** How long an actor may take for one message; then the stream fails. */
  static final Duration ACK_TIMEOUT = Duration.ofMinutes(5);

  private final SourceQueueWithComplete<Consumer<Batch>> queue;
  private final CompletionStage<Done> completion;
  private volatile int delivered;

  /**
   * Starts a stream that runs until it is completed or its actor stops. {@code read} returns the
   * current views of keys; it is called on a thread of the stream.
   */
  public <E> KeyStream(
      Materializer materializer,
      Receiver<K, V, E> receiver,
      Function<Set<String>, Map<K, Optional<V>>> read) {
    Pair<SourceQueueWithComplete<Consumer<Batch>>, CompletionStage<Done>> stream =
        Source.<Consumer<Batch>>queue(MAX_OFFERS, OverflowStrategy.backpressure(), MAX_OFFERS + 1)
            .conflateWithSeed(Batch::new, Batch::with)
            .mapConcat(batch -> batch.deliveries(read))
            // One at a time: the next is pulled, and read, after the acknowledgement.
            .map(Supplier::get)
            .map(delivery -> Pair.create(delivery, delivery))
            .via(
                ActorFlow
                    .<Delivery<K, V>, CoreActor.Command<E>, CoreActor.Ack, Delivery<K, V>>
                        askWithContext(1, receiver.actor(), ACK_TIMEOUT, receiver::message))
            .map(Pair::second)
            .map(this::acknowledged)
            .toMat(Sink.ignore(), Keep.both())
            .run(materializer);
    queue = stream.first();
    completion = stream.second();
  }

  /**
   * Offers a key; completes when the stream has accepted it. At most {@link #MAX_OFFERS} at once.
   */
  public CompletionStage<?> changed(String key) {
    return queue.offer(batch -> batch.keys.add(key));
  }

  /** Signals that what was delivered may be old, until the next list. One at once, beside keys. */
  public CompletionStage<?> lost() {
    return queue.offer(Batch::lose);
  }

  /** Offers all keys of a list and those that are gone; lists are numbered from 1. */
  public CompletionStage<?> listed(Set<String> keys, int number) {
    return queue.offer(batch -> batch.list(keys, number));
  }

  /** The number of the last list of which the actor has received everything; 0 if none. */
  public int delivered() {
    return delivered;
  }

  /**
   * Completes when the stream was completed; fails if the actor stopped or did not acknowledge in
   * time.
   */
  public CompletionStage<Done> completion() {
    return completion;
  }

  /** Completes the stream after the keys it has collected. */
  public void complete() {
    queue.complete();
  }

  public void fail(Throwable failure) {
    queue.fail(failure);
  }

  private Delivery<K, V> acknowledged(Delivery<K, V> delivery) {
    if (delivery instanceof Delivery.Synced<K, V> synced) {
      delivered = synced.list();
    }
    return delivery;
  }

  /**
   * What was received while the actor was busy; bounded by the number of objects. A loss goes
   * first, and takes back the end of a list that was not delivered yet.
   */
  private static final class Batch {
    private final Set<String> keys = new LinkedHashSet<>();
    private boolean lost;

    /** The number of the list that ends with these keys. */
    private Optional<Integer> endOfList = Optional.empty();

    Batch(Consumer<Batch> change) {
      change.accept(this);
    }

    Batch with(Consumer<Batch> change) {
      change.accept(this);
      return this;
    }

    void lose() {
      lost = true;
      endOfList = Optional.empty();
    }

    void list(Set<String> listed, int number) {
      keys.addAll(listed);
      endOfList = Optional.of(number);
    }

    <K, V> List<Supplier<Delivery<K, V>>> deliveries(
        Function<Set<String>, Map<K, Optional<V>>> read) {
      List<Supplier<Delivery<K, V>>> deliveries = new ArrayList<>();
      if (lost) {
        deliveries.add(Delivery.Lost::new);
      }
      if (!keys.isEmpty()) {
        deliveries.add(() -> new Delivery.Changes<>(read.apply(keys)));
      }
      endOfList.ifPresent(list -> deliveries.add(() -> new Delivery.Synced<>(list)));
      return deliveries;
    }
  }
}
