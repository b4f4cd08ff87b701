package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.watch.WatchLiveness;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client for watches only, configured like another one. It records whether the watches of a kind
 * are open and why not, and what they receive: an informer reports neither that it cannot reconnect
 * nor bookmarks. Kinds are named by their plural, as in paths.
 *
 * <p>It speaks HTTP/1.1, so that every watch has a connection of its own: a watch that is reopened
 * must not get a connection that is broken unnoticed.
 */
public final class WatchClient implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WatchClient.class);

  /** The beginning of a bookmark; one that two buffers share is missed, and others follow. */
  private static final byte[] BOOKMARK = "\"BOOKMARK\"".getBytes(StandardCharsets.US_ASCII);

  private final Map<String, Set<AsyncBody>> open = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> heard = new ConcurrentHashMap<>();
  private final Set<String> bookmarks = ConcurrentHashMap.newKeySet();
  private final Map<String, String> errors = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final WatchLiveness.Limits limits;
  private final KubernetesClient client;

  /** With the configuration of another client, which stays open when this is closed. */
  public WatchClient(KubernetesClient model, InstantSource clock, WatchLiveness.Limits limits) {
    this.clock = clock;
    this.limits = limits;
    client =
        new KubernetesClientBuilder()
            .withKubernetesSerialization(model.getKubernetesSerialization())
            .withConfig(new ConfigBuilder(model.getConfiguration()).withHttp2Disable(true).build())
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor("watches", new Watches()))
            .build();
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

  /** Whether an HTTP watch is open; WebSockets are not recorded. */
  boolean isOpen(String kind) {
    return !open.getOrDefault(kind, Set.of()).isEmpty();
  }

  /** Whether the informer's own watch, of any kind, is open; a watch that is ending is not. */
  static boolean watches(SharedIndexInformer<?> informer) {
    try {
      return informer.isWatching();
    } catch (NullPointerException ending) {
      // The informer of fabric8 7.8.0 forgets its watch first, and then that it watches.
      return false;
    }
  }

  /** A number that grows with everything that HTTP watches of the kind receive. */
  long heard(String kind) {
    LongAdder count = heard.get(kind);
    return count == null ? 0 : count.sum();
  }

  /** Whether an HTTP watch of the kind has ever received a bookmark. */
  boolean bookmarks(String kind) {
    return bookmarks.contains(kind);
  }

  /** Ends the connections of the HTTP watches of a kind; their informers open new ones. */
  void reopen(String kind) {
    Set.copyOf(open.getOrDefault(kind, Set.of())).forEach(AsyncBody::cancel);
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
    Set<AsyncBody> ofKind = open.computeIfAbsent(kind, none -> ConcurrentHashMap.newKeySet());
    ofKind.add(stream);
    CompletionStage<Void> end = stream.done();
    end.whenComplete((done, failure) -> ofKind.remove(stream));
  }

  private void received(String kind, List<ByteBuffer> buffers) {
    heard.computeIfAbsent(kind, none -> new LongAdder()).increment();
    if (!bookmarks.contains(kind) && buffers.stream().anyMatch(WatchClient::holdsBookmark)) {
      bookmarks.add(kind);
    }
  }

  private static boolean holdsBookmark(ByteBuffer buffer) {
    int last = buffer.limit() - BOOKMARK.length;
    for (int at = buffer.position(); at <= last; at++) {
      int same = 0;
      while (same < BOOKMARK.length && buffer.get(at + same) == BOOKMARK[same]) {
        same++;
      }
      if (same == BOOKMARK.length) {
        return true;
      }
    }
    return false;
  }

  private void failed(String kind, Throwable failure) {
    String error = Causes.text(failure, client);
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
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
        AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
      Optional<String> kind = watchedKind(request);
      if (kind.isEmpty()) {
        return consumer;
      }
      return (buffers, body) -> {
        received(kind.get(), buffers);
        consumer.consume(buffers, body);
      };
    }

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
