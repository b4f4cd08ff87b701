package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.putIfMatch;
import static io.poolkeeper.armsim.model.Calls.refusal;
import static io.poolkeeper.armsim.model.Calls.written;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.model.Terms.Contention;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.model.Terms.ParentAddresses;
import io.poolkeeper.armsim.model.Terms.UpdatingShown;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each deviation off and on: what a client sees of it in one small scene. */
class DeviationTest {
  private static final String VNET = GROUP + "/providers/Microsoft.Network/virtualNetworks/net";
  private static final String USED = LB + "/backendAddressPools/used";
  private static final String STALE = "W/\"00000000-0000-0000-0000-000000009999\"";
  private static final String DUPLICATE = "400 InvalidRequestFormat/";

  private final ArmModel model = new ArmModel(Calls.counting(), 10, 1);

  @BeforeEach
  void aLoadBalancerWithAUsedPool() {
    written(model, GROUP, "{\"location\":\"eastus\"}");
    written(
        model,
        VNET,
        """
        {"location":"eastus","properties":{"addressSpace":{"addressPrefixes":["10.0.0.0/24","fd00::/64"]},
         "subnets":[{"name":"x","properties":{"addressPrefix":"10.0.0.0/25"}}]}}""");
    written(model, LB, balancer("used"));
    written(model, LB, balancer("used", "p"));
    written(model, POOL, pool("a=10.0.0.1"));
  }

  /** A load balancer whose rules of both kinds use the first pool; one names two. */
  private static String balancer(String... pools) {
    return """
        {"location":"eastus","properties":{
         "frontendIPConfigurations":[{"name":"f","properties":{}}],
         "backendAddressPools":[%1$s],
         "outboundRules":[{"name":"o","properties":{"protocol":"All",
          "frontendIPConfigurations":[{"id":"%2$s/frontendIPConfigurations/f"}],
          "backendAddressPool":{"id":"%3$s"}}}],
         "loadBalancingRules":[{"name":"r","properties":{"frontendPort":1,"backendPort":1,"protocol":"Tcp",
          "frontendIPConfiguration":{"id":"%2$s/frontendIPConfigurations/f"},
          "backendAddressPool":{"id":"%3$s"},"backendAddressPools":[{"id":"%3$s"}]}}]}}"""
        .formatted(
            String.join(
                ",", Arrays.stream(pools).map(name -> "{\"name\":\"" + name + "\"}").toList()),
            LB,
            USED);
  }

  private static Terms terms(Set<Deviation> deviations) {
    return new Terms(
        Contention.SUPERSEDE,
        0,
        ParentAddresses.IGNORED,
        UpdatingShown.SIBLINGS,
        deviations,
        Fate.APPLIED);
  }

  /** What a client notes of one deviation, in words; every call is made under the same terms. */
  private final class Scene {
    private final Terms terms;

    Scene(Set<Deviation> deviations) {
      this.terms = terms(deviations);
    }

    String seen(Deviation deviation) {
      return switch (deviation) {
        case IF_MATCH_IGNORED -> staleWrites();
        case NONE_OMITTED -> states("None");
        case DOWN_LOST -> states("Down");
        case ETAG_ONCE -> etags();
        case READ_ONLY_REFUSED -> readOnly();
        case UNKNOWN_DROPPED -> unknown();
        case DUPLICATE_ADDRESS_ACCEPTED -> outcome(put(POOL, pool("a=10.0.0.1", "b=10.0.0.1")));
        case DUPLICATE_NAME_ACCEPTED -> outcome(put(POOL, pool("a=10.0.0.1", "A=10.0.0.2")));
        case OUTSIDE_REFUSED -> outside();
        case USED_POOL_DELETED -> deletion();
        case CASE_ECHOED -> echo();
        case QUOTA_HEADERS_ABSENT -> "the model sends none";
        case POLL_BY_LOCATION -> links();
      };
    }

    private Handled done(ArmCall call) {
      Handled handled = model.handle(call, terms);
      handled.started().ifPresent(model::complete);
      return handled;
    }

    /** The status, with the codes of a refusal. */
    private String outcome(ArmCall call) {
      Handled handled = done(call);
      return handled.accepted() ? "" + handled.answer().status() : refusal(handled);
    }

    private JsonNode read(String path) {
      return Calls.body(model.handle(get(path), terms));
    }

