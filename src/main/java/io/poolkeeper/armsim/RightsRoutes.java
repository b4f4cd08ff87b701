package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.rights.Denial;
import io.poolkeeper.armsim.rights.Rights;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The routes that take rights away and give them back: {@code /_denials}. */
record RightsRoutes(SimPort port) {
  private static final String ONE = "DELETE /_denials/\\d{1,18}";

  /** The answer; empty if there is no such route. */
  Optional<CompletionStage<HttpResponse>> handle(String method, String path, Body body) {
    String route = method + " " + path;
    return switch (route) {
      case "GET /_denials" -> Optional.of(port.tune(gate -> listed(gate.rights())));
      case "POST /_denials" -> Optional.of(deny(body));
      case "DELETE /_denials" ->
          Optional.of(
              port.tune(
                  gate -> {
                    gate.rights().clear();
                    return HttpResponse.create().withStatus(204);
                  }));
      default ->
          route.matches(ONE)
              ? Optional.of(giveBack(Long.parseLong(path.substring(path.lastIndexOf('/') + 1))))
              : Optional.empty();
    };
  }

  private CompletionStage<HttpResponse> deny(Body body) {
    Denial denial;
    try {
      denial = Denial.parse(TuningRoutes.json(body));
    } catch (IllegalArgumentException wrong) {
      return OwnRoutes.now(TuningRoutes.refused(wrong));
    }
    return port.tune(
        gate -> {
          OptionalLong id = gate.rights().take(denial);
          return id.isPresent()
              ? Responses.json(
                  201, ArmJson.MAPPER.createObjectNode().put("id", Long.toString(id.getAsLong())))
              : OwnRoutes.error(409, "too many denials; DELETE /_denials first");
        });
  }

  private CompletionStage<HttpResponse> giveBack(long id) {
    return port.tune(
        gate ->
            gate.rights().giveBack(id)
                ? HttpResponse.create().withStatus(204)
                : OwnRoutes.error(404, "no such denial"));
  }

  private static HttpResponse listed(Rights rights) {
    ArrayNode list = ArmJson.MAPPER.createArrayNode();
    rights.denials().forEach((id, denial) -> list.add(denial.json(id)));
    return Responses.json(200, list);
  }
}
