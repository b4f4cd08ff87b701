package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client for watches only, configured like another one. It records whether the watches of a kind
 * are open and why not: an informer does not report that it cannot reconnect. Kinds are named by
 * their plural, as in paths.
 */
public final class WatchClient implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WatchClient.class);

  private final Map<String, Integer> open = new ConcurrentHashMap<>();
  private final Map<String, String> errors = new ConcurrentHashMap<>();
  private final KubernetesClient client;

  /**
   * Creates a client with the configuration of another one, which stays open when this is closed.
   */
  public WatchClient(KubernetesClient model) {
    client =
        new KubernetesClientBuilder()
            .withConfig(model.getConfiguration())
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor("watches", new Watches()))
            .build();
  }

  KubernetesClient client() {
    return client;
  }

  /** Whether an HTTP watch is open; WebSockets are not recorded. */
  boolean isOpen(String kind) {
    return open.containsKey(kind);
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
    open.merge(kind, 1, Integer::sum);
    CompletionStage<Void> end = stream.done();
    end.whenComplete((done, failure) -> ended(kind));
  }

  private void ended(String kind) {
    open.computeIfPresent(kind, (same, count) -> count == 1 ? null : count - 1);
  }

  private void failed(String kind, Throwable failure) {
    String error = Causes.text(failure);
    if (!error.equals(errors.put(kind, error))) {
      log.warn("watch={} state=disconnected error=\"{}\"", kind, error);
    }
  }

  private static Optional<String> watchedKind(HttpRequest request) {
    URI uri = request.uri();
    boolean watch = Objects.requireNonNullElse(uri.getQuery(), "").contains("watch=true");
    String path = uri.getPath();
    return watch ? Optional.of(path.substring(path.lastIndexOf('/') + 1)) : Optional.empty();
  }

  private final class Watches implements Interceptor {
    @Override
    public void after(
        HttpRequest request,
        HttpResponse<?> response,
        AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      if (response.isSuccessful() && response.body() instanceof AsyncBody stream) {
        watchedKind(request).ifPresent(kind -> opened(kind, stream));
      }
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
      watchedKind(request).ifPresent(kind -> failed(kind, failure));
    }
  }
}
