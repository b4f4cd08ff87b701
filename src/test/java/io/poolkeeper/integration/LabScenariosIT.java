package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.Entropy;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.lab.Lab;
import io.poolkeeper.lab.LabOptions;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.lab.report.Check;
import io.poolkeeper.lab.report.Report;
import io.poolkeeper.lab.scenario.ArmSeed;
import io.poolkeeper.lab.scenario.Scenario;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The lab's rehearsals in this JVM, on a short interval. */
class LabScenariosIT {
  private static final String RETRYING = "LoadBalancerBackendPoolUpdateRetrying";
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
          "readyMillis");
  private static final List<String> ARM =
      List.of("get", "put", "list", "put429", "put412", "put409", "maxInFlightPerLoadBalancer");
  private static final List<String> SPREAD = List.of("count", "p50", "p99", "max");

  @Test
  void rollingRestartPasses() throws Exception {
    Report report = rehearse(Scenario.ROLLING_RESTART);

    assertPassed(report, "rolling-restart");
    assertThat(report.propagationMillis().count()).isPositive();
    assertThat(report.withinIntervalMillis().count()).isPositive();
  }

  @Test
  void burstPasses() throws Exception {
    Report report = rehearse(Scenario.BURST);

    assertPassed(report, "burst");
    assertThat(report.withinIntervalMillis().count()).isPositive();
  }

  /** Six writes and a read are refused; waiting pools report nothing. */
  @Test
  void throttlePasses() throws Exception {
    Report report = rehearse(Scenario.THROTTLE);

    assertReported(report, "throttle");
    assertThat(report.arm().put429()).isEqualTo(6);
    assertThat(report.events().get(RETRYING)).isEqualTo(6 + 1);
    assertThat(report.events()).containsOnlyKeys(ControllerFixture.UPDATED, RETRYING);
  }

  /** Seven writes are refused; six fail after they were accepted. */
  @Test
  void conflictPasses() throws Exception {
    Report report = rehearse(Scenario.CONFLICT);

    assertReported(report, "conflict");
    assertThat(report.arm().put409()).isEqualTo(5);
    assertThat(report.arm().put412()).isEqualTo(2);
    assertThat(report.events().get(RETRYING)).isEqualTo(5 + 2 + 6);
    assertThat(report.events()).containsOnlyKeys(ControllerFixture.UPDATED, RETRYING);
  }

  @Test
  void restartStormPasses() throws Exception {
    Report report = rehearse(Scenario.RESTART_STORM);

    List<String> members = new ArrayList<>(MEMBERS);
    members.add("storm");
    assertReported(report, "restart-storm", members, List.of("count"));
    JsonNode storm = new JsonMapper().readTree(report.json()).path("storm");
    assertThat(storm.fieldNames())
        .toIterable()
        .containsExactly("pools", "writes", "amplification", "slowestMillis");
    assertThat(storm.path("pools").asInt()).isEqualTo(52);
    assertThat(report.arm().put()).isEqualTo(52);
    // At least the gate and some errors.
    assertThat(storm.path("writes").asInt()).isGreaterThanOrEqualTo(55);
    assertThat(storm.path("amplification").asDouble()).isBetween(1.05, 1.35);
    assertThat(storm.path("slowestMillis").asLong()).isGreaterThanOrEqualTo(5_000);
    assertThat(report.arm().put429()).isPositive();
    assertThat(report.events().get(RETRYING)).isPositive();
  }

  private static LabOptions options(Scenario scenario) {
    Optional<Duration> interval = Optional.of(Duration.ofSeconds(2));
    return new LabOptions(scenario, 1, interval, LatencyProfile.FAST, true, 0, Optional.empty());
  }

  private static Report rehearse(Scenario scenario) throws Exception {
    LabOptions options = options(scenario);
    try (Lab lab = Lab.open(options, Entropy.seeded(1), line -> {})) {
      lab.startController();
      return lab.rehearse();
    }
  }

  private static void assertPassed(Report report, String scenario) throws Exception {
    assertReported(report, scenario);
    assertThat(report.arm().put412()).isZero();
    assertThat(report.arm().put409()).isZero();
    assertThat(report.arm().put429()).isZero();
    assertThat(report.events()).containsOnlyKeys(ControllerFixture.UPDATED);
  }

  private static void assertReported(Report report, String scenario) throws Exception {
    assertReported(report, scenario, MEMBERS, SPREAD);
  }

  private static void assertReported(
      Report report, String scenario, List<String> members, List<String> spread) throws Exception {
    assertThat(report.checks())
        .hasSizeGreaterThanOrEqualTo(12)
        .allSatisfy(check -> assertThat(check.passed()).as(check.toString()).isTrue());
    assertThat(report.passed()).isTrue();
    JsonNode json = new JsonMapper().readTree(report.json());
    assertThat(json.fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(members);
    assertThat(json.path("scenario").asText()).isEqualTo(scenario);
    assertThat(json.path("passed").asBoolean()).isTrue();
    assertThat(json.path("intervalMillis").asLong()).isEqualTo(2_000);
    assertThat(json.path("profile").asText()).isEqualTo("fast");
    assertThat(json.path("lostUpdates").asInt(-1)).isZero();
    assertThat(json.path("arm").fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(ARM);
    assertThat(json.at("/arm/maxInFlightPerLoadBalancer").asInt()).isEqualTo(1);
    assertThat(json.at("/arm/put").asInt()).isPositive();
    assertThat(json.at("/arm/get").asInt()).isGreaterThanOrEqualTo(json.at("/arm/put").asInt());
    assertThat(json.path("withinIntervalMillis").fieldNames())
        .toIterable()
        .containsExactlyElementsOf(spread);
    assertThat(json.path("checks"))
        .allSatisfy(
            check ->
                assertThat(check.fieldNames())
                    .toIterable()
                    .containsExactly("name", "passed", "detail"));
  }

  /**
   * Without a controller the judge finds the pools that were seeded wrong, so the check can fail.
   */
  @Test
  void theJudgeFindsWrongPools() throws Exception {
    LabOptions options = options(Scenario.BURST);
    try (Lab lab = Lab.open(options, Entropy.seeded(1), line -> {});
        KubernetesClient client = KubeClients.create(Optional.of(kubeconfig(lab)));
        Judge judge = new Judge(client, ArmSeed.each(lab.arm().endpoint()))) {
      assertThat(judge.differences())
          .satisfiesExactlyInAnyOrder(
              wrong -> assertThat(wrong).startsWith("kubernetes/poolkeeper-lab-web holds {}, "),
              wrong ->
                  assertThat(wrong).startsWith("LB-2-internal/poolkeeper-lab-reports holds {"));

      client.nodes().withName("lab-node-02").delete();

      List<String> differences = judge.differences();
      assertThat(differences).hasSizeGreaterThan(2);
      assertThat(Check.nothing("every pool equals its wish", differences).passed()).isFalse();
    }
  }

  private static Path kubeconfig(Lab lab) {
    return lab.coordinates().stream()
        .filter(line -> line.startsWith("kubeconfig "))
        .map(line -> Path.of(line.substring("kubeconfig ".length())))
        .findFirst()
        .orElseThrow();
  }
}
