package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an actor's mirror of one kind of object equal to the API server.
 *
 * <p>The informer's events put only the <em>key</em> of what changed into a stream, which gathers
 * keys in a set while the actor is busy. When the actor has acknowledged its last message, one
 * message follows with the views of all gathered keys, read from the informer's store at that
 * moment: levels, not deltas. So a burst costs one message per acknowledgement and at most one
 * entry per object, and at most one message is in the actor's mailbox.
 *
 * <p>Nothing is lost: the store is changed before its event is told, and every key that entered the
 * stream is read after that. A listing anew (after 410 or an outage) tells an event for each object
 * that differs from the store, also for what is gone. An update whose view equals the one before (a
 * heartbeat) is not told.
 *
 * <p>Threads: the informer's event thread waits when {@value #MAX_OFFERS} keys are on their way
 * into the stream, until the stream takes one. It never waits for the actor, as the stream always
 * takes keys. The API server is tried for ever, with the client's own back-off.
 */
public final class ConflatingWatch<T extends HasMetadata, K, V> implements AutoCloseable {
  static final int MAX_OFFERS = 1024;

  /** How long an actor may take over one message; after that the watch ends as failed. */
  static final Duration ACK_TIMEOUT = Duration.ofMinutes(5);

  private static final Logger log = LoggerFactory.getLogger(ConflatingWatch.class);

  private sealed interface Signal {
    record Changed(String key) implements Signal {}

    record Listed() implements Signal {}
  }

  private final WatchedKind<T, K, V> kind;
  private final WatchClient api;
  private final SharedIndexInformer<T> informer;
  private final SourceQueueWithComplete<Signal> queue;
  private final CompletionStage<Done> completion;
  private final Semaphore offers = new Semaphore(MAX_OFFERS);
  private final LongAdder taken = new LongAdder();
  private final AtomicBoolean listed = new AtomicBoolean();
  private final AtomicBoolean synced = new AtomicBoolean();
  private final AtomicReference<Optional<String>> lastError =
      new AtomicReference<>(Optional.empty());

  private <M, A> ConflatingWatch(
      ActorSystem<?> system,
      WatchClient api,
      WatchedKind<T, K, V> kind,
      Receiver<K, V, M, A> receiver) {
    this.kind = kind;
    this.api = api;
    informer = kind.informer().apply(api.client());
    Pair<SourceQueueWithComplete<Signal>, CompletionStage<Done>> stream =
        Source.<Signal>queue(MAX_OFFERS, OverflowStrategy.backpressure(), MAX_OFFERS)
            .conflateWithSeed(Batch::new, Batch::and)
            .mapConcat(Batch::parts)
            .watch(Adapter.toClassic(receiver.actor()))
            // One at a time: the next part is pulled, and read, after the acknowledgement.
            .mapAsync(1, part -> deliver(part, system, receiver))
            .toMat(Sink.ignore(), Keep.both())
            .run(system);
    queue = stream.first();
    completion = stream.second();
  }

  /** Starts watching and returns at once, whether or not the API server answers. */
  public static <T extends HasMetadata, K, V, M, A> ConflatingWatch<T, K, V> start(
      ActorSystem<?> system,
      WatchClient api,
      WatchedKind<T, K, V> kind,
      Receiver<K, V, M, A> receiver) {
    ConflatingWatch<T, K, V> watch = new ConflatingWatch<>(system, api, kind, receiver);
    watch.run();
    return watch;
  }

  private void run() {
    completion.whenComplete((done, failure) -> informer.stop());
    informer
        .itemStore(new SlimStore())
        .exceptionHandler((started, failure) -> failed(failure))
        .addEventHandler(new Handler())
        .start();
  }

  /** The condition now. */
  public WatchHealth health() {
    boolean connected = api.isOpen(kind.name()) || informer.isWatching();
    Optional<String> error = lastError.get().or(() -> api.error(kind.name()));
    return new WatchHealth(kind.name(), connected, synced.get(), error);
  }

