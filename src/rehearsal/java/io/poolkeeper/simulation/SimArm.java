package io.poolkeeper.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.model.ArmModel;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.model.Operation;
import io.poolkeeper.armsim.model.Terms;
import io.poolkeeper.armsim.model.Terms.Contention;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.model.Terms.ParentAddresses;
import io.poolkeeper.armsim.model.Terms.UpdatingShown;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.net.SocketException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * ARM: the model of the ARM simulator behind a network that delays and loses, with the faults that
 * the run has drawn. Other writers reach the model directly.
 */
final class SimArm {
  private static final String PREFIX =
      "/subscriptions/%s/resourceGroups/%s".formatted(SimOptions.SUBSCRIPTION, SimOptions.GROUP);
  private static final String API = "api-version=2025-05-01";

  /** One of these for a whole run. */
  private static final List<Terms> TERMS =
      Stream.of(UpdatingShown.values())
          .flatMap(shown -> Contention.SEEN.stream().map(how -> terms(how, shown)))
          .toList();

  private final VirtualTime time;
  private final Chance chance;
  private final SimOptions options;
  private final ArmFaults faults;
  private final Terms terms;
  private final ArmModel model;
  final ArmTruth truth = new ArmTruth();

  /** What to do when one of the controller's operations has ended. */
  private final Map<String, Runnable> operations = new HashMap<>();

  SimArm(VirtualTime time, Chance chance, SimOptions options, ArmFaults faults) {
    this.time = time;
    this.chance = chance;
    this.options = options;
    this.faults = faults;
    this.terms = chance.pick(TERMS);
    this.model =
        new ArmModel(() -> new UUID(chance.nextLong(), chance.nextLong()).toString(), 3, 0);
    direct("PUT", PREFIX, ArmJson.MAPPER.createObjectNode().put("location", "eastus"));
  }

  private static Terms terms(Contention contention, UpdatingShown shown) {
    return new Terms(contention, 5, ParentAddresses.IGNORED, shown, Set.of(), Fate.APPLIED);
  }

  LoadBalancerId balancer(int number) {
    return new LoadBalancerId(SimOptions.SUBSCRIPTION, SimOptions.GROUP, name(number));
  }

  static String name(int number) {
    return number == 0 ? "kubernetes" : "lb-" + number;
  }

  /** The addresses that a pool holds; empty if there is no such pool. */
  Set<String> addresses(String path) {
    return new TreeSet<>(entries(path).values());
  }

  /** The same, by the names of their entries. */
  Map<String, String> entries(String path) {
    PoolId pool =
        ArmPath.parse(path)
            .pool()
            .orElseThrow(() -> new IllegalArgumentException("no pool: " + path));
    Map<String, String> found = new TreeMap<>();
    model
        .resources()
        .balancer(pool.loadBalancer())
        .flatMap(balancer -> balancer.members(pool.name()))
        .stream()
        .flatMap(List::stream)
        .forEach(member -> member.ip().ifPresent(ip -> found.put(member.name(), ip)));
    return found;
  }

  /** Something may have changed at a load balancer. */
  private void look(ArmPath at, boolean byOthers) {
    at.loadBalancer()
        .ifPresent(id -> truth.look(id, model.resources().balancer(id), byOthers, time.now()));
  }

  /** A request of the controller's, with all that may become of it. */
  void request(Exchange exchange, Wire.Reply reply, Ledger ledger) {
    ArmFaults.Course course = faults.of(exchange.call);
    time.after(
        course.there,
        () -> {
          if (course.lostOnTheWay) {
            time.after(course.back, () -> reply.failed(new SocketException("Connection reset")));
            return;
          }
          ArmAnswer answer =
              course.instead.filter(any -> !course.handledAllTheSame).isPresent()
                  ? course.instead.get()
                  : handle(exchange, course, ledger);
          ArmAnswer sent = course.instead.orElse(answer);
          time.after(course.back, () -> deliver(course, sent, reply));
        });
  }

  private void deliver(ArmFaults.Course course, ArmAnswer answer, Wire.Reply reply) {
    if (!reply.awaited()) {
      return;
    }
    if (course.replyLost) {
      reply.failed(new SocketException("Connection reset"));
      return;
    }
    reply.answered(onWire(answer));
  }

  private ArmAnswer handle(Exchange exchange, ArmFaults.Course course, Ledger ledger) {
    ArmCall call = exchange.call;
    ArmCall seen = options.has(Fault.IF_MATCH_IGNORED) && faults.on() ? blind(call) : call;
    Handled handled = model.handle(seen, terms.with(course.write));
    if (handled.accepted()) {
      look(call.path(), false);
    }
    handled
        .started()
        .ifPresent(
            operation -> {
              operations.put(operation, () -> ledger.operationEnded(exchange));
              begins(operation, call.path());
              time.after(course.operation, () -> end(operation, call.path(), course.outcome));
            });
    ledger.handled(exchange, handled, course.write == Fate.LOST);
    return handled.answer();
  }

