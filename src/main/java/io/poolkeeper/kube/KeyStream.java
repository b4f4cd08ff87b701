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
import org.apache.pekko.actor.typed.Scheduler;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;

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
  private final Scheduler scheduler;
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
    this.scheduler = Adapter.toTyped(materializer.system()).scheduler();
    Pair<SourceQueueWithComplete<Signal>, CompletionStage<Done>> stream =
        Source.<Signal>queue(MAX_OFFERS, OverflowStrategy.backpressure(), MAX_OFFERS)
            .conflateWithSeed(Batch::new, Batch::and)
            .mapConcat(Batch::parts)
            .watch(Adapter.toClassic(receiver.actor()))
            // One at a time: the next part is pulled, and read, after the acknowledgement.
            .mapAsync(1, part -> deliver(part, receiver))
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

  /** The ask is in a stream, not in an actor: the answer is the stream's backpressure. */
  private <M, A> CompletionStage<A> deliver(Part part, Receiver<K, V, M, A> receiver) {
    return switch (part) {
      case Part.Changes changes ->
          AskPattern.<M, A>ask(
              receiver.actor(),
              ackTo -> receiver.changes().apply(read.apply(changes.keys()), ackTo),
              ACK_TIMEOUT,
              scheduler);
      case Part.Synced last ->
          AskPattern.<M, A>ask(
                  receiver.actor(), ackTo -> receiver.synced().apply(ackTo), ACK_TIMEOUT, scheduler)
              .whenComplete((ack, failure) -> synced = failure == null);
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