  /** Ends when the watch was closed; fails if the actor stopped or left a message unanswered. */
  public CompletionStage<Done> completion() {
    return completion;
  }

  /** Stops the informer first, so that the stream may end with what it has gathered. */
  @Override
  public void close() {
    informer.stop();
    queue.complete();
  }

  /** A stream asks, which is no actor: the answer is what lets the next message go out. */
  private <M, A> CompletionStage<A> deliver(
      Part part, ActorSystem<?> system, Receiver<K, V, M, A> receiver) {
    return switch (part) {
      case Part.Changes changes ->
          AskPattern.<M, A>ask(
              receiver.actor(),
              ackTo -> receiver.changes().apply(read(changes.keys()), ackTo),
              ACK_TIMEOUT,
              system.scheduler());
      case Part.Synced last ->
          AskPattern.<M, A>ask(
                  receiver.actor(),
                  ackTo -> receiver.synced().apply(ackTo),
                  ACK_TIMEOUT,
                  system.scheduler())
              .whenComplete((ack, failure) -> synced.set(failure == null));
    };
  }

  private Map<K, Optional<V>> read(Set<String> keys) {
    Map<K, Optional<V>> views = HashMap.newHashMap(keys.size());
    for (String key : keys) {
      int slash = key.indexOf('/');
      String namespace = slash < 0 ? "" : key.substring(0, slash);
      Optional<T> object = Optional.ofNullable(informer.getStore().getByKey(key));
      try {
        views.put(
            kind.key().apply(namespace, key.substring(slash + 1)), object.flatMap(kind.view()));
      } catch (RuntimeException unreadable) {
        // The actor keeps what it knew: one bad object must not end the watch.
        log.warn("watch={} object={} unreadable=\"{}\"", kind.name(), key, Causes.text(unreadable));
      }
    }
    return Map.copyOf(views);
  }

  private void offer(Signal signal) {
    offers.acquireUninterruptibly();
    queue.offer(signal).whenComplete((result, failure) -> taken());
  }

  private void taken() {
    taken.increment();
    offers.release();
  }

  /** How many events have been put into the stream. */
  long eventsTaken() {
    return taken.sum();
  }

  private boolean failed(Throwable failure) {
    Optional<String> error = Optional.of(Causes.text(failure));
    if (!lastError.getAndSet(error).equals(error)) {
      log.warn("watch={} state=failing error=\"{}\"", kind.name(), error.get());
    }
    return true;
  }

  private void listed() {
    boolean first = listed.compareAndSet(false, true);
    if (lastError.getAndSet(Optional.empty()).isPresent() || first) {
      log.info(
          "watch={} state=listed objects={}", kind.name(), informer.getStore().listKeys().size());
    }
    if (first) {
      offer(new Signal.Listed());
    }
  }

  private boolean sameView(T before, T after) {
    try {
      return kind.view().apply(before).equals(kind.view().apply(after));
    } catch (RuntimeException unreadable) {
      return false;
    }
  }

  /** Keeps of each object what its view needs. */
  private final class SlimStore extends BasicItemStore<T> {
    SlimStore() {
      super(Cache::metaNamespaceKeyFunc);
    }

    @Override
    public T put(String key, T object) {
      return super.put(key, kind.slim().apply(object));
    }
  }

  private final class Handler implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      changed(object);
    }

    @Override
    public void onUpdate(T before, T after) {
      if (!sameView(before, after)) {
        changed(after);
      }
    }

    @Override
    public void onDelete(T object, boolean unknownFinalState) {
      changed(object);
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      listed();
    }

    private void changed(T object) {
      offer(new Signal.Changed(Cache.metaNamespaceKeyFunc(object)));
    }
  }

  /** What goes to the actor as one message. */
  private sealed interface Part {
    record Changes(Set<String> keys) implements Part {}

    record Synced() implements Part {}
  }

  /** The signals that came while the actor was busy; bounded by the number of objects. */
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
