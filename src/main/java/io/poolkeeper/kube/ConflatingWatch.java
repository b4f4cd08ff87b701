package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.poolkeeper.core.Decision;
import io.poolkeeper.watch.KeyStream;
import io.poolkeeper.watch.Receiver;
import io.poolkeeper.watch.WatchLiveness;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an actor's copy of one kind of object equal to the API server: the events of an informer
 * feed a {@link KeyStream}, which reads the views in the informer's store.
 *
 * <p>No change is lost: the store is changed before its event is delivered. A relist (after 410 or
 * an outage) delivers an event for each object that differs from the store, deleted ones included.
 * An update of a Node or a Service that leaves the view equal (a heartbeat) is skipped.
 *
 * <p>A lost watch ({@link WatchLiveness}) gets another informer, as no informer can be asked to
 * list. The first list of the new one is delivered whole, and what the actor holds beside the list
 * is delivered as gone. Until then the former store is read.
 *
 * <p>Threads: the informer's event thread blocks while {@value KeyStream#MAX_OFFERS} keys are on
 * their way into the stream. It never waits for the actor, as the stream always accepts keys. A
 * lost API server is retried without limit, with the client's own backoff.
 */
public final class ConflatingWatch<T extends HasMetadata, K, V> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConflatingWatch.class);

  /** The core draws nothing. */
  private static final RandomGenerator NO_CHANCE = () -> 0;

  private final WatchedKind<T, K, V> kind;
  private final WatchClient api;
  private final WatchLiveness liveness;
  private final InstantSource clock;
  private final KeyStream<K, V> stream;
  private final Semaphore freeOffers = new Semaphore(KeyStream.MAX_OFFERS);
  private final LongAdder acceptedOffers = new LongAdder();
  private final AtomicReference<Optional<String>> lastError =
      new AtomicReference<>(Optional.empty());

  /** Keys of the objects that the actor has; changed by {@link #read} only. */
  private final Set<String> actorKeys = ConcurrentHashMap.newKeySet();

  private final Cancellable checks;

  /** Changed by the checks only. */
  private volatile WatchLiveness.State state = WatchLiveness.initial();

  private volatile InformerRun newestRun;

  /** The last run that has listed, whose store is read. */
  private volatile InformerRun listedRun;

  /** Starts watching. Returns at once, even if the API server does not answer. */
  public ConflatingWatch(
      Materializer materializer,
      WatchClient api,
      WatchedKind<T, K, V> kind,
      Receiver<K, V, ?> receiver) {
    this.kind = kind;
    this.api = api;
    this.liveness = new WatchLiveness(api.limits());
    this.clock = api.clock();
    stream = new KeyStream<>(materializer, receiver, this::read);
    newestRun = new InformerRun(1);
    listedRun = newestRun;
    Pair<Cancellable, CompletionStage<Done>> ticks =
        Source.tick(api.limits().check(), api.limits().check(), NotUsed.getInstance())
            .toMat(Sink.foreach(tick -> check()), Keep.both())
            .run(materializer);
    checks = ticks.first();
    ticks
        .second()
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                stream.fail(failure);
              }
            });
    stream.completion().whenComplete((done, failure) -> end());
    newestRun.start();
  }

  private void end() {
    checks.cancel();
    newestRun.informer.stop();
  }

  public WatchHealth health() {
    Optional<String> error = lastError.get().or(() -> api.error(kind.name()));
    return new WatchHealth(kind.name(), connected(), stream.delivered() > 0, state.lost(), error);
  }

  private boolean connected() {
    return newestRun.isAbsent()
        || api.isOpen(kind.name(), 1)
        || WatchClient.isOpen(newestRun.informer);
  }

  private void check() {
    WatchLiveness.State before = state;
    WatchLiveness.Seen seen = new WatchLiveness.Seen(stream.delivered(), connected());
    Decision<WatchLiveness.State, WatchLiveness.Effect> decision =
        liveness.decide(before, seen, clock.instant(), NO_CHANCE);
    state = decision.state();
    decision.effects().forEach(this::run);
    if (before.lost() && !state.lost()) {
      log.info("watch={} state=live objects={}", kind.name(), actorKeys.size());
    }
  }

  private void run(WatchLiveness.Effect effect) {
    switch (effect) {
      case MISS -> {
        log.warn("watch={} state=lost why=\"it was not connected yet\"", kind.name());
        stream.lost();
      }
      case LOSE -> {
        log.warn("watch={} state=lost", kind.name());
        // The loss is not offered like keys: a thread of the streams must not wait for room.
        stream.lost();
        InformerRun next = new InformerRun(newestRun.number + 1);
        newestRun.informer.stop();
        newestRun = next;
        next.start();
      }
    }
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
    end();
    stream.complete();
  }

  private Map<K, Optional<V>> read(Set<String> keys) {
    Map<K, Optional<V>> views = HashMap.newHashMap(keys.size());
    for (String key : keys) {
      int slash = key.indexOf('/');
      String namespace = slash < 0 ? "" : key.substring(0, slash);
      // Before the store is read: a list that arrives meanwhile delivers what is gone of these.
      actorKeys.add(key);
      Optional<Conversion<V>> stored = Optional.ofNullable(listedRun.store.conversions.get(key));
      // The actor keeps the last view: one bad object must not end the watch.
      if (stored.isEmpty() || stored.get().readable()) {
        K viewKey = kind.key().apply(namespace, key.substring(slash + 1));
        views.put(viewKey, stored.flatMap(Conversion::view));
      }
      if (stored.isEmpty()) {
        actorKeys.remove(key);
      }
    }
    return Map.copyOf(views);
  }

  private void offer(Supplier<CompletionStage<?>> offer) {
    freeOffers.acquireUninterruptibly();
    offer
        .get()
        .whenComplete(
            (result, failure) -> {
              acceptedOffers.increment();
              freeOffers.release();
            });
  }

  /** The number of events and lists that the stream has accepted. */
  long acceptedOffers() {
    return acceptedOffers.sum();
  }

  /** The informer tries again, so that a kind that is installed later is found. */
  private boolean failed(InformerRun run, Throwable failure) {
    if (kind.optional() && Causes.isNotFound(failure)) {
      run.absent();
      return true;
    }
    Optional<String> error = Optional.of(Causes.text(failure, api.client()));
    if (!lastError.getAndSet(error).equals(error)) {
      log.warn("watch={} state=failing error=\"{}\"", kind.name(), error.get());
    }
    return true;
  }

  private Conversion<V> convert(T object) {
    try {
      return new Conversion<>(kind.view().apply(object), true);
    } catch (RuntimeException unreadable) {
      String key = Cache.metaNamespaceKeyFunc(object);
      log.warn("watch={} object={} unreadable=\"{}\"", kind.name(), key, Causes.text(unreadable));
      return new Conversion<>(Optional.empty(), false);
    }
  }

  /** The view of an object, and whether the object could be read. */
  private record Conversion<V>(Optional<V> view, boolean readable) {}

  /** Keeps the views of objects, and of the objects only the parts that an informer asks for. */
  private final class ViewStore extends BasicItemStore<T> {
    private final Map<String, Conversion<V>> conversions = new ConcurrentHashMap<>();

    /** The keys whose object has another view than the one that was delivered. */
    private final Set<String> undelivered = ConcurrentHashMap.newKeySet();

    ViewStore() {
      super(Cache::metaNamespaceKeyFunc);
    }

    @Override
    public T put(String key, T object) {
      Conversion<V> next = convert(object);
      Conversion<V> before = conversions.put(key, next);
      if (kind.everyUpdate() || !next.readable() || !next.equals(before)) {
        undelivered.add(key);
      }
      ObjectMeta meta = object.getMetadata();
      T bare = kind.empty().get();
      bare.setMetadata(
          new ObjectMetaBuilder()
              .withNamespace(meta.getNamespace())
              .withName(meta.getName())
              .withUid(meta.getUid())
              .withResourceVersion(meta.getResourceVersion())
              .build());
      return super.put(key, bare);
    }

    @Override
    public T remove(String key) {
      conversions.remove(key);
      undelivered.remove(key);
      return super.remove(key);
    }
  }

  /** One informer: its first list, and its watch after that. */
  private final class InformerRun implements ResourceEventHandler<T> {
    private final int number;
    private final ViewStore store = new ViewStore();
    private final SharedIndexInformer<T> informer;
    private volatile boolean complete;
    private volatile boolean absent;

    InformerRun(int number) {
      this.number = number;
      this.informer =
          kind.informer()
              .apply(api.client())
              .itemStore(store)
              .exceptionHandler((started, failure) -> failed(this, failure))
              .addEventHandler(this);
    }

    /**
     * Every list must be the newest there is. An informer with an initial state, even an empty one,
     * asks for that; else it may get its first list from an API server's cache, which may lag.
     */
    void start() {
      informer.initialState(Stream.empty()).start();
    }

    /** Whether the API server does not know the kind. */
    boolean isAbsent() {
      return absent && !complete;
    }

    /** The API server does not know the kind: the actor is sent that there is no object. */
    private void absent() {
      if (absent || complete || newestRun != this) {
        return;
      }
      absent = true;
      lastError.set(Optional.empty());
      log.info("watch={} state=absent", kind.name());
      listedRun = this;
      offer(() -> stream.listed(Set.copyOf(actorKeys), number));
    }

    @Override
    public void onAdd(T object) {
      store.undelivered.remove(Cache.metaNamespaceKeyFunc(object));
      changed(object);
    }

    /** An event comes after its object is in the store, so that no other view is missed. */
    @Override
    public void onUpdate(T before, T after) {
      if (store.undelivered.remove(Cache.metaNamespaceKeyFunc(after))) {
        changed(after);
      }
    }

    @Override
    public void onDelete(T object, boolean unknownFinalState) {
      changed(object);
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      boolean first = !complete;
      if (lastError.getAndSet(Optional.empty()).isPresent() || first) {
        log.info(
            "watch={} state=listed objects={}", kind.name(), informer.getStore().listKeys().size());
      }
      if (first && newestRun == this) {
        listedRun = this;
        complete = true;
        Set<String> keys = new HashSet<>(actorKeys);
        keys.addAll(informer.getStore().listKeys());
        offer(() -> stream.listed(keys, number));
      }
    }

    /** Changes before the end of the first list are in the list. */
    private void changed(T object) {
      if (complete) {
        offer(() -> stream.changed(Cache.metaNamespaceKeyFunc(object)));
      }
    }
  }
}
