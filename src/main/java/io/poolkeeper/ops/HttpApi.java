package io.poolkeeper.ops;

import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.Route;

/**
 * Health, metrics and the state of pools, nodes and the turnstile over HTTP, read-only. Requests
 * wait at most one second for the status.
 */
public final class HttpApi extends AllDirectives {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final ContentType PROMETHEUS =
      ContentTypes.parse("text/plain; version=0.0.4; charset=utf-8");

  private final ActorSystem<?> system;
  private final ActorRef<StatusActor.Command> status;
  private final ActorRef<LivenessActor.Command> liveness;
  private final Metrics metrics;
  private final Supplier<List<String>> watchProblems;
  private final InstantSource clock;
  private final ObjectMapper json = new ObjectMapper();

  /**
   * The API; {@link #bind} serves it.
   *
   * @param watchProblems readable descriptions of the caches' current problems
   * @param clock monotonic, the clock of the status's times
   */
  public HttpApi(
      ActorSystem<?> system,
      ActorRef<StatusActor.Command> status,
      ActorRef<LivenessActor.Command> liveness,
      Metrics metrics,
      Supplier<List<String>> watchProblems,
      InstantSource clock) {
    this.system = system;
    this.status = status;
    this.liveness = liveness;
    this.metrics = metrics;
    this.watchProblems = watchProblems;
    this.clock = clock;
  }

  /** Serves until unbound; port 0 takes any free one. */
  public CompletionStage<ServerBinding> bind(String host, int port) {
    return Http.get(system).newServerAt(host, port).bind(routes());
  }

  private Route routes() {
    return get(
        () ->
            concat(
                path("healthz", this::health),
                path("readyz", () -> fromSnapshot(this::readiness)),
                path("metrics", () -> fromSnapshot(this::scrape)),
                path(segment("api").slash("v1").slash("nodes"), () -> fromSnapshot(this::nodes)),
                path(
                    segment("api").slash("v1").slash("leftovers"),
                    () -> fromSnapshot(this::leftovers)),
                path(
                    segment("api").slash("v1").slash("turnstile"),
                    () -> fromSnapshot(this::turnstile)),
                path(segment("api").slash("v1").slash("shadow"), () -> fromSnapshot(this::shadow)),
                path(segment("api").slash("v1").slash("pools"), () -> fromSnapshot(this::allPools)),
                path(
                    segment("api").slash("v1").slash("pools").slash(segment()).slash(segment()),
                    (loadBalancer, pool) ->
                        fromSnapshot(snapshot -> onePool(snapshot, loadBalancer, pool)))));
  }

  private Route health() {
    CompletionStage<LivenessActor.Hanging> hanging =
        AskPattern.ask(liveness, LivenessActor.Check::new, PATIENCE, system.scheduler());
    return completeWithFuture(hanging.thenApply(HttpApi::health));
  }

  private static HttpResponse health(LivenessActor.Hanging hanging) {
    StringBuilder text = new StringBuilder();
    hanging
        .actors()
        .forEach(
            (actor, silent) ->
                text.append("%s has not answered for %d s%n".formatted(actor, silent.toSeconds())));
    return HttpResponse.create()
        .withStatus(text.isEmpty() ? 200 : 503)
        .withEntity(text.isEmpty() ? "ok\n" : text.toString());
  }

  /** HTTP requests come from outside the actors, so these are the places for an ask. */
  private Route fromSnapshot(Function<StatusActor.Snapshot, HttpResponse> render) {
    CompletionStage<StatusActor.Snapshot> snapshot =
        AskPattern.ask(status, StatusActor.GetSnapshot::new, PATIENCE, system.scheduler());
    return completeWithFuture(snapshot.thenApply(render));
  }

  private HttpResponse readiness(StatusActor.Snapshot snapshot) {
    Readiness readiness = Readiness.of(snapshot, watchProblems.get(), clock.instant());
    return json(readiness.ready() ? 200 : 503, readiness);
  }

  private HttpResponse scrape(StatusActor.Snapshot snapshot) {
    String body = metrics.scrape(snapshot, clock.instant());
    return HttpResponse.create()
        .withEntity(HttpEntities.create(PROMETHEUS, body.getBytes(StandardCharsets.UTF_8)));
  }

  private HttpResponse turnstile(StatusActor.Snapshot snapshot) {
    return snapshot
        .turnstile()
        .map(view -> json(200, TurnstileJson.of(view, clock.instant())))
        .orElseGet(() -> json(503, Map.of("error", "the turnstile has not started yet")));
  }

  private HttpResponse nodes(StatusActor.Snapshot snapshot) {
    return json(200, NodeJson.of(snapshot.nodes()));
  }

  private HttpResponse leftovers(StatusActor.Snapshot snapshot) {
    return json(200, LeftoverJson.of(snapshot.pools(), clock.instant()));
  }

  private HttpResponse shadow(StatusActor.Snapshot snapshot) {
    return snapshot
        .proof()
        .map(proof -> json(200, ShadowJson.of(proof, snapshot, clock.instant())))
        .orElseGet(() -> json(404, Map.of("error", "mode = write: what is decided is written")));
  }

  private HttpResponse allPools(StatusActor.Snapshot snapshot) {
    return json(200, PoolJson.of(snapshot, clock.instant()));
  }

  private HttpResponse onePool(StatusActor.Snapshot snapshot, String loadBalancer, String pool) {
    Optional<PoolJson> found =
        PoolJson.of(snapshot, clock.instant()).stream()
            .filter(item -> item.loadBalancer().equalsIgnoreCase(loadBalancer))
            .filter(item -> item.pool().equalsIgnoreCase(pool))
            .findFirst();
    return found
        .map(item -> json(200, item))
        .orElseGet(
            () ->
                json(
                    404, Map.of("error", "no pool " + pool + " on load balancer " + loadBalancer)));
  }

  private HttpResponse json(int code, Object body) {
    try {
      return HttpResponse.create()
          .withStatus(code)
          .withEntity(
              HttpEntities.create(ContentTypes.APPLICATION_JSON, json.writeValueAsBytes(body)));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a record that is no JSON", impossible);
    }
  }
}
