package io.poolkeeper.armsim;

import io.poolkeeper.armsim.journal.ArmLogEntry;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The routes that Resource Manager does not have: {@code /_state}, {@code /_log}, {@code /_reset}
 * and those of {@link TuningRoutes} and {@link RightsRoutes}.
 */
final class OwnRoutes {
  private final SimPort port;
  private final SimView view;
  private final Executor executor;
  private final TuningRoutes tuning;
  private final RightsRoutes rights;

  OwnRoutes(SimPort port, SimView view, Executor executor) {
    this.port = port;
    this.view = view;
    this.executor = executor;
    this.tuning = new TuningRoutes(port);
    this.rights = new RightsRoutes(port);
  }

  static boolean owns(HttpRequest request) {
    return request.getUri().path().startsWith("/_");
  }

  CompletionStage<HttpResponse> handle(HttpRequest request, Body body) {
    String method = request.method().name();
    String path = request.getUri().path();
    String route = method + " " + path;
    return switch (route) {
      case "GET /_state" -> state();
      case "GET /_log" -> now(log(request));
      case "POST /_reset" -> reset();
      default ->
          tuning
              .handle(method, path, body)
              .or(() -> rights.handle(method, path, body))
              .orElseGet(() -> now(error(404, "no such route: " + route)));
    };
  }

  private CompletionStage<HttpResponse> state() {
    return port.<SavedState>ask(SimActor.Snapshot::new)
        .thenApplyAsync(state -> Responses.json(200, state::write), executor);
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
    return ByteString.fromArrayUnsafe(ArmJson.bytes(out -> out.writeTree(entry.json())))
        .concat(ByteString.fromString("\n", StandardCharsets.UTF_8));
  }

  private CompletionStage<HttpResponse> reset() {
    return port.done(replyTo -> new SimActor.Restore(SavedState.empty(), replyTo))
        .thenApply(done -> HttpResponse.create().withStatus(204))
        .exceptionally(unsaved -> error(500, reason(unsaved)));
  }

  private static String reason(Throwable failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    return String.valueOf(cause.getMessage());
  }

  static HttpResponse error(int status, String message) {
    return Responses.json(status, ArmJson.MAPPER.createObjectNode().put("message", message));
  }

  static CompletionStage<HttpResponse> now(HttpResponse response) {
    return CompletableFuture.completedFuture(response);
  }
}
