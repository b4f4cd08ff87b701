package io.poolkeeper.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The API at an address that was given; the token goes there and nowhere else. */
final class LeaderByUrl implements Leader {
  private final URI base;
  private final Optional<String> token;
  private final LimitedStream.Limits limits;

  /**
   * The addresses to try: on this machine also that of the other scheme, until one has answered.
   */
  private volatile List<URI> ways;

  /** No redirect is followed. */
  private final HttpClient client;

  /** Asks this address; if it is on this machine ({@code local}), no certificate is verified. */
  LeaderByUrl(URI base, boolean local, Optional<String> token, LimitedStream.Limits limits) {
    this.base = base;
    this.token = token;
    this.limits = limits;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5));
    if (local) {
      builder.sslContext(AnyCertificate.context());
    }
    client = builder.build();
    ways = local ? List.of(base, otherScheme(base)) : List.of(base);
  }

  private static URI otherScheme(URI address) {
    String text = address.toString();
    return URI.create(
        address.getScheme().equals("https")
            ? text.replaceFirst("https", "http")
            : text.replaceFirst("http", "https"));
  }

  @Override
  public Answer get(String path) {
    List<String> why = new ArrayList<>();
    for (URI way : ways) {
      try {
        Answer answer = ask(way, path);
        ways = List.of(way);
        return answer;
      } catch (IOException failed) {
        why.add(Objects.requireNonNullElse(failed.getMessage(), "cannot connect"));
        if (failed instanceof ConnectException || failed instanceof HttpTimeoutException) {
          break;
        }
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new CommandFailure("stopped");
      }
    }
    throw new CommandFailure("%s: no answer: %s".formatted(base, String.join("; ", why)));
  }

  private Answer ask(URI way, String path) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(way.toString().replaceFirst("/+$", "") + path));
    token.ifPresent(bearer -> request.header("Authorization", "Bearer " + bearer));
    HttpResponse<InputStream> answer =
        head(client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    return new Answer(answer.statusCode(), new LimitedStream(answer.body(), limits));
  }

  /**
   * Waits for the head only. A timeout of the request would end with the head before JDK 26, and
   * with the body from then on, which for {@code --watch} has no end.
   */
  private <T> T head(CompletableFuture<T> answer) throws IOException, InterruptedException {
    try {
      return answer.get(limits.silence().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException silent) {
      throw new HttpTimeoutException(
          "nothing came for %d s".formatted(limits.silence().toSeconds()));
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException why) {
        throw why;
      }
      throw new IOException(failed.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  @Override
  public String name() {
    return base.toString();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
