package io.poolkeeper.integration;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.armsim.swagger.ArmSchema;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Checks every request against Azure's swagger: a known route, its query, and a body of the right
 * type. Polls, resource groups and rights have other swaggers and pass.
 */
final class RequestSchemaCheck implements Consumer<ArmCall> {
  private static final ArmSchema SCHEMA = new ArmSchema();

  private final List<String> routes = new CopyOnWriteArrayList<>();
  private final List<String> objections = new CopyOnWriteArrayList<>();

  @Override
  public void accept(ArmCall call) {
    boolean elsewhere =
        call.path() instanceof ArmPath.OperationStatus
            || call.path() instanceof ArmPath.OperationResult
            || call.path() instanceof ArmPath.Group
            || call.rawPath().contains("/providers/Microsoft.Authorization/");
    if (elsewhere) {
      return;
    }
    String method = call.method().name();
    SCHEMA.route(method, call.rawPath()).ifPresent(routes::add);
    SCHEMA
        .request(method, call.rawPath(), call.rawQuery(), body(call.body()))
        .forEach(wrong -> objections.add(method + " " + call.rawPath() + ": " + wrong));
  }

  private Optional<JsonNode> body(Body body) {
    return switch (body) {
      case Body.Json json -> Optional.of(json.value());
      case Body.Absent absent -> Optional.empty();
      case Body.Malformed malformed -> objected("malformed body: " + malformed.why());
      case Body.TooLarge large -> objected("body of more than " + large.limitBytes() + " bytes");
    };
  }

  private Optional<JsonNode> objected(String why) {
    objections.add(why);
    return Optional.empty();
  }

  /** The routes that were used, in order. */
  List<String> routes() {
    return List.copyOf(routes);
  }

  /** The errors of all requests. */
  List<String> objections() {
    return List.copyOf(objections);
  }
}
