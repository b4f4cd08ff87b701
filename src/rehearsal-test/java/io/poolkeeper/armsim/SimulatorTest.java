package io.poolkeeper.armsim;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The common part of tests over real HTTP: actors, a client, and requests. */
abstract class SimulatorTest {
  static final String VERSION = "?api-version=2025-05-01";

  /** Much longer than any call takes. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  static ActorTestKit kit;
  static HttpClient http;

  /** The simulator of one test, which starts and closes it. */
  ArmSim sim;

  @BeforeAll
  static void start() {
    kit = ActorTestKit.create();
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    http.shutdownNow();
    kit.shutdownTestKit();
  }

  static <T> T done(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** A pool with one address. */
  static String pool(String ip) {
    return "{\"properties\":{\"loadBalancerBackendAddresses\":[{\"name\":\"n\",\"properties\":{\"ipAddress\":\"%s\"}}]}}"
        .formatted(ip);
  }

  String at(String path) {
    return sim.endpoint() + path;
  }

  HttpResponse<String> put(String path, String body) throws Exception {
    return send("PUT", at(path) + VERSION, body);
  }

  HttpResponse<String> get(String path) throws Exception {
    return send("GET", at(path) + VERSION, "");
  }

  static HttpResponse<String> send(String method, String uri, String body, String... headers)
      throws Exception {
    return http.send(request(method, uri, body, headers), BodyHandlers.ofString());
  }

  static HttpRequest request(String method, String uri, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri))
            .timeout(PATIENCE)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.build();
  }
}
