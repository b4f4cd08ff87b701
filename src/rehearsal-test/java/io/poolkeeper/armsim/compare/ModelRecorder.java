package io.poolkeeper.armsim.compare;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.ArmModel;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.util.Optional;
import java.util.UUID;

/** Exchanges with a model of its own, recorded as {@code verify-azure} does. */
final class ModelRecorder {
  static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb";
  static final String POOL = LB + "/backendAddressPools/p";
  static final String LOCATED = "{\"location\":\"westeurope\"}";

  private static final String ORIGIN = "https://management.azure.com";

  final ArrayNode interactions = ArmJson.MAPPER.createArrayNode();
  private long guids;
  private final ArmModel model = new ArmModel(() -> new UUID(7, ++guids).toString(), 100, 1);

  /** The body of a pool with one address. */
  static String pool(String name, String address, String state) {
    return "{\"properties\":{\"loadBalancerBackendAddresses\":[{\"name\":\"%s\",\"properties\":"
            .formatted(name)
        + "{\"ipAddress\":\"%s\",\"adminState\":\"%s\"}}]}}".formatted(address, state);
  }

  ArmAnswer get(String target) {
    return send(Method.GET, target, "", "");
  }

  ArmAnswer put(String target, String body) {
    return send(Method.PUT, target, "", body);
  }

  ArmAnswer send(Method method, String target, String ifMatch, String body) {
    String url = target.contains("?") ? target : target + "?api-version=2025-05-01";
    ArmAnswer answer =
        model
            .handle(
                ArmCall.to(
                    method,
                    ORIGIN,
                    url.replace(ORIGIN, ""),
                    Optional.of(ifMatch).filter(etag -> !etag.isEmpty()),
                    body.isEmpty()
                        ? new Body.Absent()
                        : new Body.Json(ArmJson.object(body).deepCopy())))
            .answer();
    ObjectNode one = interactions.addObject().put("id", interactions.size() - 1);
    one.put("check", "life").put("t", "2026-11-29T07:00:00Z");
    ObjectNode request = one.putObject("request").put("method", method.name()).put("url", url);
    if (!ifMatch.isEmpty()) {
      request.putObject("headers").put("If-Match", ifMatch);
    }
    if (!body.isEmpty()) {
      request.set("body", ArmJson.object(body));
    }
    ObjectNode response = one.putObject("response").put("status", answer.status());
    ObjectNode headers = response.put("millis", 312).putObject("headers");
    answer.headers().forEach(headers::put);
    if (answer.content().isPresent()) {
      response.set("body", ArmJson.tree(answer.content().get()));
    } else {
      response.putNull("body");
    }
    return answer;
  }

  /** Polls the operation that an answer links to, after it has ended. */
  ArmAnswer poll(ArmAnswer accepted, String header) {
    end(accepted, header);
    return get(accepted.headers().get(header));
  }

  void end(ArmAnswer accepted, String header) {
    String link = accepted.headers().get(header).replace(ORIGIN, "").replaceFirst("\\?.*", "");
    model.complete(ArmPath.parse(link).operation().orElseThrow());
  }

  /** A group, a load balancer and a pool, from their creation to their deletion. */
  static ArrayNode life() {
    var azure = new ModelRecorder();
    azure.put(GROUP, LOCATED);
    azure.put(LB, LOCATED);
    String etag = azure.get(LB).headers().get("ETag");
    ArmAnswer written = azure.send(Method.PUT, POOL, etag, pool("node-1", "10.0.0.4", "Down"));
    azure.get(POOL);
    azure.get(written.headers().get("Azure-AsyncOperation"));
    azure.poll(written, "Azure-AsyncOperation");
    azure.get(POOL);
    azure.send(Method.PUT, POOL, etag, "{}");
    azure.get(LB + "/backendAddressPools/none");
    azure.put(POOL, pool("node-1", "10.0.0.400", "None"));
    azure.poll(azure.send(Method.DELETE, POOL, "", ""), "Location");
    azure.get(LB + "/backendAddressPools");
    ArmAnswer deleted = azure.send(Method.DELETE, GROUP, "", "");
    azure.get(deleted.headers().get("Location"));
    azure.poll(deleted, "Location");
    return azure.interactions;
  }
}
