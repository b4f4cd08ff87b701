package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.Optional;
import java.util.function.Supplier;

/** Short forms of calls and answers for tests. */
public final class Calls {
  static final String ORIGIN = "http://arm";
  static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb";
  static final String POOL = LB + "/backendAddressPools/p";

  private Calls() {}

  /** Guids that count: 00000000-0000-0000-0000-000000000001 and so on. */
  static Supplier<String> counting() {
    int[] last = {0};
    return () -> guid(++last[0]);
  }

  static String guid(int number) {
    return "00000000-0000-0000-0000-%012d".formatted(number);
  }

  static ArmCall get(String uri) {
    return call(Method.GET, uri, Optional.empty(), new Body.Absent());
  }

  static ArmCall delete(String uri) {
    return call(Method.DELETE, uri, Optional.empty(), new Body.Absent());
  }

  static ArmCall put(String uri, String body) {
    return call(Method.PUT, uri, Optional.empty(), new Body.Json(json(body)));
  }

  static ArmCall patch(String uri, String body) {
    return call(Method.PATCH, uri, Optional.empty(), new Body.Json(json(body)));
  }

  /** A call without a body. */
  static ArmCall bare(Method method, String uri) {
    return call(method, uri, Optional.empty(), new Body.Absent());
  }

  static ArmCall putIfMatch(String uri, String etag, String body) {
    return call(Method.PUT, uri, Optional.of(etag), new Body.Json(json(body)));
  }

  /** A call as the HTTP side would make it; the api-version is added if the uri has no query. */
  public static ArmCall call(Method method, String uri, Optional<String> ifMatch, Body body) {
    String full = uri.contains("?") ? uri : uri + "?api-version=2025-05-01";
    return ArmCall.to(method, ORIGIN, full, ifMatch, body);
  }

  /** Writes and completes the operation, if there is one. */
  static Handled written(ArmModel model, String uri, String body) {
    Handled handled = model.handle(put(uri, body));
    handled.started().ifPresent(model::complete);
    return handled;
  }

  /** Status, code and the first detail's code of a refusal. */
  static String refusal(Handled handled) {
    JsonNode error = body(handled).path("error");
    String detail = error.at("/details/0/code").asText("");
    return "%d %s%s"
        .formatted(
            handled.answer().status(),
            error.path("code").asText(),
            detail.isEmpty() ? "" : "/" + detail);
  }

  static String text(Handled handled) {
    return handled.answer().text();
  }

  static JsonNode body(Handled handled) {
    return json(text(handled));
  }

  /** The whole state, as it is saved. */
  static ObjectNode dump(ArmModel model) {
    return ArmJson.tree(
        out -> {
          out.writeStartObject();
          model.snapshot().writeMembers(out);
          out.writeEndObject();
        });
  }

  public static JsonNode json(String text) {
    try {
      return ArmJson.MAPPER.readTree(text);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  /** A pool's body with entries given as name=ip. */
  static String pool(String... entries) {
    StringBuilder body = new StringBuilder("{\"properties\":{\"loadBalancerBackendAddresses\":[");
    String separator = "";
    for (String entry : entries) {
      String[] parts = entry.split("=", 2);
      body.append(separator)
          .append(
              "{\"name\":\"%s\",\"properties\":{\"ipAddress\":\"%s\"}}"
                  .formatted(parts[0], parts[1]));
      separator = ",";
    }
    return body.append("]}}").toString();
  }
}
