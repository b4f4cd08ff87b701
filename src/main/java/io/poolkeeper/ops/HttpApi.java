package io.poolkeeper.ops;

import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import com.typesafe.config.Config;
import io.poolkeeper.access.Area;
import io.poolkeeper.access.Reviews;
import io.poolkeeper.config.Settings;
import io.poolkeeper.doctor.Examination;
import io.poolkeeper.doctor.Known;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.AzureError;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Cause;
import io.poolkeeper.status.CauseLine;
import io.poolkeeper.status.CauseText;
import io.poolkeeper.status.Snapshot;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Health, metrics and the state of pools, nodes and the rate limiter over HTTP, read-only. Requests
 * wait at most one second for the status.
 */
public final class HttpApi extends AllDirectives {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Longer than an examination takes, as each of its reads ends after seconds. */
  private static final Duration EXAMINATION = Duration.ofSeconds(9);

  private static final ContentType PROMETHEUS =
      ContentTypes.parse("text/plain; version=0.0.4; charset=utf-8");

  private static final ContentType LINES =
      ContentTypes.parse("application/x-ndjson; charset=utf-8");

  private final ActorSystem<?> system;
  private final ActorRef<StatusActor.Command> status;
  private final ActorRef<LivenessActor.Command> liveness;
  private final Metrics metrics;
  private final Moment.Source source;
  private final List<String> settings;
  private final ActorRef<EventStream.Command> events;
  private final ActorRef<DoctorActor.Command> doctor;
  private final ActorRef<AccessActor.Command> access;

  /**
   * The API; {@link #bind} serves it.
   *
   * @param settings those in force with their origin, secrets masked
   * @param doctor examines the installation
   * @param reviews of tokens
   */
  public HttpApi(
      ActorSystem<?> system,
      ActorRef<StatusActor.Command> status,
      ActorRef<LivenessActor.Command> liveness,
      Metrics metrics,
      Moment.Source source,
      List<String> settings,
      Function<Supplier<Known>, CompletionStage<Examination>> doctor,
      Reviews reviews) {
    this.system = system;
    this.status = status;
    this.liveness = liveness;
    this.metrics = metrics;
    this.source = source;
    this.settings = List.copyOf(settings);
    InstantSource clock = source.clock();
    access = system.systemActorOf(AccessActor.create(reviews, clock), "access", Props.empty());
    events = system.systemActorOf(EventStream.create(status, source), "events", Props.empty());
    this.doctor = system.systemActorOf(DoctorActor.create(doctor, clock), "doctor", Props.empty());
  }

  /** Runs what a probe asks: the actors that this was built with, too. */
  public static DispatcherSelector probes() {
    return DispatcherSelector.fromConfig(HttpListener.PROBES_DISPATCHER);
  }

  /** Settings of the actor system that serves the API, below the user's own. */
  public static Config settings() {
    return HttpListener.SETTINGS;
  }

  /**
   * Serves until the actor system ends; port 0 takes any free one.
   *
   * @param tls of the port of the API, asked at each new connection
   * @return the address of the API; the port of probes is open before it
   */
  public CompletionStage<InetSocketAddress> bind(
      Settings.Http http, Optional<Supplier<SSLContext>> tls) {
    Guard guard = new Guard(system, http.access(), access);
    HttpListener listener = new HttpListener(system, http.host());
    ProbeListener probes =
        new ProbeListener(
            Map.of("/healthz", this::health, "/readyz", () -> ready(Readiness.Detail.NAMES)),
            ProbeListener.CONNECTIONS);
    return http.probePort()
        .<CompletionStage<?>>map(port -> probes.bind(system, http.host(), port))
        .orElseGet(() -> CompletableFuture.completedFuture(Done.getInstance()))
        .thenCompose(
            open ->
                listener.bind(http.port(), HttpListener.API, routes(guard).function(system), tls))
        .thenApply(
            bound -> {
              CoordinatedShutdown.get(system)
                  .addTask(CoordinatedShutdown.PhaseServiceUnbind(), "end-events", this::endEvents);
              return bound;
            });
  }

  /** Ends all streams before the listener; without a wait if they have ended already. */
  private CompletionStage<Done> endEvents() {
    CompletableFuture<Done> ended = new CompletableFuture<>();
    events.tell(new EventStream.End(ended));
    return ended.completeOnTimeout(Done.getInstance(), 1, TimeUnit.SECONDS);
  }

