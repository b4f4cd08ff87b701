package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.fault.Faults;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes for faults and behavior: {@code /_faults} and {@code /_behavior}. */
final class TuningRoutes {
  private static final String ONE_FAULT = "DELETE /_faults/\\d{1,18}";

  private final SimPort port;

  TuningRoutes(SimPort port) {
    this.port = port;
  }

  /** The answer; empty if there is no such route. */
  Optional<CompletionStage<HttpResponse>> handle(String method, String path, Body body) {
    String route = method + " " + path;
    try {
      return switch (route) {
        case "GET /_faults" -> Optional.of(port.tune(gate -> listed(gate.faults().list())));
        case "POST /_faults" -> Optional.of(addFaults(json(body)));
        case "DELETE /_faults" ->
            Optional.of(
                port.tune(
                    gate -> {
                      gate.faults().clear();
                      return HttpResponse.create().withStatus(204);
                    }));
        case "GET /_behavior" ->
            Optional.of(port.tune(gate -> Responses.json(200, gate.behavior().json())));
        case "PUT /_behavior" -> Optional.of(behave(json(body)));
        default ->
            route.matches(ONE_FAULT)
                ? Optional.of(dropFault(Long.parseLong(path.substring(path.lastIndexOf('/') + 1))))
                : Optional.empty();
      };
    } catch (IllegalArgumentException wrong) {
      return Optional.of(OwnRoutes.now(refused(wrong)));
    }
  }

  static HttpResponse refused(IllegalArgumentException wrong) {
    return OwnRoutes.error(400, String.valueOf(wrong.getMessage()));
  }

  private CompletionStage<HttpResponse> addFaults(JsonNode json) {
    List<FaultRule> rules = json.isArray() ? parsed(json) : List.of(parsed("", json));
    return port.tune(
        gate ->
            gate.faults()
                .add(rules)
                .map(ids -> created(ids, json.isArray()))
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
    return port.tune(
        gate ->
            gate.faults().remove(id)
                ? HttpResponse.create().withStatus(204)
                : OwnRoutes.error(404, "no such fault rule"));
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

  private static HttpResponse created(List<Long> ids, boolean list) {
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    if (list) {
      ids.stream().map(String::valueOf).forEach(node.putArray("ids")::add);
    } else {
      node.put("id", Long.toString(ids.getFirst()));
    }
    return Responses.json(201, node);
  }

  static JsonNode json(Body body) {
    return switch (body) {
      case Body.Json json -> json.value();
      case Body.Absent absent -> throw new IllegalArgumentException("the body is empty");
      case Body.Malformed wrong -> throw new IllegalArgumentException("no JSON: " + wrong.why());
      case Body.TooLarge large ->
          throw new IllegalArgumentException("more than " + large.limitBytes() + " bytes");
    };
  }
}
