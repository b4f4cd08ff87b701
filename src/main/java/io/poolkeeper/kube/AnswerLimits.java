package io.poolkeeper.kube;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends each answer of the API server that has stopped, as its connection may be dead. The library
 * waits for a body without a limit, and in JDK 25 the timeout of a request ends with the headers
 * (RealNetworkIT fails where it does not). The connection of an ended answer is closed, and an
 * informer opens its watch again from its last version. If that watch is silent, too, the informer
 * lists anew: on a network that carries headers and no bodies, watches would otherwise stay open
 * and silent for ever.
 *
 * <p>A watch is handed on as {@link AsciiJson}. WebSockets are not seen here.
 */
final class AnswerLimits implements Interceptor {
  private static final Logger log = LoggerFactory.getLogger(AnswerLimits.class);

  private final Duration stalled;
  private final Duration whole;
  private final Duration silent;

  /** The timer of each answer that has not ended. */
  private final Map<AsyncBody, CompletableFuture<Void>> timers = new ConcurrentHashMap<>();

  /** The paths whose last watch was ended for its silence, and that have carried nothing since. */
  private final Set<String> silentPaths = ConcurrentHashMap.newKeySet();

  /**
   * Limits of the answers of one client.
   *
   * @param stalled the longest time without a byte of the answer to a call, and the longest for the
   *     headers of a watch
   * @param whole the longest time of the answer to a call after its headers
   * @param silent the longest time in which a watch receives nothing; API servers send a bookmark
   *     about once a minute
   */
  AnswerLimits(Duration stalled, Duration whole, Duration silent) {
    this.stalled = stalled;
    this.whole = whole;
    this.silent = silent;
  }

  /** The kind that a request watches, as its plural; empty if it is no watch. */
  static Optional<String> watched(HttpRequest request) {
    URI uri = request.uri();
    boolean watch = Objects.requireNonNullElse(uri.getQuery(), "").contains("watch=true");
    String path = uri.getPath();
    return watch ? Optional.of(path.substring(path.lastIndexOf('/') + 1)) : Optional.empty();
  }

  /** The library sets no time for the headers of a watch. */
  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if (watched(request).isPresent() && builder instanceof HttpRequest.Builder watch) {
      watch.timeout(stalled.toMillis(), MILLISECONDS);
    }
  }

  @Override
  public AsyncBody.Consumer<List<ByteBuffer>> consumer(
      AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
    if (watched(request).isEmpty()) {
      return (buffers, body) -> {
        restartTimer(request, body);
        consumer.consume(buffers, body);
      };
    }
    AsciiJson text = new AsciiJson();
    return (buffers, body) -> {
      silentPaths.remove(request.uri().getPath());
      restartTimer(request, body);
      consumer.consume(buffers.stream().map(text::next).toList(), body);
    };
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    if (response.body() instanceof AsyncBody body) {
      restartTimer(request, body);
      @Nullable CompletableFuture<Void> total =
          watched(request).isEmpty() ? startTimer(request, body, whole) : null;
      CompletableFuture<Void> unused =
          body.done()
              .whenComplete(
                  (done, failure) -> {
                    cancel(total);
                    cancel(timers.remove(body));
                  });
    }
  }

  /** Limits the time until the next bytes. */
  private void restartTimer(HttpRequest request, AsyncBody body) {
    Duration limit = watched(request).isEmpty() ? stalled : silent;
    cancel(timers.put(body, startTimer(request, body, limit)));
    if (body.done().isDone()) {
      cancel(timers.remove(body));
    }
  }

  private static void cancel(@Nullable CompletableFuture<Void> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private CompletableFuture<Void> startTimer(HttpRequest request, AsyncBody body, Duration limit) {
    CompletableFuture<Void> timer =
        new CompletableFuture<Void>().completeOnTimeout(null, limit.toMillis(), MILLISECONDS);
    CompletableFuture<Void> unused = timer.thenRunAsync(() -> end(request, body, limit));
    return timer;
  }

  /**
   * Whether a watch is the second in a row to be ended for its silence. API servers send no
   * bookmarks of events, so that their watches are silent while all is well.
   */
  private boolean isSilentAgain(HttpRequest request) {
    return watched(request).filter(kind -> !kind.equals("events")).isPresent()
        && !silentPaths.add(request.uri().getPath());
  }

  private void end(HttpRequest request, AsyncBody body, Duration limit) {
    watched(request).ifPresent(kind -> log.debug("watch={} state=reopening reason=silent", kind));
    String message =
        "the answer to %s %s stopped for %s"
            .formatted(request.method(), request.uri().getPath(), limit);
    body.done()
        .completeExceptionally(
            isSilentAgain(request)
                ? new ProtocolException(message)
                : new HttpTimeoutException(message));
    body.cancel();
  }
}