    private String staleWrites() {
      ArmCall delete = Calls.call(Method.DELETE, POOL, Optional.of(STALE), new Body.Absent());
      return Stream.of(
              putIfMatch(POOL, STALE, pool()), delete, putIfMatch(LB, STALE, balancer("used")))
          .map(call -> outcome(call).substring(0, 3))
          .toList()
          .toString();
    }

    /** A state as the answer to its PUT shows it, the pool, the load balancer. */
    private String states(String state) {
      String body = pool("a=10.0.0.1").replace("\"ip", "\"adminState\":\"" + state + "\",\"ip");
      String at = "/properties/loadBalancerBackendAddresses/0/properties/adminState";
      JsonNode answer = Calls.body(done(put(POOL, body)));
      return Stream.of(
              answer.at(at),
              read(POOL).at(at),
              read(LB).at("/properties/backendAddressPools/1" + at))
          .map(shown -> shown.asText("-"))
          .toList()
          .toString();
    }

    /** Whether it moves when a write is accepted, and when its operation ends. */
    private String etags() {
      String before = etag();
      String operation = model.handle(put(POOL, pool()), terms).started().orElseThrow();
      String accepted = etag();
      model.complete(operation);
      return "%s %s".formatted(!accepted.equals(before), !etag().equals(accepted));
    }

    private String etag() {
      return model.etag(ArmPath.parse(LB)).orElseThrow();
    }

    /** One pool PUT per member that only the server sets, and then one of a load balancer. */
    private String readOnly() {
      String entry = pool("a=10.0.0.1");
      return Stream.of(
              entry,
              entry.replaceFirst("\\{", "{\"id\":\"x\","),
              entry.replaceFirst("\\{", "{\"etag\":\"x\","),
              entry.replaceFirst("\\{", "{\"type\":\"x\","),
              entry.replaceFirst("properties\":\\{", "properties\":{\"provisioningState\":\"x\","),
              entry.replace("{\"name", "{\"id\":\"x\",\"name"),
              entry.replace("{\"name", "{\"etag\":\"x\",\"name"),
              entry.replace("{\"name", "{\"type\":\"x\",\"name"),
              entry.replace("{\"ip", "{\"provisioningState\":\"x\",\"ip"))
          .map(body -> outcome(put(POOL, body)))
          .toList()
          .toString();
    }

    private String unknown() {
      String body =
          """
          {"name":"p","new":1,"properties":{"new":2,"syncMode":"Manual","loadBalancerBackendAddresses":[
           {"name":"a","new":3,"properties":{"new":4,"ipAddress":"10.0.0.1"}}]}}""";
      done(put(POOL, body));
      String shown = read(POOL).toString();
      return Stream.of(
              "\"new\":1", "\"new\":2", "\"new\":3", "\"new\":4", "Manual", "10.0.0.1", "\"a\"")
          .filter(shown::contains)
          .toList()
          .toString();
    }

    /** Inside and outside, by every way to name the network; one that is unknown; none. */
    private String outside() {
      String other = VNET.replace("/rg/", "/other/");
      model.handle(put(GROUP.replace("/rg", "/other"), "{\"location\":\"eastus\"}"));
      return Stream.of(
              placed("10.0.0.255", "virtualNetwork", VNET),
              placed("10.0.1.0", "virtualNetwork", VNET),
              placed("fd00::1", "virtualNetwork", VNET),
              placed("fd00:0:0:1::1", "virtualNetwork", VNET),
              placed("10.0.1.0", "subnet", VNET + "/subnets/x"),
              pool("a=10.0.1.0")
                  .replaceFirst(
                      "properties\":\\{",
                      "properties\":{\"virtualNetwork\":{\"id\":\"" + VNET + "\"},"),
              placed("10.0.1.0", "virtualNetwork", other),
              pool("a=10.0.1.0"))
          .map(body -> outcome(put(POOL, body)))
          .toList()
          .toString();
    }

    private static String placed(String address, String member, String id) {
      return pool("a=" + address)
          .replace("\"ip", "\"%s\":{\"id\":\"%s\"},\"ip".formatted(member, id));
    }

    /** The deletion of a pool that two rules use, and whether the rules still name it. */
    private String deletion() {
      String outcome = outcome(Calls.delete(USED));
      String rest = read(LB).toString();
      return "%s %s %s".formatted(outcome, rest.contains(USED), rest.contains("\"backendPort\":1"));
    }

