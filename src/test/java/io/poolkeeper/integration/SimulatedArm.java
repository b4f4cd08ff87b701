package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The ARM simulator with one resource group, used over HTTP. Every request is checked against
 * Azure's swagger, and an error fails the test at its end.
 */
final class SimulatedArm implements AutoCloseable {
  static final String SUBSCRIPTION = "00000000-0000-0000-0000-00000000000a";
  static final String GROUP = "rg-1";
  static final String NETWORK =
      "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/virtualNetworks/vnet"
          .formatted(SUBSCRIPTION, GROUP);
  private static final String API = "?api-version=2025-05-01";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final JsonMapper JSON = new JsonMapper();

  private final ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "arm");
  private final HttpClient http = HttpClient.newHttpClient();
  private final RequestSchemaCheck schema = new RequestSchemaCheck();
  private final ArmSim sim = done(ArmSim.start(system, settings(), schema));

  /**
   * A pool of a load balancer, and the rules that send to it.
   *
   * @param entries address to entry name
   */
  record Seed(String pool, List<String> rules, Map<String, String> entries) {
    static Seed of(String pool, String rulePrefix) {
      return new Seed(pool, List.of(rulePrefix + "-TCP-80"), Map.of());
    }

    Seed holding(Map<String, String> addresses) {
      return new Seed(pool, rules, addresses);
    }
  }

  SimulatedArm() {
    expect(
        201, send("PUT", id(), JSON.createObjectNode().put("location", "westeurope").toString()));
  }

  private static ArmSimSettings settings() {
    return ArmSimSettings.fast(System::nanoTime, InstantSource.system());
  }

  private static String id() {
    return "/subscriptions/%s/resourceGroups/%s".formatted(SUBSCRIPTION, GROUP);
  }

  static PoolId pool(String loadBalancer, String pool) {
    return new LoadBalancerId(SUBSCRIPTION, GROUP, loadBalancer).pool(pool);
  }

  URI endpoint() {
    return sim.endpoint();
  }

  /** Creates or replaces a load balancer with these pools, at once and with their addresses. */
  void put(String name, Seed... seeds) {
    ObjectNode body = JSON.createObjectNode().put("location", "westeurope");
    ObjectNode properties = body.putObject("properties");
    properties.putArray("frontendIPConfigurations").addObject().put("name", "frontend");
    ArrayNode pools = properties.putArray("backendAddressPools");
    ArrayNode rules = properties.putArray("loadBalancingRules");
    for (Seed seed : seeds) {
      ObjectNode pool = pools.addObject().put("name", seed.pool());
      fill(pool.putObject("properties").putArray("loadBalancerBackendAddresses"), seed.entries());
      for (String rule : seed.rules()) {
        rules
            .addObject()
            .put("name", rule)
            .putObject("properties")
            .put("protocol", "Tcp")
            .put("frontendPort", 80)
            .putObject("backendAddressPool")
            .put("id", pool(name, seed.pool()).path());
      }
    }
    parentAddresses("replaced");
    write(new LoadBalancerId(SUBSCRIPTION, GROUP, name).path(), body);
    parentAddresses("ignored");
  }

  private void parentAddresses(String how) {
    expect(200, send("PUT", "/_behavior", "{\"parentAddresses\":\"%s\"}".formatted(how)));
  }

  /** The pool's document as ARM shows it. */
  ObjectNode document(String loadBalancer, String pool) {
    return (ObjectNode)
        json(expect(200, send("GET", pool(loadBalancer, pool).path() + API, "")).body());
  }

  /** The listing of the group as ARM shows it. */
  ObjectNode listing() {
    String path = id() + "/providers/Microsoft.Network/loadBalancers";
    return (ObjectNode) json(expect(200, send("GET", path + API, "")).body());
  }

  /** ARM answers the listing of the group so until the fault is lifted. */
  String listed(ObjectNode listing) {
    ObjectNode rule = JSON.createObjectNode().put("method", "GET").put("path", "/loadBalancers$");
    return fault(rule.put("status", 200).put("body", listing.toString()).toString());
  }

  /** Writes a pool as another client. */
  void putDocument(String loadBalancer, String pool, ObjectNode document) {
    write(pool(loadBalancer, pool).path(), document);
  }

  /** Gives a pool these entries, address to name, as another client. */
  void putMembers(String loadBalancer, String pool, Map<String, String> members) {
    ObjectNode document = document(loadBalancer, pool);
    ArrayNode entries =
        ((ObjectNode) document.path("properties")).putArray("loadBalancerBackendAddresses");
    fill(entries, members);
    putDocument(loadBalancer, pool, document);
  }

  private static void fill(ArrayNode entries, Map<String, String> members) {
    new TreeMap<>(members)
        .forEach(
            (address, name) ->
                entries
                    .addObject()
                    .put("name", name)
                    .putObject("properties")
                    .put("ipAddress", address));
  }

  private void write(String path, ObjectNode body) {
    HttpResponse<String> answer = send("PUT", path + API, body.toString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
    answer
        .headers()
        .firstValue("Azure-AsyncOperation")
        .ifPresent(poll -> assertThat(send("GET", poll, "").body()).contains("Succeeded"));
  }

  /** Address to entry name, as ARM holds them. */
  Map<String, String> members(String loadBalancer, String pool) {
    Map<String, String> members = new TreeMap<>();
    for (PoolMember member : sim.pool(pool(loadBalancer, pool)).orElseThrow()) {
      members.put(member.ip().orElse(""), member.name());
    }
    return members;
  }

  /** The requests for a pool that arrived since the mark, with any answer. */
  List<ArmLogEntry> requests(String method, String loadBalancer, String pool, int mark) {
    String path = pool(loadBalancer, pool).path().toLowerCase(Locale.ROOT);
    return sim.log().stream()
        .skip(mark)
        .filter(entry -> entry.method().equals(method))
        .filter(entry -> entry.path().toLowerCase(Locale.ROOT).equals(path))
        .toList();
  }

  List<ArmLogEntry> puts(String loadBalancer, String pool, int mark) {
    return requests("PUT", loadBalancer, pool, mark);
  }

  /** Every pool write since the mark. */
  List<String> allPuts(int mark) {
    return sim.log().stream()
        .skip(mark)
        .filter(entry -> entry.method().equals("PUT"))
        .map(ArmLogEntry::path)
        .toList();
  }

  /** What was asked for since the mark, by any method. */
  List<String> paths(int mark) {
    return sim.log().stream().skip(mark).map(ArmLogEntry::path).toList();
  }

  /** The reads of any pool since the mark, with any answer. */
  List<ArmLogEntry> reads(int mark) {
    return sim.log().stream()
        .skip(mark)
        .filter(entry -> entry.method().equals("GET"))
        .filter(entry -> entry.path().contains("/backendAddressPools/"))
        .toList();
  }

  /** The current position in the log. */
  int mark() {
    return sim.log().size();
  }

  /** The routes of Azure's swagger that requests have used, in order. */
  List<String> routes() {
    return schema.routes();
  }

  /** Adds a fault rule and returns its id. */
  String fault(String rule) {
    return json(expect(201, send("POST", "/_faults", rule)).body()).path("id").asText();
  }

  void lift(String fault) {
    expect(204, send("DELETE", "/_faults/" + fault, ""));
  }

  void liftAll() {
    expect(204, send("DELETE", "/_faults", ""));
  }

  /** Takes the right to an action away from everybody. */
  void deny(String action) {
    expect(201, send("POST", "/_denials", "{\"action\":\"%s\"}".formatted(action)));
  }

  void giveBackAll() {
    expect(204, send("DELETE", "/_denials", ""));
  }

  private HttpResponse<String> send(String method, String target, String body) {
    String url = target.startsWith("http") ? target : sim.endpoint() + target;
    URI uri = URI.create(url.contains("?") || target.startsWith("/_") ? url : url + API);
    try {
      return http.send(
          HttpRequest.newBuilder(uri)
              .timeout(PATIENCE)
              .method(
                  method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  private static HttpResponse<String> expect(int status, HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer;
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  private static <T> T done(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    http.shutdownNow();
    done(sim.close());
    system.terminate();
    done(system.getWhenTerminated());
    assertThat(schema.objections()).isEmpty();
  }
}