  private CompletionStage<ProbeListener.Answer> health() {
    CompletionStage<LivenessActor.Hanging> hanging =
        AskPattern.ask(liveness, LivenessActor.Check::new, PATIENCE, system.scheduler());
    return hanging.thenApply(HttpApi::health).exceptionally(HttpApi::late);
  }

  private CompletionStage<ProbeListener.Answer> ready(Readiness.Detail detail) {
    return snapshot()
        .thenApply(source::at)
        .thenApply(moment -> readiness(moment, detail))
        .exceptionally(HttpApi::late);
  }

  private Route probe(CompletionStage<ProbeListener.Answer> answer) {
    return completeWithFuture(answer.thenApply(HttpApi::response));
  }

  private static ProbeListener.Answer late(Throwable failed) {
    return text(503, failed.getMessage() + "\n");
  }

  private static ProbeListener.Answer text(int status, String text) {
    return new ProbeListener.Answer(status, "text/plain; charset=UTF-8", text);
  }

  private static HttpResponse response(ProbeListener.Answer probe) {
    return HttpResponse.create()
        .withStatus(probe.status())
        .withEntity(
            HttpEntities.create(
                ContentTypes.parse(probe.type()), probe.body().getBytes(StandardCharsets.UTF_8)));
  }

  private Route routes(Guard guard) {
    Route api =
        concat(
            answer("nodes", moment -> moment.snapshot().nodes().items()),
            path(segment("nodes").slash(segment()), this::node),
            path("settings", () -> complete(json(200, settings))),
            answer("plan", PoolDetailJson::plan),
            answer("leftovers", LeftoverJson::of),
            path("turnstile", () -> render(HttpApi::rateLimiter)),
            path("shadow", () -> render(HttpApi::shadow)),
            answer("status", Moment::status),
            path("doctor", this::doctor),
            path("events", this::events),
            answer("pools", PoolJson::of),
            path(
                segment("pools").slash(segment()).slash(segment()),
                (loadBalancer, pool) ->
                    parameterOptional(
                        "resourceGroup",
                        group -> render(moment -> pool(loadBalancer, pool, group, moment)))));
    return get(
        () ->
            concat(
                path("healthz", () -> probe(health())),
                path(
                    "readyz",
                    () ->
                        guard.protect(
                            Area.VIEW,
                            () -> probe(ready(Readiness.Detail.TEXTS)),
                            () -> probe(ready(Readiness.Detail.NAMES)))),
                path("metrics", () -> guard.protect(Area.METRICS, () -> render(this::scrape))),
                pathPrefix(segment("api").slash("v1"), () -> guard.protect(Area.VIEW, () -> api)),
                new PageRoutes().routes()));
  }

  /** The stream of events; it ends if the reader is too slow, or if there are too many. */
  private Route events() {
    var queue =
        Source.<ByteString>queue(EventStream.LINES)
            .preMaterialize(SystemMaterializer.get(system).materializer());
    events.tell(new EventStream.Listen(queue.first()));
    return complete(
        HttpResponse.create()
            .addHeader(RawHeader.create("Cache-Control", "no-store"))
            .withEntity(HttpEntities.createChunked(LINES, queue.second())));
  }

  private Route doctor() {
    return completeWithFuture(
        snapshot()
            .<Examination>thenCompose(
                snapshot ->
                    AskPattern.askWithStatus(
                        doctor,
                        replyTo -> new DoctorActor.Examine(known(source.at(snapshot)), replyTo),
                        EXAMINATION,
                        system.scheduler()))
            .thenApply(
                examination ->
                    json(
                        200,
                        DoctorJson.of(examination, source.self().pod(), source.self().shadow())))
            .exceptionally(failed -> error(503, String.valueOf(failed.getMessage()))));
  }

  private static Known known(Moment moment) {
    Snapshot snapshot = moment.snapshot();
    Optional<String> refusal =
        Stream.concat(
                snapshot.knowledge().unread().values().stream(),
                snapshot.pools().stream().flatMap(pool -> pool.lastError().stream()))
            .filter(failure -> failure.error() == AzureError.DENY_ASSIGNMENT)
            .map(ArmFailure::toString)
            .findFirst();
    if (!snapshot.knowledge().leads()) {
      return new Known(snapshot.quota(), refusal);
    }
    List<CauseText> withoutPool =
        moment.report().causes().stream()
            .filter(line -> line.cause() instanceof Cause.WithoutPool)
            .map(CauseLine::text)
            .toList();
    return new Known(snapshot.quota(), refusal, Optional.of(withoutPool));
  }

