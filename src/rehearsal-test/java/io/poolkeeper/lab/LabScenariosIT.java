package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.lab.judge.ArmHttp;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.process.Entropy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The lab's rehearsals in this JVM, on a short interval; {@code LabIT} has the rolling restart. */
@Execution(ExecutionMode.CONCURRENT)
class LabScenariosIT {
  private static final String UPDATED = "LoadBalancerBackendPoolUpdated";
  private static final String RETRYING = "LoadBalancerBackendPoolUpdateRetrying";
  private static final String FOUND = "LoadBalancerLeftoverFound";
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** It limits what a prompt change may take, which is long enough on a busy machine. */
  private static final Duration THROTTLED = Duration.ofSeconds(2);

  @Test
  @Tag("full")
  void tourPasses() throws Exception {
    LabReport report = rehearse(Scenario.TOUR);

    ReportShape.assertReported(report.json(), "tour", INTERVAL);
    assertThat(report.arm().put429()).isEqualTo(1);
    assertThat(report.arm().put412()).isEqualTo(1);
    assertThat(report.events().get(RETRYING)).isEqualTo(3);
    assertThat(report.speed().heldByArmMillis().count()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void burstPasses() throws Exception {
    LabReport report = rehearse(Scenario.BURST);

    ReportShape.assertPassed(report.json(), "burst", INTERVAL);
  }

  /** Six writes and a read are refused; waiting pools report nothing. */
  @Test
  @Tag("full")
  void throttlePasses() throws Exception {
    LabReport report = rehearse(Scenario.THROTTLE);

    ReportShape.assertReported(report.json(), "throttle", THROTTLED);
    assertThat(report.arm().put429()).isEqualTo(6);
    assertThat(report.events().get(RETRYING)).isEqualTo(6 + 1);
    assertThat(report.events()).containsOnlyKeys(UPDATED, RETRYING, FOUND);
  }

  /** Seven writes are refused; six fail after they were accepted. */
  @Test
  void conflictPasses() throws Exception {
    LabReport report = rehearse(Scenario.CONFLICT);

    ReportShape.assertReported(report.json(), "conflict", INTERVAL);
    assertThat(report.arm().put409()).isEqualTo(5);
    assertThat(report.arm().put412()).isEqualTo(2);
    assertThat(report.events().get(RETRYING)).isEqualTo(5 + 2 + 6);
    assertThat(report.events()).containsOnlyKeys(UPDATED, RETRYING, FOUND);
  }

  @Test
  @Tag("full")
  void peerDamagePasses() throws Exception {
    LabReport report = rehearse(Scenario.PEER_DAMAGE);

    JsonNode damage =
        ReportShape.assertReported(
                report.json(),
                "peer-damage",
                INTERVAL,
                List.of("count", "p50", "p99", "max"),
                "damage")
            .path("damage");
    assertThat(damage.at("/withEventMillis/count").asInt()).isEqualTo(6);
    assertThat(damage.at("/withoutEventMillis/count").asInt()).isEqualTo(6);
    assertThat(damage.at("/withEventMillis/p50").asLong())
        .isLessThan(damage.at("/withoutEventMillis/p50").asLong());
  }

  /** {@code mvn verify} does so on a real API server. */
  @Test
  @Tag("full")
  void drainPasses() throws Exception {
    assertDrained(rehearse(Scenario.DRAIN), "drain", 17);
  }

  @Test
  @Tag("full")
  void spotPasses() throws Exception {
    assertDrained(rehearse(Scenario.SPOT), "spot", 8);
  }

  /** The judge alone decides: what the killed ones have reported, nobody knows. */
  @Test
  @Tag("full")
  void crashPasses() throws Exception {
    LabReport report = rehearse(options(Scenario.CRASH, 5));

    assertThat(report.checks()).hasSize(9).allMatch(check -> check.passed());
    assertThat(report.passed()).isTrue();
    assertThat(report.kills()).isEqualTo(5);
    assertThat(report.lostUpdates() + report.wronglyDown() + report.notDown()).isZero();
    assertThat(report.arm().put()).isGreaterThan(5);
  }

  /** Nothing is lost, whoever writes; the cloud provider gets its permits. */
  @Test
  @Tag("full")
  void otherWriterPasses() throws Exception {
    LabReport report = rehearse(Scenario.OTHER_WRITER);

    assertThat(report.checks()).hasSize(15).allMatch(check -> check.passed());
    assertThat(report.passed()).isTrue();
    assertThat(report.lostUpdates() + report.wronglyDown() + report.notDown()).isZero();
    assertThat(report.events().keySet()).isSubsetOf(UPDATED, RETRYING, FOUND);
    LabReport.SharedLease lease = Objects.requireNonNull(report.sharedLease());
    assertThat(lease.attempts() - lease.failed()).isEqualTo(13);
    assertThat(lease.longestRun()).isBetween(Math.min(1, lease.failed()), lease.failed());
    assertThat(report.json()).contains("\"sharedLease\"", "\"longestRun\"");
  }

  /** On the interval that is shipped, as the bounds are of what the slow writes may not delay. */
  @Test
  @Tag("full")
  void slowWritePasses() throws Exception {
    LabReport report = rehearse(options(Scenario.SLOW_WRITE, 1, Optional.empty()));

    assertThat(report.checks()).hasSize(13).allMatch(check -> check.passed());
    assertThat(report.passed()).isTrue();
    assertThat(report.events()).containsOnlyKeys(UPDATED, RETRYING, FOUND);
    assertThat(report.propagationMillis().max()).isLessThan(16_000);
    assertThat(Objects.requireNonNull(report.drainMillis()).last().max()).isLessThan(1_000);
  }

  /** The judge has its own history of all bindings. */
  @Test
  @Tag("full")
  void admissionPasses() throws Exception {
    LabReport report = rehearse(Scenario.ADMISSION);

    assertThat(report.checks()).hasSize(9).allMatch(check -> check.passed());
    assertThat(report.passed()).isTrue();
    assertThat(report.events()).containsOnlyKeys(UPDATED, FOUND);
    LabReport.Admission admission = Objects.requireNonNull(report.admission());
    assertThat(admission.bindings()).isGreaterThan(300);
    assertThat(admission.resets()).isGreaterThanOrEqualTo(5);
    assertThat(admission.longestHoldMillis()).isGreaterThanOrEqualTo(10_000);
    assertThat(report.json()).contains("\"admission\"", "\"longestHoldMillis\"");
  }

  private static void assertDrained(LabReport report, String scenario, int signals)
      throws Exception {
    List<String> inside =
        report.withinIntervalMillis().count() == 0
            ? List.of("count")
            : List.of("count", "p50", "p99", "max");
    JsonNode json =
        ReportShape.assertReported(report.json(), scenario, INTERVAL, inside, "drainMillis");
    assertThat(json.at("/drainMillis").fieldNames()).toIterable().containsExactly("first", "last");
    assertThat(json.at("/drainMillis/first/count").asInt()).isEqualTo(signals);
    assertThat(json.at("/drainMillis/last/max").asLong())
        .isGreaterThanOrEqualTo(json.at("/drainMillis/first/max").asLong());
    assertThat(report.checks())
        .extracting(check -> check.name())
        .contains(
            "Up is never written",
            "each change of a node was reported once on it",
            "nodes are tainted as the signals say");
  }

  @Test
  @Tag("full")
  void restartStormPasses() throws Exception {
    LabReport report = rehearse(Scenario.RESTART_STORM);

    JsonNode storm =
        ReportShape.assertReported(
                report.json(), "restart-storm", INTERVAL, List.of("count"), "storm")
            .path("storm");
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

  private static LabOptions options(Scenario scenario, int kills) {
    return options(
        scenario, kills, Optional.of(scenario == Scenario.THROTTLE ? THROTTLED : INTERVAL));
  }

  private static LabOptions options(Scenario scenario, int kills, Optional<Duration> interval) {
    return new LabOptions(
        scenario, 1, interval, LatencyProfile.FAST, true, 0, Optional.empty(), kills);
  }

  private static LabReport rehearse(Scenario scenario) throws Exception {
    return rehearse(options(scenario, 1));
  }

  private static LabReport rehearse(LabOptions options) throws Exception {
    try (Lab lab = Lab.open(options, Entropy.seeded(1), line -> {})) {
      lab.startController();
      return lab.rehearse();
    }
  }

  /**
   * Without a controller the judge finds the pools that were seeded wrong, so the check can fail.
   */
  @Test
  void theJudgeFindsWrongPools() throws Exception {
    try (Lab lab = Lab.open(options(Scenario.BURST, 1), Entropy.seeded(1), line -> {});
        KubernetesClient client =
            KubeClients.create(Optional.of(kubeconfig(lab)), InstantSource.system());
        ArmHttp arm = new ArmHttp(lab.arm().endpoint())) {
      Judge judge = new Judge(client, arm, Blueprint.paths());
      assertThat(judge.look().all())
          .satisfiesExactlyInAnyOrder(
              wrong -> assertThat(wrong).startsWith("kubernetes/poolkeeper-lab-web holds {}, "),
              wrong ->
                  assertThat(wrong).startsWith("LB-2-internal/poolkeeper-lab-reports holds {"));

      client.nodes().withName("lab-node-02").delete();

      List<String> differences = judge.look().all();
      assertThat(differences).hasSizeGreaterThan(2);
      assertThat(LabReport.CheckResult.nothing("pools", differences).passed()).isFalse();
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
