package io.poolkeeper.ops;

import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import io.poolkeeper.access.AccessPolicy;
import io.poolkeeper.access.Area;
import io.poolkeeper.access.Reviews;
import io.poolkeeper.config.Settings;
import io.poolkeeper.doctor.Examination;
import io.poolkeeper.doctor.Known;
import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.Report;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
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
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.http.javadsl.ServerBinding;
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
 * Health, metrics and the state of pools, nodes and the turnstile over HTTP, read-only. Requests
 * wait at most one second for the status.
 */
public final class HttpApi extends AllDirectives {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Each of its looks ends after seconds. */
  private static final Duration EXAMINATION = Duration.ofSeconds(9);

  private static final ContentType PROMETHEUS =
      ContentTypes.parse("text/plain; version=0.0.4; charset=utf-8");

  private static final ContentType LINES =
      ContentTypes.parse("application/x-ndjson; charset=utf-8");

  private final ActorSystem<?> system;
  private final ActorRef<StatusActor.Command> status;
  private final ActorRef<LivenessActor.Command> liveness;
  private final Metrics metrics;
  private final Supplier<List<String>> watchProblems;
  private final InstantSource clock;
  private final Installation self;
  private final List<String> settings;
  private final Supplier<Optional<LeaderView>> leader;
  private final ActorRef<EventStream.Command> events;
  private final ActorRef<DoctorActor.Command> doctor;
  private final ActorRef<AccessActor.Command> access;
  private final ObjectMapper json = new ObjectMapper();

  /**
   * The API; {@link #bind} serves it.
   *
   * @param watchProblems readable descriptions of the caches' current problems
   * @param clock monotonic, the clock of the status's times
   * @param settings those in force with their origin, secrets masked
   * @param leader who leads, as far as that is known
   * @param doctor examines the installation
   * @param reviews of tokens
   */
  public HttpApi(
      ActorSystem<?> system,
      ActorRef<StatusActor.Command> status,
      ActorRef<LivenessActor.Command> liveness,
      Metrics metrics,
      Supplier<List<String>> watchProblems,
      InstantSource clock,
      Installation self,
      List<String> settings,
      Supplier<Optional<LeaderView>> leader,
      Function<Supplier<Known>, CompletionStage<Examination>> doctor,
      Reviews reviews) {
    this.system = system;
    this.status = status;
    this.liveness = liveness;
    this.metrics = metrics;
    this.watchProblems = watchProblems;
    this.clock = clock;
    this.self = self;
    this.settings = List.copyOf(settings);
    this.leader = leader;
    access = system.systemActorOf(AccessActor.create(reviews, clock), "access", Props.empty());
    events =
        system.systemActorOf(
            EventStream.create(status, self, leader, watchProblems, clock),
            "events",
            Props.empty());
    this.doctor = system.systemActorOf(DoctorActor.create(doctor, clock), "doctor", Props.empty());
  }

  /** Of the actor system that serves it, beneath the user's own. */
  public static Config settings() {
    return HttpListener.SETTINGS;
  }

  /**
   * Serves until the actor system ends; port 0 takes any free one.
   *
   * @param tls of the port of the API, asked at each new connection
   * @return the port of the API; the one of probes is open before it
   */
  public CompletionStage<ServerBinding> bind(
      Settings.Http http, Optional<Supplier<SSLContext>> tls) {
    AccessPolicy policy = new AccessPolicy(http.authorization(), http.trustLoopback());
    Guard guard = new Guard(system, policy, access);
    HttpListener listener = new HttpListener(system, http.host());
    return http.probePort()
        .<CompletionStage<?>>map(
            port -> listener.bind(port, HttpListener.PROBES, probes(), Optional.empty()))
        .orElseGet(() -> CompletableFuture.completedFuture(Done.getInstance()))
        .thenCompose(open -> listener.bind(http.port(), HttpListener.API, routes(guard), tls))
        .whenComplete(
            (bound, refused) -> {
              if (bound != null) {
                CoordinatedShutdown.get(system)
                    .addTask(
                        CoordinatedShutdown.PhaseServiceUnbind(), "end-events", this::endEvents);
              }
            });
  }

