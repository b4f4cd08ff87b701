package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.judge.Call;
import io.poolkeeper.judge.Call.Shows;
import io.poolkeeper.model.PoolId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What goes over the wire, in the terms of the judge of waiting. */
final class WaitCalls {
  private WaitCalls() {}

  /**
   * A call that is sent.
   *
   * @param whose the pool that it is about
   */
  static Call call(long number, Exchange exchange, Optional<PoolId> whose) {
    Call.Kind kind =
        switch (exchange.kind()) {
          case "put" -> Call.Kind.PUT;
          case "get" -> Call.Kind.GET;
          // A look at a few pools takes the place of a listing.
          case "list", "look" -> Call.Kind.LIST;
          default -> Call.Kind.POLL;
        };
    Map<String, Boolean> body = exchange.write() ? downs(exchange.call.object()) : Map.of();
    Map<String, Boolean> read = new HashMap<>();
    exchange.attempt.ifPresent(
        attempt -> attempt.read.forEach((one, state) -> read.put(one, state.equals("Down"))));
    boolean members = exchange.write() && !body.keySet().equals(read.keySet());
    boolean states =
        body.entrySet().stream()
            .anyMatch(one -> !one.getValue().equals(read.getOrDefault(one.getKey(), false)));
    Optional<PoolId> turn = whose.filter(any -> kind != Call.Kind.LIST);
    return new Call(number, kind, turn, members, states, body);
  }

  /** What an answer shows of a write. */
  static Shows shows(Call call, Wire.Answer answer, Optional<JsonNode> json) {
    if (json.isEmpty()) {
      return Shows.NONSENSE;
    }
    JsonNode body = json.get();
    return switch (call.kind()) {
      case LIST -> body.path("value").isMissingNode() ? Shows.NONSENSE : Shows.ENDED;
      case GET -> Attempt.updating(body) ? Shows.RUNS : Shows.ENDED;
      case PUT ->
          answer.headers().containsKey("Azure-AsyncOperation")
                  && !body.at("/properties/provisioningState").asText().equals("Succeeded")
              ? Shows.RUNS
              : Shows.ENDED;
      case POLL ->
          switch (body.path("status").asText()) {
            case "Succeeded" -> Shows.ENDED;
            case "Canceled" -> Shows.SUPERSEDED;
            case "Failed" ->
                body.at("/error/code").asText().startsWith("RetryableError")
                    ? Shows.SUPERSEDED
                    : Shows.FAILED;
            default -> Shows.RUNS;
          };
    };
  }

  /** Of each address of a pool: whether its entry is Down. */
  static Map<String, Boolean> downs(JsonNode pool) {
    Map<String, Boolean> downs = new HashMap<>();
    Exchange.states(pool).forEach((address, state) -> downs.put(address, state.equals("Down")));
    return downs;
  }
}
