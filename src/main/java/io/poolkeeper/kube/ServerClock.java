package io.poolkeeper.kube;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** The clock of the API server, as the headers of its answers say it: in whole seconds, cut off. */
public final class ServerClock {
  private ServerClock() {}

  /**
   * How far the API server's clock is before ours, to a second; empty if no answer has its time.
   * Blocks for a call.
   *
   * @param wall this machine's clock
   */
  public static Optional<Duration> ahead(KubernetesClient client, InstantSource wall) {
    URI version = URI.create(client.getMasterUrl().toString()).resolve("/version");
    HttpClient http = client.getHttpClient();
    HttpRequest request =
        http.newHttpRequestBuilder()
            .uri(version)
            .timeout(client.getConfiguration().getRequestTimeout(), MILLISECONDS)
            .build();
    try {
      HttpResponse<String> answer = http.sendAsync(request, String.class).join();
      Instant now = wall.instant();
      return Optional.ofNullable(answer.header("Date"))
          .map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)))
          .map(time -> Duration.between(now, time.plusMillis(500)));
    } catch (CompletionException | DateTimeException noTime) {
      return Optional.empty();
    }
  }
}
