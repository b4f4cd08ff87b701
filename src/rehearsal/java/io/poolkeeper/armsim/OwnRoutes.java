package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.fault.Faults;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The routes that Resource Manager does not have: {@code /_state}, {@code /_log}, {@code /_reset},
 * those for faults and behavior, {@code /_faults} and {@code /_behavior}, and those that take
 * rights away and give them back, {@code /_denials}.
 */
record OwnRoutes(SimPort port, SimView view, Executor executor) {
  private static final Pattern DELETE_ONE =
      Pattern.compile("DELETE /_(faults|denials)/(\\d{1,18})");

  static boolean owns(HttpRequest request) {
    return request.getUri().path().startsWith("/_");
  }

  CompletionStage<HttpResponse> handle(HttpRequest request, Body body) {
    String route = request.method().name() + " " + request.getUri().path();
    try {
      return switch (route) {
        case "GET /_state" -> state();
        case "GET /_log" -> now(log(request));
        case "POST /_reset" -> reset();
        case "GET /_faults" -> port.tune(gate -> listed(gate.faults.list()));
        case "POST /_faults" -> addFaults(json(body));
        case "DELETE /_faults" -> clear(gate -> gate.faults.clear());
        case "GET /_behavior" -> port.tune(gate -> Responses.json(200, gate.behavior().json()));
        case "PUT /_behavior" -> behave(json(body));
        case "GET /_denials" -> port.tune(gate -> listed(gate.rights));
        case "POST /_denials" -> deny(Denial.parse(json(body)));
        case "DELETE /_denials" -> clear(gate -> gate.rights.clear());
        default -> deleteOne(route);
      };
    } catch (IllegalArgumentException wrong) {
      return now(refused(wrong));
    }
  }

  private CompletionStage<HttpResponse> state() {
    return port.<SavedState>ask(SimActor.Snapshot::new)
        .thenApplyAsync(state -> Responses.json(200, state::write), executor);
  }

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
        .thenApply(done -> empty())
        .exceptionally(unsaved -> error(500, reason(unsaved)));
  }

  private static String reason(Throwable failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    return String.valueOf(cause.getMessage());
  }

  private CompletionStage<HttpResponse> clear(Consumer<Gatekeeper> what) {
    return port.change(what).thenApply(done -> empty());
  }

  private CompletionStage<HttpResponse> deleteOne(String route) {
    Matcher one = DELETE_ONE.matcher(route);
    if (!one.matches()) {
      return now(error(404, "no such route: " + route));
    }
    long id = Long.parseLong(one.group(2));
    return one.group(1).equals("faults")
        ? delete("fault rule", gate -> gate.faults.remove(id))
        : delete("denial", gate -> gate.rights.giveBack(id));
  }

  private CompletionStage<HttpResponse> delete(String what, Predicate<Gatekeeper> existed) {
    return port.tune(gate -> existed.test(gate) ? empty() : error(404, "no such " + what));
  }

  private CompletionStage<HttpResponse> addFaults(JsonNode json) {
    List<FaultRule> rules = json.isArray() ? parsed(json) : List.of(parsed("", json));
    return port.tune(
        gate ->
            gate.faults
                .add(rules)
                .map(ids -> created(ids, json.isArray()))
                .orElseGet(() -> error(409, "too many fault rules; DELETE /_faults first")));
  }

  private static List<FaultRule> parsed(JsonNode array) {
    List<FaultRule> rules = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      rules.add(parsed("[" + i + "]: ", array.get(i)));
    }
    return rules;
  }

  private static FaultRule parsed(String place, JsonNode json) {
    try {
      FaultRule rule = FaultRule.parse(json);
      // Refused here, not when the rule applies.
      Responses.contentType(rule.contentType());
      return rule;
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(place + wrong.getMessage(), wrong);
    }
  }

  private static HttpResponse created(List<Long> ids, boolean list) {
    List<String> texts = ids.stream().map(String::valueOf).toList();
    JsonNode node =
        ArmJson.MAPPER.valueToTree(list ? Map.of("ids", texts) : Map.of("id", texts.getFirst()));
    return Responses.json(201, node);
  }

  private static HttpResponse listed(List<Faults.Status> rules) {
    ArrayNode list = ArmJson.MAPPER.createArrayNode();
    for (Faults.Status status : rules) {
      ObjectNode node = list.addObject();
      node.put("id", Long.toString(status.id())).put("applied", status.applied());
      status.left().ifPresent(left -> node.put("left", left));
      node.set("rule", status.rule().source());
    }
    return Responses.json(200, list);
  }

  private CompletionStage<HttpResponse> behave(JsonNode changes) {
    return port.tune(
        gate -> {
          try {
            gate.behave(gate.behavior().changed(changes));
            return Responses.json(200, gate.behavior().json());
          } catch (IllegalArgumentException wrong) {
            return refused(wrong);
          }
        });
  }

  private CompletionStage<HttpResponse> deny(Denial denial) {
    return port.tune(
        gate ->
            gate.rights
                .take(denial)
                .map(id -> created(List.of(id), false))
                .orElseGet(() -> error(409, "too many denials; DELETE /_denials first")));
  }

  private static HttpResponse listed(Rights rights) {
    ArrayNode list = ArmJson.MAPPER.createArrayNode();
    rights.denials().forEach((id, denial) -> list.add(denial.json(id)));
    return Responses.json(200, list);
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

  private static HttpResponse refused(IllegalArgumentException wrong) {
    return error(400, String.valueOf(wrong.getMessage()));
  }

  private static HttpResponse error(int status, String message) {
    return Responses.json(status, ArmJson.MAPPER.createObjectNode().put("message", message));
  }

  private static HttpResponse empty() {
    return HttpResponse.create().withStatus(204);
  }

  private static CompletionStage<HttpResponse> now(HttpResponse response) {
    return CompletableFuture.completedFuture(response);
  }
}