  /** All streams end before what carries them; not waited for if that has ended already. */
  private CompletionStage<Done> endEvents() {
    CompletableFuture<Done> ended = new CompletableFuture<>();
    events.tell(new EventStream.End(ended));
    return ended.completeOnTimeout(Done.getInstance(), 1, TimeUnit.SECONDS);
  }

  private Route probes() {
    return get(
        () ->
            concat(
                path("healthz", this::health),
                path("readyz", () -> fromSnapshot(this::readiness))));
  }

  private Route routes(Guard guard) {
    Route api =
        concat(
            path("nodes", () -> fromSnapshot(this::nodes)),
            path(
                segment("nodes").slash(segment()),
                node -> fromSnapshot(snapshot -> oneNode(snapshot, node))),
            path("settings", () -> complete(json(200, settings))),
            path("plan", () -> fromSnapshot(this::plan)),
            path("leftovers", () -> fromSnapshot(this::leftovers)),
            path("turnstile", () -> fromSnapshot(this::turnstile)),
            path("shadow", () -> fromSnapshot(this::shadow)),
            path("status", () -> fromSnapshot(this::status)),
            path("doctor", this::doctor),
            path("events", this::events),
            path("pools", () -> fromSnapshot(this::allPools)),
            path(
                segment("pools").slash(segment()).slash(segment()),
                (loadBalancer, pool) ->
                    fromSnapshot(snapshot -> onePool(snapshot, loadBalancer, pool))));
    return concat(
        probes(),
        get(
            () ->
                concat(
                    path("metrics", () -> guard.of(Area.METRICS, () -> fromSnapshot(this::scrape))),
                    pathPrefix(segment("api").slash("v1"), () -> guard.of(Area.VIEW, () -> api)),
                    new PageRoutes().routes())));
  }

  /** An endless answer; it ends if the reader is too slow, or too many read. */
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
    CompletionStage<StatusActor.Snapshot> snapshot =
        AskPattern.ask(status, StatusActor.GetSnapshot::new, PATIENCE, system.scheduler());
    CompletionStage<Examination> examination =
        snapshot.thenCompose(
            of ->
                AskPattern.askWithStatus(
                    doctor,
                    replyTo -> new DoctorActor.Examine(known(of), replyTo),
                    EXAMINATION,
                    system.scheduler()));
    return completeWithFuture(
        examination
            .thenApply(of -> json(200, DoctorJson.of(of, self.pod(), self.shadow())))
            .exceptionally(
                failed -> json(503, Map.of("error", String.valueOf(failed.getMessage())))));
  }

  /** What calls have met already. */
  private static Known known(StatusActor.Snapshot snapshot) {
    return new Known(
        snapshot.quota(),
        Stream.concat(
                snapshot.knowledge().listingFailure().stream(),
                snapshot.pools().stream().flatMap(pool -> pool.lastError().stream()))
            .filter(failure -> failure.code().equals(Known.DENIED))
            .map(ArmFailure::toString)
            .findFirst());
  }

  private HttpResponse status(StatusActor.Snapshot snapshot) {
    Instant now = clock.instant();
    Report report = Report.of(StatusJson.input(snapshot, leader.get()), self, now);
    return json(200, StatusJson.of(snapshot, report, self, leader.get(), watchProblems.get(), now));
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

  private HttpResponse oneNode(StatusActor.Snapshot snapshot, String node) {
    return NodeDetailJson.of(node, snapshot, clock.instant())
        .map(found -> json(200, found))
        .orElseGet(
            () ->
                json(404, Map.of("error", "no pool has node " + node + ", and it does not leave")));
  }

  private HttpResponse plan(StatusActor.Snapshot snapshot) {
    return json(200, PlanJson.of(snapshot, self.shadow(), clock.instant()));
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
    Instant now = clock.instant();
    Optional<PoolStatus> found =
        snapshot.all().stream()
            .filter(one -> one.id().loadBalancer().name().equalsIgnoreCase(loadBalancer))
            .filter(one -> one.id().name().equalsIgnoreCase(pool))
            .findFirst();
    return found
        .map(one -> json(200, PoolDetailJson.of(one, snapshot, self, watchProblems.get(), now)))
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
