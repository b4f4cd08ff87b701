package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the Events of one reason or source about one kind of object, selected by the API server.
 * No event is stored, so a repeated event is delivered again, and so are all events of a later
 * list.
 */
final class EventWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventWatch.class);

  /**
   * A page of a list is dropped before the next is read. Anybody may write Events of 1.4 MB each.
   */
  private static final long PAGE = 20;

  private final Selection selection;
  private final SharedIndexInformer<Event> informer;
  private final AtomicReference<String> lastError = new AtomicReference<>("");

  /**
   * What to watch.
   *
   * @param kind of the object that an event is about
   * @param effect what is missing while there are no events, for the log
   * @param listed whether events of the first list are delivered, too, and not only later ones
   */
  record Selection(Field field, String value, String kind, String effect, boolean listed) {
    static Selection byReason(String reason, String kind, String effect) {
      return new Selection(Field.REASON, reason, kind, effect, false);
    }

    static Selection bySource(String component, String kind, String effect) {
      return new Selection(Field.SOURCE, component, kind, effect, false);
    }

    Selection withListed() {
      return new Selection(field, value, kind, effect, true);
    }

    private boolean matches(Event event) {
      return value.equals(
          switch (field) {
            case REASON -> event.getReason();
            case SOURCE -> component(event);
          });
    }
  }

  /** The field by which the API server selects events. */
  enum Field {
    REASON("reason"),
    SOURCE("source");

    private final String path;

    Field(String path) {
      this.path = path;
    }
  }

  /** The component that reports an event; old clients and new ones name it in different places. */
  static @Nullable String component(Event event) {
    String source = event.getSource() == null ? null : event.getSource().getComponent();
    return isNullOrEmpty(source) ? event.getReportingComponent() : source;
  }

  /** Starts to listen; returns at once. */
  EventWatch(WatchClient api, Selection selection, Consumer<Event> receiver) {
    this.selection = selection;
    informer =
        api.client()
            .v1()
            .events()
            .inAnyNamespace()
            .withField(selection.field().path, selection.value())
            .withField("involvedObject.kind", selection.kind())
            .withLimit(PAGE)
            .runnableInformer(0)
            .itemStore(new NoStore())
            .exceptionHandler((started, failure) -> failed(failure))
            .addEventHandler(new Handler(receiver));
    informer.start();
  }

  /** Whether the watch is open; over HTTP known only once an event has come. */
  boolean isOpen() {
    return WatchClient.isOpen(informer);
  }

  /** Why the last list or watch failed; empty after a list. */
  Optional<String> error() {
    return Optional.of(lastError.get()).filter(error -> !error.isEmpty());
  }

  @Override
  public void close() {
    informer.stop();
  }

  private boolean failed(Throwable failure) {
    String error = Causes.text(failure);
    if (!lastError.getAndSet(error).equals(error)) {
      log.warn(
          "watch=events {}={} state=failing effect=\"{}\" error=\"{}\"",
          selection.field().path,
          selection.value(),
          selection.effect(),
          error);
    }
    return true;
  }

  /**
   * Whether an event is selected, as servers without such fields send all Events. The API server
   * accepts an event about an object without a name.
   */
  private boolean selects(Event event) {
    ObjectReference about = event.getInvolvedObject();
    return selection.matches(event)
        && about != null
        && selection.kind().equals(about.getKind())
        && !isNullOrEmpty(about.getName())
        && (selection.kind().equals("Node") || !isNullOrEmpty(about.getNamespace()));
  }

  private static boolean isNullOrEmpty(@Nullable String text) {
    return text == null || text.isEmpty();
  }

  private final class Handler implements ResourceEventHandler<Event> {
    private final Consumer<Event> receiver;

    /** The version of the last list or event; before the first list, all events are old. */
    private volatile long lastVersion = Long.MAX_VALUE;

    Handler(Consumer<Event> receiver) {
      this.receiver = receiver;
    }

    /** A repeated event, whose count has grown, is added again, as none is stored. */
    @Override
    public void onAdd(Event event) {
      if (selects(event)
          && (selection.listed()
              || WatchClient.version(event.getMetadata().getResourceVersion()) > lastVersion)) {
        receiver.accept(event);
      }
    }

    @Override
    public void onUpdate(Event before, Event after) {
      onAdd(after);
    }

    @Override
    public void onDelete(Event event, boolean unknownFinalState) {
      // A deleted event was only too old.
    }

    /** What was watched since the last list is not delivered again by the next one. */
    @Override
    public void onBeforeList(@Nullable String last) {
      if (last != null) {
        lastVersion = WatchClient.version(last);
      }
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      lastVersion = WatchClient.version(resourceVersion);
      if (!lastError.getAndSet("").isEmpty()) {
        log.info("watch=events {}={} state=listed", selection.field().path, selection.value());
      }
    }
  }

  private static final class NoStore extends BasicItemStore<Event> {
    NoStore() {
      super(Cache::metaNamespaceKeyFunc);
    }

    @Override
    public @Nullable Event put(String key, Event event) {
      return null;
    }

    @Override
    public boolean isFullState() {
      return false;
    }
  }
}
