package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The settings of what means leaving, in a whole process; the lab drains in the words of AKS. */
class PreemptionIT {
  private static final String DRAINING = "cloudprovider.azure.microsoft.com/draining";

  private final ControllerFixture fixture = new ControllerFixture();

  @BeforeEach
  void start() throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    String prefix = fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.arm.put(
        LB, Seed.of("shop-web", prefix).holding(Map.of("10.0.0.1", "n1", "10.0.0.2", "n2")));
    fixture.startController("");
    fixture.awaitReady();
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  @Test
  void whatMeansLeavingIsConfigured() throws Exception {
    announce("first", "n1", "the machine is evicted in 30 s");
    taint("n2", "karpenter.sh/disrupted");
    eventually(
        () ->
            assertThat(fixture.get("/metrics").body())
                .contains("\npoolkeeper_preempt_events_ignored_total{reason=\"message\"} 1.0\n"));
    assertThat(down()).isEmpty();
    assertThat(taints("n1")).isEmpty();

    fixture.stopController();
    fixture.startController(
        """
        poolkeeper.admin-state.extra-taints = [karpenter.sh/disrupted]
        poolkeeper.spot.event-messages = ["*"]
        """);
    fixture.awaitReady();

    eventually(() -> assertThat(down()).containsExactly("n1", "n2"));
    assertThat(taints("n1")).containsExactly(DRAINING);
    assertThat(fixture.get("/api/v1/nodes").json().findValuesAsText("node"))
        .containsExactly("n1", "n2");
    clear("n2");
    eventually(() -> assertThat(down()).containsExactly("n1"));
  }

  private void taint(String node, String key) {
    fixture.cluster.editNode(
        node, now -> now.editOrNewSpec().addNewTaint("NoSchedule", key, null, "").endSpec());
  }

  private void announce(String name, String node, String message) {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    fixture.cluster.put(
        new EventBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName(name)
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(node)
            .withUid(node)
            .endInvolvedObject()
            .withReason("PreemptScheduled")
            .withType("Warning")
            .withMessage(message)
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .build());
  }

  private void clear(String node) {
    fixture.cluster.editNode(node, now -> now.editSpec().withTaints(List.of()).endSpec());
  }

  private Node node(String name) {
    return fixture.cluster.client().nodes().withName(name).get();
  }

  private List<String> taints(String name) {
    return node(name).getSpec().getTaints().stream().map(Taint::getKey).toList();
  }

  /** The entries that are Down, by name. */
  private List<String> down() {
    Map<String, String> states = new TreeMap<>();
    JsonNode entries =
        fixture
            .arm
            .document(LB, "shop-web")
            .path("properties")
            .path("loadBalancerBackendAddresses");
    entries.forEach(
        entry ->
            states.put(
                entry.path("name").asText(),
                entry.path("properties").path("adminState").asText("None")));
    return states.entrySet().stream()
        .filter(entry -> entry.getValue().equals("Down"))
        .map(Map.Entry::getKey)
        .toList();
  }
}
