package io.poolkeeper.kube;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bearer token of calls to the API server, fetched anew once it has expired, or once the server
 * has refused it with 401. Thread-safe; shared by all clients that have one configuration.
 *
 * <p>Invariants: one fetch at a time, on a thread of its own. Only a call that was refused waits
 * for a fetch: the library prepares repeated calls on the one thread of all its timers. No fetch
 * begins within {@link #PAUSE} of the last one's end.
 */
final class RenewedToken implements OAuthTokenProvider, Interceptor {
  private static final Logger log = LoggerFactory.getLogger(RenewedToken.class);

  static final Duration PAUSE = Duration.ofSeconds(10);

  /** How long a call that was refused waits for another token. */
  private static final Duration WAIT = Duration.ofSeconds(10);

  private static final String HEADER = "Authorization";
  private static final String SCHEME = "Bearer ";

  /** A token. From {@code until} on another is fetched; with {@link Instant#MAX}, once refused. */
  record Token(String text, Instant until) {
    @Override
    public String toString() {
      return "Token until " + until;
    }
  }

  private final Supplier<Token> source;
  private final InstantSource wall;
  private volatile Token current;

  /** The fetch that runs, or the last one. */
  private CompletableFuture<Token> fetch;

  private Instant lastFetchEnd;

  /**
   * Fetches the first one, for which the caller waits.
   *
   * @param source throws {@link KubeconfigException}, says why, and ends within a time
   * @throws KubeconfigException if there is none
   */
  RenewedToken(Supplier<Token> source, InstantSource wall) {
    this.source = source;
    this.wall = wall;
    current = source.get();
    fetch = CompletableFuture.completedFuture(current);
    lastFetchEnd = wall.instant();
  }

  /** Whether a text can be sent; the library would print one that cannot. */
  static boolean isToken(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(character -> character > ' ' && character < 0x7f);
  }

  /** Returns the current token at once; if its time has passed, another is fetched meanwhile. */
  @Override
  public String getToken() {
    Token token = current;
    if (!wall.instant().isBefore(token.until())) {
      CompletableFuture<Token> unused = startFetch();
    }
    return token.text();
  }

  /** Returns the fetch that runs; else starts one, unless the last one has only just ended. */
  private synchronized CompletableFuture<Token> startFetch() {
    Instant now = wall.instant();
    boolean pausing = !now.isBefore(lastFetchEnd) && now.isBefore(lastFetchEnd.plus(PAUSE));
    if (fetch.isDone() && !pausing) {
      fetch =
          CompletableFuture.supplyAsync(
                  source, task -> Thread.ofVirtual().name("kube-token").start(task))
              .whenComplete(this::fetchEnded);
    }
    return fetch;
  }

  private synchronized void fetchEnded(@Nullable Token token, @Nullable Throwable failure) {
    lastFetchEnd = wall.instant();
    if (token != null) {
      current = token;
    } else if (failure != null) {
      log.warn("kube-token=unavailable error=\"{}\"", unavailable(failure).getMessage());
    }
  }

  private static KubeconfigException unavailable(Throwable failure) {
    return failure instanceof CompletionException wrapped
            && wrapped.getCause() instanceof KubeconfigException known
        ? known
        : new KubeconfigException("no token of the kubeconfig: " + Causes.text(failure));
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    builder.setHeader(HEADER, SCHEME + getToken());
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
    if (response.code() != HttpURLConnection.HTTP_UNAUTHORIZED) {
      return CompletableFuture.completedFuture(false);
    }
    String header = response.request().header(HEADER);
    String refused = header == null ? "" : header.substring(SCHEME.length());
    Token token = current;
    CompletableFuture<Token> next =
        token.text().equals(refused) ? startFetch() : CompletableFuture.completedFuture(token);
    return next.copy()
        .orTimeout(WAIT.toMillis(), MILLISECONDS)
        .handle(
            (other, failure) -> {
              if (failure != null) {
                throw unavailable(failure);
              }
              builder.setHeader(HEADER, SCHEME + other.text());
              return !other.text().equals(refused);
            });
  }
}
