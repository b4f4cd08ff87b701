package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** ARM as all but the controller reach it. */
public final class ArmHttp implements AutoCloseable {
  private static final String API = "?api-version=2025-05-01";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final URI arm;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private final CountDownLatch never = new CountDownLatch(1);

  public ArmHttp(URI arm) {
    this.arm = arm;
  }

  public ObjectNode get(String path) throws InterruptedException {
    return (ObjectNode) parsed(send(path, HttpRequest.newBuilder()));
  }

  /** Writes a resource, whatever it holds by now; returns when the write has ended. */
  public void put(String path, Object body) throws InterruptedException {
    awaitEnd(path, parsed(send(path, write(body))));
  }

  /** Writes it unless it has changed since it was read; returns whether it was written. */
  public boolean replace(String path, ObjectNode read) throws InterruptedException {
    var answer = send(path, write(read).header("If-Match", read.path("etag").asText()));
    boolean same = answer.statusCode() != HttpURLConnection.HTTP_PRECON_FAILED;
    if (same) {
      awaitEnd(path, parsed(answer));
    }
    return same;
  }

  private HttpRequest.Builder write(Object body) {
    return HttpRequest.newBuilder()
        .header("Content-Type", "application/json")
        .PUT(BodyPublishers.ofString(json.valueToTree(body).toString()));
  }

  private HttpResponse<String> send(String path, HttpRequest.Builder request)
      throws InterruptedException {
    try {
      URI uri = URI.create(arm + path + API);
      return http.send(request.uri(uri).timeout(TIMEOUT).build(), BodyHandlers.ofString());
    } catch (IOException unreachable) {
      throw new UncheckedIOException("ARM does not answer", unreachable);
    }
  }

  private JsonNode parsed(HttpResponse<String> answer) {
    try {
      if (answer.statusCode() / 100 != 2) {
        throw new IOException("%s: %s".formatted(answer, answer.body()));
      }
      return json.readTree(answer.body());
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  private void awaitEnd(String path, JsonNode written) throws InterruptedException {
    JsonNode now = written;
    // The latch is never counted down.
    while (now.at("/properties/provisioningState").asText().equals("Updating")
        && !never.await(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
      now = get(path);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