  private static ArmCall blind(ArmCall call) {
    return new ArmCall(
        call.method(),
        call.rawPath(),
        call.rawQuery(),
        call.path(),
        call.origin(),
        call.apiVersion(),
        Optional.empty(),
        call.skipToken(),
        call.body());
  }

  private void begins(String operation, ArmPath path) {
    path.loadBalancer().ifPresent(id -> truth.operation(id, operation, true));
  }

  private void end(String operation, ArmPath path, Operation.Outcome outcome) {
    Runnable ended = operations.remove(operation);
    boolean ran = model.end(operation, outcome);
    look(path, ended == null);
    path.loadBalancer().ifPresent(id -> truth.operation(id, operation, false));
    if (ran && ended != null) {
      ended.run();
    }
  }

  /** A call of another writer's: handled at once, and its operation ends in time. */
  Handled direct(String method, String path, JsonNode body) {
    ArmCall call = call(method, SimOptions.ENDPOINT + path + "?" + API, Map.of(), body.toString());
    Handled handled = model.handle(call);
    if (!handled.accepted() && handled.answer().status() / 100 != 2) {
      throw new IllegalStateException(method + " " + path + ": " + handled.answer().text());
    }
    if (handled.started().isPresent()) {
      runs(handled, call.path(), () -> {});
    }
    if (handled.accepted() && call.path().resource().filter(ResourceId::isBalancer).isPresent()) {
      // What is at another one is nothing that the controller could put right.
      call.path()
          .loadBalancer()
          .filter(id -> !id.equals(balancer(options.size().loadBalancers())))
          .ifPresent(id -> truth.arrange(id, rules(body)));
    }
    look(call.path(), true);
    return handled;
  }

  /**
   * A write of another writer's that is refused like any other.
   *
   * @param ended runs when the operation of an accepted write has ended
   * @return whether it was accepted
   */
  boolean write(String path, JsonNode body, Optional<String> etag, Runnable ended) {
    Map<String, String> headers = etag.map(tag -> Map.of("if-match", tag)).orElse(Map.of());
    ArmCall call = call("PUT", SimOptions.ENDPOINT + path + "?" + API, headers, body.toString());
    Handled handled = model.handle(call, terms);
    look(call.path(), true);
    if (handled.accepted()) {
      runs(handled, call.path(), ended);
    }
    return handled.accepted();
  }

  /** The operation of another writer's call, if it has one, ends well within seconds. */
  private void runs(Handled handled, ArmPath path, Runnable ended) {
    handled.started().ifPresent(operation -> begins(operation, path));
    time.after(
        chance.between(Duration.ofMillis(200), Duration.ofSeconds(8)),
        () -> {
          handled.started().ifPresent(one -> end(one, path, new Operation.Outcome.Succeeded()));
          ended.run();
        });
  }

  /** What another writer reads. */
  JsonNode read(String path) {
    ArmCall call = call("GET", SimOptions.ENDPOINT + path + "?" + API, Map.of(), "");
    return model
        .handle(call)
        .answer()
        .content()
        .<JsonNode>map(ArmJson::tree)
        .orElseGet(ArmJson.MAPPER::createObjectNode);
  }

  private static Set<String> rules(JsonNode balancer) {
    Set<String> found = new TreeSet<>();
    for (JsonNode rule : balancer.at("/properties/loadBalancingRules")) {
      String pool = rule.at("/properties/backendAddressPool/id").asText();
      found.add(pool.substring(pool.lastIndexOf('/') + 1) + " " + rule.path("name").asText());
    }
    return found;
  }

  /** A request as the model takes it. */
  static ArmCall call(String method, String url, Map<String, String> headers, String body) {
    return ArmCall.to(
        ArmCall.Method.valueOf(method.toUpperCase(Locale.ROOT)),
        SimOptions.ENDPOINT,
        url.substring(SimOptions.ENDPOINT.length()),
        Optional.ofNullable(headers.get("if-match")),
        body(body));
  }

  private static ArmCall.Body body(String text) {
    if (text.isEmpty()) {
      return new ArmCall.Body.Absent();
    }
    try {
      return new ArmCall.Body.Json(ArmJson.MAPPER.readTree(text));
    } catch (JsonProcessingException wrong) {
      return new ArmCall.Body.Malformed(wrong.getOriginalMessage());
    }
  }

  private static Wire.Answer onWire(ArmAnswer answer) {
    Map<String, String> headers = new LinkedHashMap<>(answer.headers());
    headers.putIfAbsent("Content-Type", "application/json");
    return new Wire.Answer(answer.status(), headers, answer.text());
  }
}
