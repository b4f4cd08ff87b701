package io.poolkeeper.kube;

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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bearer token of calls to the API server, fetched anew once it has expired, or once the server
 * has refused it with 401. Thread-safe; shared by all clients that have one configuration.
 *
 * <p>Invariants: one fetch at a time, and those who need a token meanwhile wait for it. After a
 * fetch that failed, and after one whose token is refused, none for {@link #PAUSE}.
 */
final class RenewedToken implements OAuthTokenProvider, Interceptor {
  private static final Logger log = LoggerFactory.getLogger(RenewedToken.class);

  static final Duration PAUSE = Duration.ofSeconds(10);

  private static final String HEADER = "Authorization";
  private static final String SCHEME = "Bearer ";

  /** Without a token the server would answer as to anybody; this one it refuses. */
  private static final String NONE = "none";

  /** A token, and until when it is used: {@link Instant#MAX} if it is not known. */
  record Token(String text, Instant until) {
    @Override
    public String toString() {
      return "Token until " + until;
    }
  }

  private final Supplier<Token> source;
  private final InstantSource wall;
  private @Nullable Token last;
  private @Nullable KubeconfigException failure;
  private Instant fetched = Instant.MIN;

  /**
   * Fetches the first one.
   *
   * @param source throws {@link KubeconfigException}, says why, and ends within a time
   * @throws KubeconfigException if there is none
   */
  RenewedToken(Supplier<Token> source, InstantSource wall) {
    this.source = source;
    this.wall = wall;
    fetch(wall.instant());
  }

  /** Whether a text can be sent; the library would print one that cannot. */
  static boolean isToken(String text) {
    return !text.isEmpty() && text.chars().allMatch(each -> each > ' ' && each < 0x7f);
  }

  /** The one in force; an expired one if no other can be had, which the server will refuse. */
  @Override
  public synchronized String getToken() {
    Instant now = wall.instant();
    if (last == null || !now.isBefore(last.until())) {
      try {
        fetch(now);
      } catch (KubeconfigException logged) {
        // A call fails by the server's 401. An exception here would be lost in the library.
        return last == null ? NONE : last.text();
      }
    }
    return last == null ? NONE : last.text();
  }

  /**
   * Another than the refused one if there is any.
   *
   * @throws KubeconfigException if none can be had
   */
  private synchronized String after(String refused) {
    if (last == null || last.text().equals(refused)) {
      fetch(wall.instant());
    }
    return last == null ? NONE : last.text();
  }

  private void fetch(Instant now) {
    boolean early = !now.isBefore(fetched) && now.isBefore(fetched.plus(PAUSE));
    if (early && failure != null) {
      throw failure;
    }
    if (early) {
      return;
    }
    try {
      last = source.get();
      failure = null;
    } catch (KubeconfigException unavailable) {
      failure = unavailable;
      log.warn("kube-token=unavailable error=\"{}\"", unavailable.getMessage());
      throw unavailable;
    } finally {
      fetched = wall.instant();
    }
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
    String refused = header == null ? NONE : header.substring(SCHEME.length());
    try {
      String other = after(refused);
      builder.setHeader(HEADER, SCHEME + other);
      return CompletableFuture.completedFuture(!other.equals(refused));
    } catch (KubeconfigException unavailable) {
      return CompletableFuture.failedFuture(unavailable);
    }
  }
}
