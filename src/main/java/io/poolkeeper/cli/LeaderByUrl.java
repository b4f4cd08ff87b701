package io.poolkeeper.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The API at an address that was given; the token goes there and nowhere else. */
final class LeaderByUrl implements Leader {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final URI base;
  private final Optional<String> token;

  /** No redirect is followed. */
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  LeaderByUrl(URI base, Optional<String> token) {
    this.base = base;
    this.token = token;
  }

  @Override
  public Answer get(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base.toString().replaceFirst("/+$", "") + path))
            .timeout(PATIENCE);
    token.ifPresent(of -> request.header("Authorization", "Bearer " + of));
    try {
      HttpResponse<InputStream> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException failed) {
      String why = Objects.requireNonNullElse(failed.getMessage(), "cannot connect");
      throw new CommandFailure("%s: no answer: %s".formatted(base, why));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("stopped");
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
