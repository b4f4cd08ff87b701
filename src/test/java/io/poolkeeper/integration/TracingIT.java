package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.integration.TraceCollector.Received;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The traces of a whole controller, as a collector receives them (spec 2, Observability). */
class TracingIT {
  private static final Map<String, String> BEFORE = Map.of("10.0.0.1", "n1");

  private final ControllerFixture fixture = new ControllerFixture();
  private TraceCollector collector;

  @BeforeEach
  void start() throws IOException {
    collector = new TraceCollector();
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    String prefix = fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB, Seed.of("shop-web", prefix).holding(BEFORE));
  }

  private void run() throws IOException {
    fixture.environment(
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint().toString(),
            "OTEL_BSP_SCHEDULE_DELAY", "20",
            "POD_NAME", "poolkeeper-0"));
    fixture.startController("");
    fixture.awaitReady();
  }

  @AfterEach
  void stop() throws IOException {
    fixture.close();
    collector.close();
  }

  @Test
  void aChangeOfASliceIsOneTrace_fromTheWaitToTheWrite() throws IOException {
    run();
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.awaitMembers(LB, "shop-web", Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));

    Received attempt = ended("pool attempt");
    assertThat(attempt.parent()).isEmpty();
    assertThat(attempt.failed()).isFalse();
    assertThat(attempt.attributes())
        .containsEntry("poolkeeper.load_balancer", LB)
        .containsEntry("poolkeeper.pool", "shop-web")
        .containsEntry("poolkeeper.cause", "slice")
        .containsEntry("poolkeeper.lane", "update")
        .containsEntry("poolkeeper.added", "1")
        .containsEntry("poolkeeper.removed", "0")
        .containsEntry("poolkeeper.outcome", "updated");
    List<Received> parts = collector.children(attempt);
    assertThat(parts)
        .extracting(Received::name)
        .contains("wait gathering", "wait turn", "azure get", "azure put");
    assertThat(parts).extracting(Received::trace).containsOnly(attempt.trace());
    assertThat(one(parts, "wait gathering").attribute("poolkeeper.why"))
        .isEqualTo("the pool's writes are spaced, up to an interval");
    Received put = one(parts, "azure put");
    assertThat(put.attribute("az.correlation_request_id")).isNotEmpty();
    List<Received> tries = collector.children(put);
    assertThat(tries).hasSize(1);
    assertThat(tries.getFirst().attribute("az.client_request_id"))
        .as("the id that was sent")
        .isNotEmpty()
        .isEqualTo(put.attribute("az.client_request_id"));
    assertThat(fixture.pool(LB, "shop-web").path("events").findValuesAsText("trace"))
        .contains(attempt.trace());
    assertThat(collector.resources())
        .contains("service.name=poolkeeper", "k8s.pod.name=poolkeeper-0");
  }

  @Test
  void aRefusedAttemptFails_andTheNextOneLinksToIt() throws IOException {
    run();
    fixture.arm.fault("{\"method\":\"PUT\",\"status\":409,\"times\":1}");
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.awaitMembers(LB, "shop-web", Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));

    eventually(() -> assertThat(collector.named("pool attempt")).hasSize(2));
    Received first = collector.named("pool attempt").getFirst();
    Received second = collector.named("pool attempt").getLast();
    assertThat(first.failed()).isTrue();
    assertThat(first.attribute("poolkeeper.outcome")).isEqualTo("retrying");
    assertThat(first.links()).isEmpty();
    assertThat(second.failed()).isFalse();
    assertThat(second.links()).containsExactly(first.id());
    assertThat(second.trace()).isNotEqualTo(first.trace());
    assertThat(second.attributes())
        .containsEntry("poolkeeper.cause", "slice")
        .containsEntry("poolkeeper.lane", "retry");
  }

  @Test
  void aDrainIsOneSpan_fromTheTaintToTheLastPool_andLinksToItsWrites() throws IOException {
    run();
    // Nobody knows since when a node leaves that the first snapshot shows leaving.
    fixture.cluster.outOfService("n2");
    eventually(() -> assertThat(fixture.get("/api/v1/nodes").body()).contains("\"n2\""));

    fixture.cluster.outOfService("n1");

    eventually(() -> assertThat(drains("n1")).hasSize(1));
    Received drain = drains("n1").getFirst();
    Received attempt =
        collector.named("pool attempt").stream()
            .filter(span -> span.attribute("poolkeeper.cause").equals("node"))
            .findFirst()
            .orElseThrow();
    assertThat(attempt.attribute("poolkeeper.admin_states")).isEqualTo("1");
    assertThat(drain.links()).containsExactly(attempt.id());
    assertThat(drain.nanos()).isGreaterThanOrEqualTo(put(attempt).nanos());
  }

  @Test
  void aListingIsATraceOfItsOwn() throws IOException {
    run();

    Received listing = ended("listing");
    assertThat(listing.parent()).isEmpty();
    assertThat(listing.attributes())
        .containsEntry("poolkeeper.load_balancers", "1")
        .containsEntry("poolkeeper.pools", "1");
    assertThat(collector.children(listing)).extracting(Received::name).contains("azure list");
  }

  @Test
  void theLastSpansAreSentWhenTheControllerStops() throws IOException {
    fixture.environment(
        Map.of(
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            collector.endpoint() + "/v1/traces",
            "OTEL_BSP_SCHEDULE_DELAY",
            "600000"));
    fixture.startController("");
    fixture.awaitReady();
    assertThat(collector.named("listing")).isEmpty();

    fixture.stopController();

    // The controller waits 2 s at most, and a busy collector may need longer.
    eventually(() -> assertThat(collector.named("listing")).isNotEmpty());
  }

  /** Or a collector that is silent would keep the next replica from leading. */
  @Test
  void whenTheLastSpansAreSent_theLeaseOfTheLeaderIsFree() throws IOException {
    fixture.environment(
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint().toString(),
            "OTEL_BSP_SCHEDULE_DELAY", "600000",
            "POD_NAME", "poolkeeper-0"));
    fixture.startController("poolkeeper.leader-election { enabled = true, namespace = default }");
    fixture.awaitReady();
    assertThat(leader()).isNotEmpty();
    Queue<String> leaders = new ConcurrentLinkedQueue<>();
    collector.before(() -> leaders.add(leader()));

    fixture.stopController();

    eventually(() -> assertThat(leaders).containsExactly(""));
  }

  private String leader() {
    String holder =
        fixture
            .cluster
            .client()
            .leases()
            .inNamespace("default")
            .withName("poolkeeper-leader")
            .get()
            .getSpec()
            .getHolderIdentity();
    return holder == null ? "" : holder;
  }

  @Test
  void aCollectorThatDoesNotAnswer_costsNoWrite() throws IOException {
    collector.close();
    run();

    fixture.cluster.endpoints("web", "n1", "n2");

    fixture.awaitMembers(LB, "shop-web", Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));
  }

  private Received ended(String name) {
    eventually(() -> assertThat(collector.named(name)).isNotEmpty());
    return collector.named(name).getFirst();
  }

  private List<Received> drains(String node) {
    return collector.named("node drain").stream()
        .filter(span -> span.attribute("k8s.node.name").equals(node))
        .toList();
  }

  private Received put(Received attempt) {
    return one(collector.children(attempt), "azure put");
  }

  private static Received one(List<Received> spans, String name) {
    List<Received> found = spans.stream().filter(span -> span.name().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.getFirst();
  }
}
