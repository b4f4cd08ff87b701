package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the Events with one reason about one kind of object, selected by the API server. No event
 * is stored, so one whose count has grown is delivered again, and so is all that a later list has.
 */
final class EventWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventWatch.class);

  /** A page of a list is dropped before the next is read. */
  private static final long PAGE = 500;

  private final Selection selection;
  private final SharedIndexInformer<Event> informer;
  private final AtomicReference<String> lastError = new AtomicReference<>("");

  /**
   * What to watch.
   *
   * @param kind of the object that an event is about
   * @param old whether what is listed is delivered, too, and not only what has changed since then
   * @param without what is missing while there are no events, for the log
   */
  record Selection(String reason, String kind, boolean old, String without) {}

  private EventWatch(WatchClient api, Selection selection, Consumer<Event> heard) {
    this.selection = selection;
    informer =
        api.client()
            .v1()
            .events()
            .inAnyNamespace()
            .withField("reason", selection.reason())
            .withField("involvedObject.kind", selection.kind())
            .withLimit(PAGE)
            .runnableInformer(0)
            .itemStore(new NoStore())
            .exceptionHandler((started, failure) -> failed(failure))
            .addEventHandler(new Handler(heard));
  }

  /** Starts to listen; returns at once. */
  static EventWatch start(WatchClient api, Selection selection, Consumer<Event> heard) {
    EventWatch events = new EventWatch(api, selection, heard);
    events.informer.start();
    return events;
  }

  boolean watching() {
    return informer.isWatching();
  }

  @Override
  public void close() {
    informer.stop();
  }

  private boolean failed(Throwable failure) {
    String error = Causes.text(failure);
    if (!lastError.getAndSet(error).equals(error)) {
      log.warn(
          "watch=events reason={} state=failing effect=\"{}\" error=\"{}\"",
          selection.reason(),
          selection.without(),
          error);
    }
    return true;
  }

  /** Servers that support no such fields send all Events. */
  private boolean selects(Event event) {
    return selection.reason().equals(event.getReason())
        && event.getInvolvedObject() != null
        && selection.kind().equals(event.getInvolvedObject().getKind());
  }

  /** Versions are numbers that grow, see the API server's documentation. */
  private static long version(@Nullable String text) {
    return text == null || text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
  }

  private final class Handler implements ResourceEventHandler<Event> {
    private final Consumer<Event> heard;

    /** The version of the last list; before the first all that comes is old. */
    private volatile long listed = Long.MAX_VALUE;

    Handler(Consumer<Event> heard) {
      this.heard = heard;
    }

    /** As none is stored, a repeated event, whose count has grown, is added, too. */
    @Override
    public void onAdd(Event event) {
      if (selects(event)
          && (selection.old() || version(event.getMetadata().getResourceVersion()) > listed)) {
        heard.accept(event);
      }
    }

    @Override
    public void onUpdate(Event before, Event after) {
      onAdd(after);
    }

    @Override
    public void onDelete(Event event, boolean unknownFinalState) {
      // It has grown old.
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      listed = version(resourceVersion);
      if (!lastError.getAndSet("").isEmpty()) {
        log.info("watch=events reason={} state=listed", selection.reason());
      }
    }
  }

  private static final class NoStore implements ItemStore<Event> {
    @Override
    public String getKey(Event event) {
      return Cache.metaNamespaceKeyFunc(event);
    }

    @Override
    public @Nullable Event put(String key, Event event) {
      return null;
    }

    @Override
    public @Nullable Event remove(String key) {
      return null;
    }

    @Override
    public Stream<String> keySet() {
      return Stream.empty();
    }

    @Override
    public Stream<Event> values() {
      return Stream.empty();
    }

    @Override
    public @Nullable Event get(String key) {
      return null;
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public boolean isFullState() {
      return false;
    }
  }
}