  private static ProbeListener.Answer health(LivenessActor.Hanging hanging) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, Duration> actor : hanging.actors().entrySet()) {
      long silent = actor.getValue().toSeconds();
      text.append("%s has not answered for %d s%n".formatted(actor.getKey(), silent));
    }
    return text.isEmpty() ? text(200, "ok\n") : text(503, text.toString());
  }

  private Route answer(String path, Function<Moment, Object> answer) {
    return path(path, () -> render(moment -> json(200, answer.apply(moment))));
  }

  /** Renders on the system's threads: those of probes, which have the snapshot, stay free. */
  private Route render(Function<Moment, HttpResponse> response) {
    return completeWithFuture(
        snapshot().thenApply(source::at).thenApplyAsync(response, system.executionContext()));
  }

  /** The snapshot. HTTP requests come from outside of the actors, so an ask has its place here. */
  private CompletionStage<Snapshot> snapshot() {
    return AskPattern.ask(status, StatusActor.GetSnapshot::new, PATIENCE, system.scheduler());
  }

  private static ProbeListener.Answer readiness(Moment moment, Readiness.Detail detail) {
    boolean ready = Readiness.ready(moment.snapshot().knowledge());
    return new ProbeListener.Answer(
        ready ? 200 : 503,
        "application/json",
        new String(ApiJson.bytes(Readiness.of(moment, detail)), StandardCharsets.UTF_8));
  }

  private HttpResponse scrape(Moment moment) {
    String body = metrics.scrape(moment.snapshot(), moment.now());
    return HttpResponse.create()
        .withEntity(HttpEntities.create(PROMETHEUS, body.getBytes(StandardCharsets.UTF_8)));
  }

  private static HttpResponse rateLimiter(Moment moment) {
    return jsonOr(
        moment.snapshot().rateLimiter().map(view -> RateLimiterJson.of(view, moment.now())),
        503,
        "the turnstile has not started yet");
  }

  private static HttpResponse shadow(Moment moment) {
    return jsonOr(
        moment.snapshot().comparison().map(comparison -> ShadowJson.of(comparison, moment)),
        404,
        "mode = write: what is decided is written");
  }

  private Route node(String node) {
    String unknown = "no pool has node " + node + ", and it does not leave";
    return render(moment -> jsonOr(NodeJson.of(node, moment), 404, unknown));
  }

  /** Pools of equal names differ in their resource groups. */
  static HttpResponse pool(
      String loadBalancer, String name, Optional<String> group, Moment moment) {
    List<PoolStatus> named =
        moment.snapshot().allPools().stream()
            .filter(pool -> pool.id().loadBalancer().name().equalsIgnoreCase(loadBalancer))
            .filter(pool -> pool.id().name().equalsIgnoreCase(name))
            .filter(pool -> group.isEmpty() || group.get().equalsIgnoreCase(group(pool)))
            .toList();
    String what =
        "pool %s on load balancer %s%s"
            .formatted(name, loadBalancer, group.map(" of resource group "::concat).orElse(""));
    List<String> groups = named.stream().map(HttpApi::group).distinct().toList();
    if (groups.size() > 1) {
      String error = "%s is in several resource groups: choose by ?resourceGroup=".formatted(what);
      return json(409, JsonObject.of("error", error).and("resourceGroups", groups));
    }
    return jsonOr(
        named.stream().findFirst().map(pool -> PoolDetailJson.of(pool, moment)), 404, "no " + what);
  }

  private static String group(PoolStatus pool) {
    return pool.id().loadBalancer().resourceGroup();
  }

  private static HttpResponse jsonOr(Optional<JsonObject> answer, int code, String error) {
    return answer.map(found -> json(200, found)).orElseGet(() -> error(code, error));
  }

  private static HttpResponse error(int code, String text) {
    return json(code, Map.of("error", text));
  }

  private static HttpResponse json(int code, Object answer) {
    return HttpResponse.create()
        .withStatus(code)
        .withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, ApiJson.bytes(answer)));
  }
}
