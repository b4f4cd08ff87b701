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
 * Ends answers that stop, as a connection may be dead with nobody to say so. The library waits for
 * the rest of a body without an end, and in JDK 25 the timeout of a request ends with the headers
 * (RealNetworkIT fails where it does not). The connection of an ended answer is closed; an informer
 * opens its watch again, from its last version. If the new watch carries nothing either, the
 * informer lists anew. A network that carries heads and no bodies would else keep watches open and
 * silent for ever, while a list comes through, or fails and says so.
 *
 * <p>A watch is handed on as {@link AsciiJson}. WebSockets are not seen here.
 *
 * @param stalled the longest time without a byte of the answer to a call, and the longest for the
 *     headers of a watch
 * @param whole the longest time of the answer to a call after its headers
 * @param silent the longest time in which a watch receives nothing; API servers send a bookmark
 *     about once a minute
 * @param expected the timer of each answer that has not ended
 * @param mute the paths whose last watch was ended for its silence, and that have carried nothing
 *     since
 */
record AnswerLimits(
    Duration stalled,
    Duration whole,
    Duration silent,
    Map<AsyncBody, CompletableFuture<Void>> expected,
    Set<String> mute)
    implements Interceptor {
  private static final Logger log = LoggerFactory.getLogger(AnswerLimits.class);

  AnswerLimits(Duration stalled, Duration whole, Duration silent) {
    this(stalled, whole, silent, new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
  }

  /** The plural of what a request watches; empty if it is no watch. */
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
        expect(request, body);
        consumer.consume(buffers, body);
      };
    }
    AsciiJson text = new AsciiJson();
    return (buffers, body) -> {
      mute.remove(request.uri().getPath());
      expect(request, body);
      consumer.consume(buffers.stream().map(text::next).toList(), body);
    };
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    if (response.body() instanceof AsyncBody body) {
      expect(request, body);
      Optional<CompletableFuture<Void>> end =
          watched(request).isEmpty() ? Optional.of(timer(request, body, whole)) : Optional.empty();
      CompletableFuture<Void> unused =
          body.done()
              .whenComplete(
                  (done, failure) -> {
                    end.ifPresent(AnswerLimits::stop);
                    stop(expected.remove(body));
                  });
    }
  }

  /** From now on the next bytes are waited for. */
  private void expect(HttpRequest request, AsyncBody body) {
    Duration limit = watched(request).isEmpty() ? stalled : silent;
    stop(expected.put(body, timer(request, body, limit)));
    if (body.done().isDone()) {
      stop(expected.remove(body));
    }
  }

  private static void stop(@Nullable CompletableFuture<Void> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private CompletableFuture<Void> timer(HttpRequest request, AsyncBody body, Duration limit) {
    CompletableFuture<Void> timer =
        new CompletableFuture<Void>().completeOnTimeout(null, limit.toMillis(), MILLISECONDS);
    CompletableFuture<Void> unused = timer.thenRunAsync(() -> end(request, body, limit));
    return timer;
  }

  /**
   * API servers send no bookmarks of events, so that their watches are silent while all is well.
   */
  private boolean isMute(HttpRequest request) {
    return watched(request).filter(kind -> !kind.equals("events")).isPresent()
        && !mute.add(request.uri().getPath());
  }

  private void end(HttpRequest request, AsyncBody body, Duration limit) {
    watched(request).ifPresent(kind -> log.debug("watch={} state=reopening reason=silent", kind));
    String what =
        "the answer to %s %s stopped for %s"
            .formatted(request.method(), request.uri().getPath(), limit);
    body.done()
        .completeExceptionally(
            isMute(request) ? new ProtocolException(what) : new HttpTimeoutException(what));
    body.cancel();
  }
}
