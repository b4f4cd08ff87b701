package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.watch.WatchLiveness;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client for watches only, with the configuration of another one. It records which watches are
 * open, and why a kind has none: an informer does not report that it cannot reconnect. Kinds are
 * named by their plural, as in paths.
 */
public final class WatchClient implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WatchClient.class);

  private final Map<String, Set<AsyncBody>> open = new ConcurrentHashMap<>();
  private final Map<String, String> errors = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final WatchLiveness.Limits limits;
  private final KubernetesClient client;

  /** With the configuration of another client, which stays open when this is closed. */
  public WatchClient(KubernetesClient other, InstantSource clock, WatchLiveness.Limits limits) {
    this.clock = clock;
    this.limits = limits;
    client =
        KubeClients.build(
            other.getConfiguration(),
            KubeClients.answerLimits(limits.silent()),
            new WatchRecorder());
  }

  InstantSource clock() {
    return clock;
  }

  WatchLiveness.Limits limits() {
    return limits;
  }

  KubernetesClient client() {
    return client;
  }

  /** Whether so many HTTP watches of this kind are open; WebSockets are not recorded. */
  boolean isOpen(String kind, int watches) {
    return open.getOrDefault(kind, Set.of()).size() >= watches;
  }

  /** A version of an object as a number, which grows, see the API server's documentation. */
  static long version(@Nullable String text) {
    return text == null || text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
  }

  /** Whether the informer's own watch is open, WebSocket or not; a watch that is ending is not. */
  static boolean isOpen(SharedIndexInformer<?> informer) {
    try {
      return informer.isWatching();
    } catch (NullPointerException ending) {
      // The informer of fabric8 7.8.0 forgets its watch first, and then that it watches.
      return false;
    }
  }

  /** Why the last attempt to watch failed; empty after a success. */
  Optional<String> error(String kind) {
    return Optional.ofNullable(errors.get(kind));
  }

  @Override
  public void close() {
    client.close();
  }

  private void opened(String kind, AsyncBody stream) {
    if (errors.remove(kind) != null) {
      log.info("watch={} state=connected", kind);
    }
    Set<AsyncBody> streams = open.computeIfAbsent(kind, absent -> ConcurrentHashMap.newKeySet());
    streams.add(stream);
    CompletionStage<Void> end = stream.done();
    end.whenComplete((done, failure) -> streams.remove(stream));
  }

  private void failed(String kind, String error) {
    if (!error.equals(errors.put(kind, error))) {
      log.warn("watch={} state=disconnected error=\"{}\"", kind, error);
    }
  }

  /** Records when a watch opens, and when it cannot be opened. */
  private final class WatchRecorder implements Interceptor {
    @Override
    public void after(
        HttpRequest request,
        HttpResponse<?> response,
        AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      AnswerLimits.watched(request)
          .ifPresent(
              kind -> {
                if (response.code() >= HttpURLConnection.HTTP_BAD_REQUEST) {
                  // The informer does not call its own handler of exceptions.
                  failed(kind, "HTTP " + response.code());
                } else if (response.isSuccessful() && response.body() instanceof AsyncBody stream) {
                  opened(kind, stream);
                }
              });
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
      AnswerLimits.watched(request).ifPresent(kind -> failed(kind, Causes.text(failure, client)));
    }
  }
}