    private String echo() {
      String asked = POOL.toUpperCase(Locale.ROOT);
      JsonNode shown = read(asked);
      String entry = shown.at("/properties/loadBalancerBackendAddresses/0/id").asText();
      return "%s %s %s"
          .formatted(
              shown.path("id").asText().equals(asked),
              entry.equals(asked + "/loadBalancerBackendAddresses/a"),
              read(LB.toUpperCase(Locale.ROOT)).path("id").asText().equals(LB));
    }

    /** Which links a PUT has, and what they answer while it runs, when done, if it failed. */
    private String links() {
      Handled accepted = model.handle(put(POOL, pool()), terms);
      var headers = accepted.answer().headers();
      String location = headers.getOrDefault("Location", "");
      String links =
          "%s %s".formatted(headers.containsKey("Azure-AsyncOperation"), !location.isEmpty());
      if (location.isEmpty()) {
        return links;
      }
      ArmCall poll = get(location.substring(Calls.ORIGIN.length()));
      int running = model.handle(poll, terms).answer().status();
      model.complete(accepted.started().orElseThrow());
      int succeeded = model.handle(poll, terms).answer().status();
      Handled other = model.handle(put(POOL, pool("a=10.0.0.9")), terms);
      model.end(
          other.started().orElseThrow(), new Outcome.Failed("InternalServerError", "Broken."));
      String second = other.answer().headers().getOrDefault("Location", "");
      Handled failed = model.handle(get(second.substring(Calls.ORIGIN.length())), terms);
      return "%s %d %d %s".formatted(links, running, succeeded, refusal(failed));
    }
  }

  /** What is seen of a deviation when it is off and when it is on. */
  private static List<String> expected(Deviation deviation) {
    String invalid = "400 InvalidRequestFormat/InvalidJson";
    String outside = "400 PrivateIPAddressNotInSubnet";
    return switch (deviation) {
      case IF_MATCH_IGNORED -> List.of("[412, 412, 412]", "[200, 202, 412]");
      case NONE_OMITTED -> List.of("[None, None, None]", "[-, -, -]");
      case DOWN_LOST -> List.of("[Down, Down, Down]", "[-, -, -]");
      case ETAG_ONCE -> List.of("true true", "true false");
      case READ_ONLY_REFUSED ->
          List.of(
              "[200, 200, 200, 200, 200, 200, 200, 200, 200]",
              "[200%s]".formatted((", " + invalid).repeat(8)));
      case UNKNOWN_DROPPED ->
          List.of(
              "[\"new\":1, \"new\":2, \"new\":3, \"new\":4, Manual, 10.0.0.1, \"a\"]",
              "[Manual, 10.0.0.1, \"a\"]");
      case DUPLICATE_ADDRESS_ACCEPTED ->
          List.of(DUPLICATE + "DuplicateIpConfigurationReferenceOnBackendAddressPool", "200");
      case DUPLICATE_NAME_ACCEPTED -> List.of(DUPLICATE + "DuplicateResourceName", "200");
      case OUTSIDE_REFUSED ->
          List.of(
              "[200, 200, 200, 200, 200, 200, 200, 200]",
              "[200, %1$s, 200, %1$s, %1$s, %1$s, 200, 200]".formatted(outside));
      case USED_POOL_DELETED ->
          List.of("400 InUseBackendAddressPoolCannotBeDeleted true true", "202 false true");
      case CASE_ECHOED -> List.of("false false true", "true true true");
      case QUOTA_HEADERS_ABSENT -> List.of("the model sends none", "the model sends none");
      case POLL_BY_LOCATION -> List.of("true false", "false true 202 204 409 InternalServerError");
    };
  }

  @ParameterizedTest
  @EnumSource
  void handle_deviation_showsWhenItIsOnAlone(Deviation deviation) {
    ArmState start = model.snapshot();
    List<String> expected = expected(deviation);
    assertThat(new Scene(Set.of()).seen(deviation)).as("none").isEqualTo(expected.getFirst());
    // When
    for (Deviation on : Deviation.values()) {
      model.restore(start);
      String seen = new Scene(EnumSet.of(on)).seen(deviation);
      // Then
      assertThat(seen)
          .as(on.word())
          .isEqualTo(on == deviation ? expected.getLast() : expected.getFirst());
      assertThat(ArmState.load(Calls.dump(model))).as("saved").isEqualTo(model.snapshot());
    }
  }

  @Test
  void word_everyDeviation_isInTheTableOfThePage() throws Exception {
    String page = Files.readString(Path.of("docs/arm-simulator.md"));
    assertThat(page)
        .contains(Stream.of(Deviation.values()).map(one -> "\n| `" + one.word() + "` | ").toList());
  }
}
