package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.stream.Materializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an actor's copy of one kind of object equal to the API server: the events of an informer
 * feed a {@link KeyStream}, which reads the informer's store.
 *
 * <p>No change is lost: the store is changed before its event is delivered. A relist (after 410 or
 * an outage) delivers an event for each object that differs from the store, deleted ones included.
 * An update that leaves the view equal (a heartbeat) is skipped.
 *
 * <p>Threads: the informer's event thread blocks while {@value KeyStream#MAX_OFFERS} keys are on
 * their way into the stream. It never waits for the actor, as the stream always accepts keys. A
 * lost API server is retried without limit, with the client's own backoff.
 */
public final class ConflatingWatch<T extends HasMetadata, K, V> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConflatingWatch.class);

  private final WatchedKind<T, K, V> kind;
  private final WatchClient api;
  private final SharedIndexInformer<T> informer;
  private final KeyStream<K, V> stream;
  private final Semaphore offers = new Semaphore(KeyStream.MAX_OFFERS);
  private final LongAdder taken = new LongAdder();
  private final AtomicBoolean listed = new AtomicBoolean();
  private final AtomicReference<Optional<String>> lastError =
      new AtomicReference<>(Optional.empty());

  private <M, A> ConflatingWatch(
      Materializer materializer,
      WatchClient api,
      WatchedKind<T, K, V> kind,
      Receiver<K, V, M, A> receiver) {
    this.kind = kind;
    this.api = api;
    informer = kind.informer().apply(api.client());
    stream = new KeyStream<>(materializer, receiver, this::read);
  }

  /** Starts watching. Returns at once, even if the API server does not answer. */
  public static <T extends HasMetadata, K, V, M, A> ConflatingWatch<T, K, V> start(
      Materializer materializer,
      WatchClient api,
      WatchedKind<T, K, V> kind,
      Receiver<K, V, M, A> receiver) {
    ConflatingWatch<T, K, V> watch = new ConflatingWatch<>(materializer, api, kind, receiver);
    watch.run();
    return watch;
  }

  private void run() {
    stream.completion().whenComplete((done, failure) -> informer.stop());
    informer
        .itemStore(new SlimStore())
        .exceptionHandler((started, failure) -> failed(failure))
        .addEventHandler(new Handler())
        .start();
  }

  /** The health now. */
  public WatchHealth health() {
    boolean connected = api.isOpen(kind.name()) || informer.isWatching();
    Optional<String> error = lastError.get().or(() -> api.error(kind.name()));
    return new WatchHealth(kind.name(), connected, stream.synced(), error);
  }

  /**
   * Completes when the watch was closed; fails if the actor stopped or did not acknowledge in time.
   */
  public CompletionStage<Done> completion() {
    return stream.completion();
  }

  /** Stops the informer first, so that the stream still delivers the keys it has collected. */
  @Override
  public void close() {
    informer.stop();
    stream.complete();
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
        // The actor keeps the last view: one bad object must not end the watch.
        log.warn("watch={} object={} unreadable=\"{}\"", kind.name(), key, Causes.text(unreadable));
      }
    }
    return Map.copyOf(views);
  }

  private void offer(Supplier<CompletionStage<?>> offer) {
    offers.acquireUninterruptibly();
    offer.get().whenComplete((result, failure) -> taken());
  }

  private void taken() {
    taken.increment();
    offers.release();
  }

  /** The number of events that the stream has accepted. */
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
      offer(stream::listed);
    }
  }

  private boolean sameView(T before, T after) {
    try {
      return kind.view().apply(before).equals(kind.view().apply(after));
    } catch (RuntimeException unreadable) {
      return false;
    }
  }

  /** Keeps only the parts of an object that its view needs. */
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
      offer(() -> stream.changed(Cache.metaNamespaceKeyFunc(object)));
    }
  }
}
