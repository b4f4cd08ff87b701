package io.poolkeeper.lab.armsim;

import static org.apache.pekko.actor.typed.javadsl.AskPattern.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.lab.armsim.fault.FaultRule;
import io.poolkeeper.lab.armsim.journal.ArmLogEntry;
import io.poolkeeper.lab.armsim.model.ArmState;
import io.poolkeeper.lab.armsim.protocol.ArmCall.Body;
import io.poolkeeper.lab.armsim.protocol.ArmJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The routes that Resource Manager does not have: {@code /_state}, {@code /_log}, {@code /_reset}
 * and {@code /_faults}.
 */
final class OwnRoutes {
  private final ActorSystem<?> system;
  private final ActorRef<SimActor.Command> actor;
  private final SimView view;
  private final Executor executor;

  OwnRoutes(
      ActorSystem<?> system, ActorRef<SimActor.Command> actor, SimView view, Executor executor) {
    this.system = system;
    this.actor = actor;
    this.view = view;
    this.executor = executor;
  }

  static boolean owns(HttpRequest request) {
    return request.getUri().path().startsWith("/_");
  }

  CompletionStage<HttpResponse> handle(HttpRequest request, Body body) {
    String route = request.method().name() + " " + request.getUri().path();
    return switch (route) {
      case "GET /_state" -> state();
      case "GET /_log" -> now(log());
      case "POST /_reset" -> reset();
      case "POST /_faults" -> addFault(body);
      case "DELETE /_faults" -> dropFaults(Optional.empty());
      default ->
          route.matches("DELETE /_faults/\\d{1,18}")
              ? dropFaults(Optional.of(Long.valueOf(route.substring(route.lastIndexOf('/') + 1))))
              : now(error(404, "no such route: " + route));
    };
  }

  private CompletionStage<HttpResponse> state() {
    return this.<ArmState>tell(SimActor.Snapshot::new)
        .thenApplyAsync(
            state -> Responses.json(200, ArmJson.bytes(out -> out.writeTree(state.dump()))),
            executor);
  }

  private HttpResponse log() {
    Source<ByteString, ?> lines = Source.from(view.journal.entries()).map(OwnRoutes::line);
    return HttpResponse.create()
        .withEntity(HttpEntities.create(ContentTypes.parse("application/jsonl"), lines));
  }

  private static ByteString line(ArmLogEntry entry) {
    return ByteString.fromArrayUnsafe(ArmJson.bytes(entry::write))
        .concat(ByteString.fromString("\n", StandardCharsets.UTF_8));
  }

  private CompletionStage<HttpResponse> reset() {
    return this.<Done>tell(replyTo -> new SimActor.Restore(ArmState.empty(), replyTo))
        .thenApply(done -> HttpResponse.create().withStatus(204));
  }

  private CompletionStage<HttpResponse> addFault(Body body) {
    FaultRule rule;
    try {
      rule = FaultRule.parse(json(body));
      // Refused here rather than when the rule applies.
      Responses.contentType(rule.contentType());
    } catch (IllegalArgumentException wrong) {
      return now(error(400, String.valueOf(wrong.getMessage())));
    }
    return this.<Optional<Long>>tell(replyTo -> new SimActor.AddFault(rule, replyTo))
        .thenApply(
            id ->
                id.map(known -> object(201, "id", Long.toString(known)))
                    .orElseGet(() -> error(409, "too many fault rules; DELETE /_faults first")));
  }

  private static JsonNode json(Body body) {
    return switch (body) {
      case Body.Json json -> json.value();
      case Body.Absent absent -> throw new IllegalArgumentException("the body is empty");
      case Body.Malformed wrong -> throw new IllegalArgumentException("no JSON: " + wrong.why());
      case Body.TooLarge large ->
          throw new IllegalArgumentException("more than " + large.limitBytes() + " bytes");
    };
  }

  private CompletionStage<HttpResponse> dropFaults(Optional<Long> id) {
    return this.<Boolean>tell(replyTo -> new SimActor.DropFaults(id, replyTo))
        .thenApply(
            found ->
                found ? HttpResponse.create().withStatus(204) : error(404, "no such fault rule"));
  }

  private <T> CompletionStage<T> tell(
      org.apache.pekko.japi.function.Function<ActorRef<T>, SimActor.Command> command) {
    return ask(actor, command, SimHttp.ANSWER_TIMEOUT, system.scheduler());
  }

  private static HttpResponse error(int status, String message) {
    return object(status, "message", message);
  }

  private static HttpResponse object(int status, String member, String value) {
    return Responses.json(
        status,
        ArmJson.bytes(
            out -> {
              out.writeStartObject();
              out.writeStringField(member, value);
              out.writeEndObject();
            }));
  }

  private static CompletionStage<HttpResponse> now(HttpResponse response) {
    return CompletableFuture.completedFuture(response);
  }
}
