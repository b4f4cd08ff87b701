package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.poolkeeper.model.ServiceKey;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears from the cloud provider's own events that it has written the pools of a Service. Nothing
 * relies on it: events may be dropped, or forbidden to read, and then looks by time remain. What is
 * listed first is old and ignored; what has changed since then is reported. No event is stored.
 */
final class PeerEvents implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PeerEvents.class);
  private static final String REASON = "LoadBalancerBackendPoolUpdated";
  private static final String COMPONENT = "azure-cloud-provider";

  /** A page of a list is dropped before the next is read. */
  private static final long PAGE = 500;

  private final SharedIndexInformer<Event> informer;
  private final AtomicReference<String> lastError = new AtomicReference<>("");

  private PeerEvents(WatchClient api, Consumer<ServiceKey> wrote) {
    informer =
        api.client()
            .v1()
            .events()
            .inAnyNamespace()
            .withField("reason", REASON)
            .withLimit(PAGE)
            .runnableInformer(0)
            .itemStore(new NoStore())
            .exceptionHandler((started, failure) -> failed(failure))
            .addEventHandler(new Handler(wrote));
  }

  /** Starts to listen; returns at once. */
  static PeerEvents start(WatchClient api, Consumer<ServiceKey> wrote) {
    PeerEvents events = new PeerEvents(api, wrote);
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
          "watch=events state=failing effect=\"the cloud provider's writes are noticed later\""
              + " error=\"{}\"",
          error);
    }
    return true;
  }

  /** The Service that an event of the cloud provider's updater is about. */
  static Optional<ServiceKey> written(Event event) {
    ObjectReference about = event.getInvolvedObject();
    boolean peers =
        REASON.equals(event.getReason())
            && (COMPONENT.equals(event.getReportingComponent())
                || (event.getSource() != null
                    && COMPONENT.equals(event.getSource().getComponent())));
    return peers && about != null && "Service".equals(about.getKind())
        ? Optional.of(new ServiceKey(about.getNamespace(), about.getName()))
        : Optional.empty();
  }

  /** Versions are numbers that grow, see the API server's documentation. */
  private static long version(@Nullable String text) {
    return text == null || text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
  }

  private final class Handler implements ResourceEventHandler<Event> {
    private final Consumer<ServiceKey> wrote;

    /** The version of the last list; before the first all that comes is old. */
    private volatile long listed = Long.MAX_VALUE;

    Handler(Consumer<ServiceKey> wrote) {
      this.wrote = wrote;
    }

    /** As none is stored, a repeated event, whose count has grown, is added, too. */
    @Override
    public void onAdd(Event event) {
      if (version(event.getMetadata().getResourceVersion()) > listed) {
        written(event).ifPresent(wrote);
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
        log.info("watch=events state=listed");
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
