package io.poolkeeper.simulation;

import io.poolkeeper.kube.KeyStream;
import io.poolkeeper.kube.Receiver;
import io.poolkeeper.simulation.SimCluster.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.Materializer;

/**
 * The watch of one kind of object: events arrive in their order and a little late, change the store
 * of the process, and then go into the program's own stream.
 */
final class SimWatch<K, V> {
  private static final Duration SOON = Duration.ofMillis(1);
  private static final Duration LATE = Duration.ofMillis(200);

  private final SimProcess process;
  private final Kind kind;
  private final SimCluster cluster;
  private final SimCluster store;
  private final KeyStream<K, V> stream;
  private final BiConsumer<Kind, String> watcher = this::changed;
  private final Queue<Runnable> arriving = new ArrayDeque<>();
  private Instant lastArrival = World.START;
  private int offered;
  private boolean synced;
  private boolean lost;
  private boolean closed;

  /**
   * Lists what exists, and watches.
   *
   * @param store what the process knows of the cluster
   * @param key of the model, from a name
   * @param view of an object of the store, from its name
   */
  <M, A> SimWatch(
      SimProcess process,
      Kind kind,
      SimCluster store,
      Materializer materializer,
      Receiver<K, V, M, A> receiver,
      Function<String, K> key,
      Function<String, Optional<V>> view) {
    this.process = process;
    this.kind = kind;
    this.cluster = process.cluster();
    this.store = store;
    Receiver<K, V, M, A> noted =
        new Receiver<>(receiver.actor(), receiver.changes(), ackTo -> synced(receiver, ackTo));
    this.stream = new KeyStream<>(materializer, noted, names -> views(names, key, view));
    cluster.watch(watcher);
    list();
    later(() -> offer(stream::listed));
  }

  private static <K, V> Map<K, Optional<V>> views(
      Set<String> names, Function<String, K> key, Function<String, Optional<V>> view) {
    Map<K, Optional<V>> views = new HashMap<>();
    names.forEach(name -> views.put(key.apply(name), view.apply(name)));
    return views;
  }

  private <M, A> M synced(Receiver<K, V, M, A> receiver, ActorRef<A> ackTo) {
    synced = true;
    return receiver.synced().apply(ackTo);
  }

  /** Whether the process was given all that existed at the start. */
  boolean synced() {
    return synced;
  }

  CompletionStage<?> completion() {
    return stream.completion();
  }

  void close() {
    closed = true;
    cluster.unwatch(watcher);
    stream.complete();
  }

  /** Nothing comes for a while, and then a list of everything. */
  void lose(Duration length) {
    if (!lost && !closed) {
      lost = true;
      process.trace().say("watch of %s is lost for %s".formatted(kind, length));
      process
          .world()
          .after(
              length,
              () -> {
                lost = false;
                list();
              });
    }
  }

  private void list() {
    Set<String> names = new TreeSet<>(store.names(kind));
    names.addAll(cluster.names(kind));
    names.forEach(name -> changed(kind, name));
  }

  private void changed(Kind changed, String name) {
    if (changed == kind && !lost && !closed) {
      Runnable copy = cluster.copy(kind, name, store);
      later(
          () -> {
            if (!lost) {
              copy.run();
              offer(() -> stream.changed(name));
            }
          });
    }
  }

  /** In the order of the events, also if the process stands still when some of them are due. */
  private void later(Runnable what) {
    arriving.add(what);
    Instant at = process.world().now().plus(process.chance().between(SOON, LATE));
    lastArrival = at.isAfter(lastArrival) ? at : lastArrival;
    process.world().at(lastArrival, process.guarded(() -> arriving.remove().run()));
  }

  /** A task that is put back while too many offers are pending: nothing may block here. */
  private void offer(Supplier<CompletionStage<?>> offer) {
    if (closed) {
      return;
    }
    if (offered >= KeyStream.MAX_OFFERS) {
      process.world().after(SOON, process.guarded(() -> offer(offer)));
      return;
    }
    offered++;
    // Scala's own stage would run this on another thread.
    CompletionStage<?> taken = CompletableFuture.allOf(offer.get().toCompletableFuture());
    taken.whenComplete((done, failure) -> offered--);
  }
}
