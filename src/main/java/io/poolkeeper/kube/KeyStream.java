package io.poolkeeper.kube;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
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

  private sealed interface Signal {
    record Changed(String key) implements Signal {}

    record Listed() implements Signal {}
  }

  private final Function<Set<String>, Map<K, Optional<V>>> read;
  private final SourceQueueWithComplete<Signal> queue;
  private final CompletionStage<Done> completion;
  private volatile boolean synced;

  /**
   * Starts a stream that runs until it is completed or its actor stops. {@code read} returns the
   * current views of keys; it is called on a thread of the stream.
   */
  public <M, A> KeyStream(
      Materializer materializer,
      Receiver<K, V, M, A> receiver,
      Function<Set<String>, Map<K, Optional<V>>> read) {
    this.read = read;
    Pair<SourceQueueWithComplete<Signal>, CompletionStage<Done>> stream =
        Source.<Signal>queue(MAX_OFFERS, OverflowStrategy.backpressure(), MAX_OFFERS)
            .conflateWithSeed(Batch::new, Batch::and)
            .mapConcat(Batch::parts)
            .map(part -> Pair.create(part, part))
            // One at a time: the next part is pulled, and read, after the acknowledgement.
            .via(
                ActorFlow.<Part, M, A, Part>askWithContext(
                    1,
                    receiver.actor(),
                    ACK_TIMEOUT,
                    (part, ackTo) -> message(part, receiver, ackTo)))
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
    return queue.offer(new Signal.Changed(key));
  }

  /** Signals that all objects of the first list were offered. */
  public CompletionStage<?> listed() {
    return queue.offer(new Signal.Listed());
  }

  /** Whether the actor has received all objects of the first list. */
  public boolean synced() {
    return synced;
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

  private Part acknowledged(Part part) {
    synced |= part instanceof Part.Synced;
    return part;
  }

  private <M, A> M message(Part part, Receiver<K, V, M, A> receiver, ActorRef<A> ackTo) {
    return switch (part) {
      case Part.Changes changes -> receiver.changes().apply(read.apply(changes.keys()), ackTo);
      case Part.Synced last -> receiver.synced().apply(ackTo);
    };
  }

  /** One message to the actor. */
  private sealed interface Part {
    record Changes(Set<String> keys) implements Part {}

    record Synced() implements Part {}
  }

  /** The signals received while the actor was busy; bounded by the number of objects. */
  private static final class Batch {
    private final Set<String> keys = new LinkedHashSet<>();
    private boolean listed;

    Batch(Signal first) {
      and(first);
    }

    Batch and(Signal next) {
      switch (next) {
        case Signal.Changed changed -> keys.add(changed.key());
        case Signal.Listed end -> listed = true;
      }
      return this;
    }

    List<Part> parts() {
      if (!listed) {
        return List.of(new Part.Changes(keys));
      }
      return keys.isEmpty()
          ? List.of(new Part.Synced())
          : List.of(new Part.Changes(keys), new Part.Synced());
    }
  }
}
