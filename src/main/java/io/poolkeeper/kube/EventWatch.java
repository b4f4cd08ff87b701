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
   * @param old whether what is listed is delivered, too, and not only what has changed since then
   * @param without what is missing while there are no events, for the log
   */
  record Selection(Field by, String value, String kind, boolean old, String without) {
    Selection(String reason, String kind, boolean old, String without) {
      this(Field.REASON, reason, kind, old, without);
    }

    private boolean matches(Event event) {
      return value.equals(
          switch (by) {
            case REASON -> event.getReason();
            case SOURCE -> component(event);
          });
    }
  }

  /** The field by which the API server selects events. */
  enum Field {
    REASON("reason"),
    /** The component that reports it. */
    SOURCE("source");

    private final String path;

    Field(String path) {
      this.path = path;
    }
  }

  /** The component that reports an event; old clients and new ones name it in different places. */
  static @Nullable String component(Event event) {
    boolean source =
        event.getSource() != null
            && event.getSource().getComponent() != null
            && !event.getSource().getComponent().isEmpty();
    return source ? event.getSource().getComponent() : event.getReportingComponent();
  }

  /** Starts to listen; returns at once. */
  EventWatch(WatchClient api, Selection selection, Consumer<Event> heard) {
    this.selection = selection;
    informer =
        api.client()
            .v1()
            .events()
            .inAnyNamespace()
            .withField(selection.by().path, selection.value())
            .withField("involvedObject.kind", selection.kind())
            .withLimit(PAGE)
            .runnableInformer(0)
            .itemStore(new NoStore())
            .exceptionHandler((started, failure) -> failed(failure))
            .addEventHandler(new Handler(heard));
    informer.start();
  }

  /** Over HTTP, only once an event has come, see {@link WatchClient#isOpen}. */
  boolean watching() {
    return WatchClient.watches(informer);
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
          selection.by().path,
          selection.value(),
          selection.without(),
          error);
    }
    return true;
  }

  /**
   * Whether an event is selected, as servers without such fields send all Events. The API server
   * asks for no name.
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

  /** Versions are numbers that grow, see the API server's documentation. */
  private static long version(@Nullable String text) {
    return text == null || text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
  }

  private final class Handler implements ResourceEventHandler<Event> {
    private final Consumer<Event> heard;

    /** The version of the last list or event; before the first list, all events are old. */
    private volatile long listed = Long.MAX_VALUE;

    Handler(Consumer<Event> heard) {
      this.heard = heard;
    }

    /** A repeated event, whose count has grown, is added again, as none is stored. */
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
      // A deleted event was only too old.
    }

    /** What was watched since the last list is not delivered again by the next one. */
    @Override
    public void onBeforeList(@Nullable String last) {
      if (last != null) {
        listed = version(last);
      }
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      listed = version(resourceVersion);
      if (!lastError.getAndSet("").isEmpty()) {
        log.info("watch=events {}={} state=listed", selection.by().path, selection.value());
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
