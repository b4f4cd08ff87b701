package io.poolkeeper.armsim.swagger;

import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A simulator over HTTP. */
final class HttpWire implements Wire, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "swagger");
  private final HttpClient http = HttpClient.newHttpClient();
  private final ArmSim sim =
      done(
          ArmSim.start(
              system,
              ArmSimSettings.fast(System::nanoTime, InstantSource.system())
                  .withPageSize(PAGE_SIZE)));

  @Override
  public void slowNext() throws Exception {
    String rule = "{\"method\":\"PUT\",\"times\":1,\"lro\":\"slow\",\"lroMillis\":60000}";
    Answer answer = send("POST", "/_faults", rule);
    if (answer.status() != 201) {
      throw new IllegalStateException(answer.body());
    }
  }

  @Override
  public Answer send(String method, String target, String body, String... headers)
      throws Exception {
    URI uri = URI.create(target.startsWith("/") ? sim.endpoint() + target : target);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    Map<String, String> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    response.headers().map().forEach((name, values) -> found.put(name, values.getFirst()));
    return new Answer(response.statusCode(), found, response.body());
  }

  private static <T> T done(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    http.shutdownNow();
    done(sim.close());
    system.terminate();
    done(system.getWhenTerminated());
  }
}
