package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.judge.Call;
import io.poolkeeper.judge.Call.Shows;
import io.poolkeeper.judge.WaitJudge;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says to the judge of waiting what goes over the wire of one process, and what answers show. */
final class WaitCalls {
  /** A call repeats itself for so long. */
  private static final Duration IN_CALL = Duration.ofSeconds(10);

  private final WaitJudge judge;
  private final SimProcess process;
  private final SimWorld sim;
  private final Map<Exchange, Call> calls = new HashMap<>();

  /** What the pages of a listing have shown that is under way. */
  private final List<JsonNode> pages = new ArrayList<>();

  private Instant listedSince = Instant.MIN;
  private boolean leads;

  /** Whether no page has come: the same listing begins again within its time. */
  private boolean repeats;

  private boolean listed;
  private long numbers;

  WaitCalls(WaitJudge judge, SimProcess process, SimWorld sim) {
    this.judge = judge;
    this.process = process;
    this.sim = sim;
  }

  /** Whether the process has been given a listing that counts. */
  boolean listed() {
    return listed;
  }

  private static Map<String, Boolean> downs(JsonNode pool) {
    Map<String, Boolean> downs = new HashMap<>();
    Exchange.states(pool).forEach((address, state) -> downs.put(address, state.equals("Down")));
    return downs;
  }

  void sent(Exchange exchange, Optional<PoolId> whose) {
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
    Call call = new Call(++numbers, kind, turn, members, states, body);
    calls.put(exchange, call);
    if (exchange.kind().equals("list") && exchange.call.skipToken().isEmpty()) {
      pages.clear();
      boolean repeated = repeats && sim.time.now().isBefore(listedSince.plus(IN_CALL));
      listedSince = repeated ? listedSince : sim.time.now();
      repeats = true;
      leads = process.election().leads();
    }
    judge.sent(call, sim.time.now());
  }

  void failed(Exchange exchange) {
    Optional.ofNullable(calls.remove(exchange))
        .ifPresent(call -> judge.unanswered(call, sim.time.now()));
  }

  void arrived(Exchange exchange, Wire.Answer answer, Optional<JsonNode> json) {
    Call call = calls.remove(exchange);
    if (call == null) {
      return;
    }
    Duration asked =
        GateLedger.asked(answer.headers().getOrDefault("Retry-After", ""), sim.faults.wall());
    boolean lock = answer.body().contains("\"RetryableError");
    Optional<Duration> after = Optional.of(asked).filter(Duration::isPositive);
    judge.answered(
        call,
        new Call.Answer(answer.status(), after, lock, shows(call, answer, json)),
        sim.time.now());
    if (answer.status() == 200 && json.isPresent()) {
      shown(exchange, call, json.get());
    } else if (answer.status() == 404 && exchange.call.path() instanceof ArmPath.OnePool one) {
      judge.notFound(one.id(), sim.time.now());
    }
  }

  private static Shows shows(Call call, Wire.Answer answer, Optional<JsonNode> json) {
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

  private void shown(Exchange exchange, Call call, JsonNode body) {
    if (exchange.call.path() instanceof ArmPath.OnePool one) {
      // The turnstile asks only whether a write has ended; no pool hears of the rest.
      boolean settles = exchange.kind().equals("get") && exchange.attempt.isEmpty();
      if (call.kind() != Call.Kind.PUT && !settles && ofAService(body)) {
        judge.shown(one.id(), downs(body), exchange.sentAt, sim.time.now());
      }
    } else if (call.kind() == Call.Kind.LIST && !body.path("value").isMissingNode()) {
      pages.add(body);
      repeats = false;
      if (body.path("nextLink").isMissingNode()) {
        listingEnds();
      }
    }
  }

  /** A listing shows nothing before it is whole. */
  private void listingEnds() {
    // What was listed before it led does not count for the process.
    listed |= leads;
    for (JsonNode page : pages) {
      for (JsonNode balancer : page.path("value")) {
        for (JsonNode pool : balancer.at("/properties/backendAddressPools")) {
          if (ofAService(pool)) {
            PoolId id = WaitRules.pool(pool.path("id").asText());
            judge.listed(id, downs(pool), listedSince, sim.time.now());
          }
        }
      }
    }
  }

  /** Without its rules the process cannot know whose it is. */
  private static boolean ofAService(JsonNode pool) {
    return !pool.at("/properties/loadBalancingRules").isEmpty();
  }
}
