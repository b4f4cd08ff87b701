package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.behavior.Behavior;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.fault.Faults;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes for faults and behavior: {@code /_faults} and {@code /_behavior}. */
final class TuningRoutes {
  private static final String ONE_FAULT = "DELETE /_faults/\\d{1,18}";

  private final ActorSystem<?> system;
  private final ActorRef<SimActor.Command> actor;

  TuningRoutes(ActorSystem<?> system, ActorRef<SimActor.Command> actor) {
    this.system = system;
    this.actor = actor;
  }

  /** The answer; empty if there is no such route. */
  Optional<CompletionStage<HttpResponse>> handle(String method, String path, Body body) {
    String route = method + " " + path;
    return switch (route) {
      case "GET /_faults" -> Optional.of(tune(gate -> listed(gate.faults().list())));
      case "POST /_faults" -> Optional.of(addFaults(body));
      case "DELETE /_faults" ->
          Optional.of(
              tune(
                  gate -> {
                    gate.faults().clear();
                    return HttpResponse.create().withStatus(204);
                  }));
      case "GET /_behavior" -> Optional.of(tune(gate -> json(gate.behavior().json())));
      case "PUT /_behavior" -> Optional.of(behave(body));
      default ->
          route.matches(ONE_FAULT)
              ? Optional.of(dropFault(Long.parseLong(path.substring(path.lastIndexOf('/') + 1))))
              : Optional.empty();
    };
  }

  private CompletionStage<HttpResponse> addFaults(Body body) {
    List<FaultRule> rules;
    boolean list;
    try {
      JsonNode json = json(body);
      list = json.isArray();
      rules = list ? parsed(json) : List.of(parsed("", json));
    } catch (IllegalArgumentException wrong) {
      return OwnRoutes.now(OwnRoutes.error(400, String.valueOf(wrong.getMessage())));
    }
    return tune(
        gate ->
            gate.faults()
                .add(rules)
                .map(ids -> list ? created(ids) : OwnRoutes.object(201, "id", "" + ids.getFirst()))
                .orElseGet(
                    () -> OwnRoutes.error(409, "too many fault rules; DELETE /_faults first")));
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

  private CompletionStage<HttpResponse> dropFault(long id) {
    return tune(
        gate ->
            gate.faults().remove(id)
                ? HttpResponse.create().withStatus(204)
                : OwnRoutes.error(404, "no such fault rule"));
  }

  private CompletionStage<HttpResponse> behave(Body body) {
    JsonNode changes;
    try {
      changes = json(body);
    } catch (IllegalArgumentException wrong) {
      return OwnRoutes.now(OwnRoutes.error(400, String.valueOf(wrong.getMessage())));
    }
    return tune(
        gate -> {
          try {
            Behavior after = gate.behavior().changed(changes);
            gate.behave(after);
            return json(after.json());
          } catch (IllegalArgumentException wrong) {
            return OwnRoutes.error(400, String.valueOf(wrong.getMessage()));
          }
        });
  }

  private static HttpResponse listed(List<Faults.Status> rules) {
    ArrayNode list = ArmJson.MAPPER.createArrayNode();
    for (Faults.Status status : rules) {
      ObjectNode node = list.addObject();
      node.put("id", Long.toString(status.id())).put("applied", status.applied());
      status.left().ifPresent(left -> node.put("left", left));
      node.set("rule", status.rule().source());
    }
    return json(list);
  }

  private static HttpResponse created(List<Long> ids) {
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    ArrayNode list = node.putArray("ids");
    ids.forEach(id -> list.add(Long.toString(id)));
    return Responses.json(201, ArmJson.bytes(out -> out.writeTree(node)));
  }

  private static HttpResponse json(JsonNode node) {
    return Responses.json(200, ArmJson.bytes(out -> out.writeTree(node)));
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

  private CompletionStage<HttpResponse> tune(Function<Gatekeeper, HttpResponse> how) {
    return AskPattern.ask(
        actor,
        replyTo -> new SimActor.Tune<>(how, replyTo),
        SimHttp.ANSWER_TIMEOUT,
        system.scheduler());
  }
}
