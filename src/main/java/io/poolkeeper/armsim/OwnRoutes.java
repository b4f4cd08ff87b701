package io.poolkeeper.armsim;

import static org.apache.pekko.actor.typed.javadsl.AskPattern.ask;

import io.poolkeeper.armsim.journal.ArmLogEntry;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The routes that Resource Manager does not have: {@code /_state}, {@code /_log}, {@code /_reset}
 * and those of {@link TuningRoutes}.
 */
final class OwnRoutes {
  private final ActorSystem<?> system;
  private final ActorRef<SimActor.Command> actor;
  private final SimView view;
  private final Executor executor;
  private final TuningRoutes tuning;

  OwnRoutes(
      ActorSystem<?> system, ActorRef<SimActor.Command> actor, SimView view, Executor executor) {
    this.system = system;
    this.actor = actor;
    this.view = view;
    this.executor = executor;
    this.tuning = new TuningRoutes(system, actor);
  }

  static boolean owns(HttpRequest request) {
    return request.getUri().path().startsWith("/_");
  }

  CompletionStage<HttpResponse> handle(HttpRequest request, Body body) {
    String route = request.method().name() + " " + request.getUri().path();
    return switch (route) {
      case "GET /_state" -> state();
      case "GET /_log" -> now(log(request));
      case "POST /_reset" -> reset();
      default ->
          tuning
              .handle(request.method().name(), request.getUri().path(), body)
              .orElseGet(() -> now(error(404, "no such route: " + route)));
    };
  }

  private CompletionStage<HttpResponse> state() {
    return this.<SavedState>tell(SimActor.Snapshot::new)
        .thenApplyAsync(state -> Responses.json(200, ArmJson.bytes(state::write)), executor);
  }

  /** The log, or the part after the request with the number {@code since}. */
  private HttpResponse log(HttpRequest request) {
    String since = request.getUri().query().get("since").orElse("0");
    if (!since.matches("\\d{1,18}")) {
      return error(400, "since must be the number of a request, found '" + since + "'");
    }
    List<ArmLogEntry> entries = view.journal.since(Long.parseLong(since));
    Source<ByteString, ?> lines = Source.from(entries).map(OwnRoutes::line);
    return HttpResponse.create()
        .withEntity(HttpEntities.create(ContentTypes.parse("application/jsonl"), lines));
  }

  private static ByteString line(ArmLogEntry entry) {
    return ByteString.fromArrayUnsafe(ArmJson.bytes(entry::write))
        .concat(ByteString.fromString("\n", StandardCharsets.UTF_8));
  }

  private CompletionStage<HttpResponse> reset() {
    return AskPattern.<SimActor.Command, Done>askWithStatus(
            actor,
            replyTo -> new SimActor.Restore(SavedState.empty(), replyTo),
            SimHttp.ANSWER_TIMEOUT,
            system.scheduler())
        .thenApply(done -> HttpResponse.create().withStatus(204))
        .exceptionally(unsaved -> error(500, reason(unsaved)));
  }

  private static String reason(Throwable failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    return String.valueOf(cause.getMessage());
  }

  private <T> CompletionStage<T> tell(
      org.apache.pekko.japi.function.Function<ActorRef<T>, SimActor.Command> command) {
    return ask(actor, command, SimHttp.ANSWER_TIMEOUT, system.scheduler());
  }

  static HttpResponse error(int status, String message) {
    return object(status, "message", message);
  }

  static HttpResponse object(int status, String member, String value) {
    return Responses.json(
        status,
        ArmJson.bytes(
            out -> {
              out.writeStartObject();
              out.writeStringField(member, value);
              out.writeEndObject();
            }));
  }

  static CompletionStage<HttpResponse> now(HttpResponse response) {
    return CompletableFuture.completedFuture(response);
  }
}
