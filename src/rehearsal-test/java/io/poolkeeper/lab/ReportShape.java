package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What every report of a rehearsal that passed has, as its readers find it. */
public final class ReportShape {
  private static final String UPDATED = "LoadBalancerBackendPoolUpdated";
  private static final List<String> MEMBERS =
      List.of(
          "scenario",
          "seed",
          "passed",
          "durationMillis",
          "intervalMillis",
          "profile",
          "notes",
          "checks",
          "propagationMillis",
          "withinIntervalMillis",
          "arm",
          "events",
          "lostUpdates",
          "wronglyDown",
          "notDown",
          "readyMillis",
          "speed",
          "writes");
  private static final String FOUND = "LoadBalancerLeftoverFound";
  private static final List<String> ARM =
      List.of("get", "put", "list", "put429", "put412", "put409", "maxInFlightPerLoadBalancer");
  private static final List<String> SPREAD = List.of("count", "p50", "p99", "max");

  private ReportShape() {}

  /** Of a scenario in which ARM refuses nothing. */
  public static void assertPassed(String report, String scenario, Duration interval)
      throws JsonProcessingException {
    JsonNode json = assertReported(report, scenario, interval, SPREAD);
    assertThat(json.at("/withinIntervalMillis/count").asInt()).isPositive();
    assertThat(json.at("/arm/put412").asInt(-1)).isZero();
    assertThat(json.at("/arm/put409").asInt(-1)).isZero();
    assertThat(json.at("/arm/put429").asInt(-1)).isZero();
    assertThat(json.path("events").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(UPDATED, FOUND);
  }

  /** Of any scenario. */
  public static void assertReported(String report, String scenario, Duration interval)
      throws JsonProcessingException {
    assertReported(report, scenario, interval, SPREAD);
  }

  static JsonNode assertReported(
      String report, String scenario, Duration interval, List<String> spread, String... more)
      throws JsonProcessingException {
    JsonNode json = new JsonMapper().readTree(report);
    List<String> members = Stream.concat(MEMBERS.stream(), Stream.of(more)).toList();
    assertThat(json.fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(members);
    // First, so that a failure names the check.
    assertThat(json.path("checks"))
        .hasSizeGreaterThanOrEqualTo(8)
        .allSatisfy(check -> assertThat(check.path("passed").asBoolean()).as("%s", check).isTrue())
        .allSatisfy(
            check ->
                assertThat(check.fieldNames())
                    .toIterable()
                    .containsExactly("name", "passed", "detail"));
    assertThat(json.path("scenario").asText()).isEqualTo(scenario);
    assertThat(json.path("passed").asBoolean()).isTrue();
    assertThat(json.path("intervalMillis").asLong()).isEqualTo(interval.toMillis());
    assertThat(json.path("profile").asText()).isEqualTo("fast");
    assertThat(json.path("lostUpdates").asInt(-1)).isZero();
    assertThat(json.path("wronglyDown").asInt(-1)).isZero();
    assertThat(json.path("notDown").asInt(-1)).isZero();
    assertThat(json.path("arm").fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(ARM);
    assertThat(json.at("/arm/maxInFlightPerLoadBalancer").asInt()).isEqualTo(1);
    assertThat(json.at("/arm/put").asInt()).isPositive();
    assertThat(json.at("/arm/get").asInt()).isGreaterThanOrEqualTo(json.at("/arm/put").asInt());
    assertThat(json.path("withinIntervalMillis").fieldNames())
        .toIterable()
        .containsExactlyElementsOf(spread);
    assertThat(json.path("speed").fieldNames())
        .toIterable()
        .containsExactly(
            "afterQuietMillis", "insideIntervalMillis", "heldByArmMillis", "tickMillis");
    assertThat(json.path("writes").fieldNames())
        .toIterable()
        .containsExactly("mostPerPoolAndInterval", "lowestTokens");
    return json;
  }
}
