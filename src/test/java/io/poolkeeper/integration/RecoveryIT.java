package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.RETRYING;
import static io.poolkeeper.integration.ControllerFixture.UPDATED;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static io.poolkeeper.integration.ControllerFixture.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.integration.ControllerFixture.Answer;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Each part dies and restarts with its state; nothing is lost and nothing is written twice. */
@Execution(ExecutionMode.CONCURRENT)
class RecoveryIT {
  private static final Map<String, String> ONE = Map.of("10.0.0.1", "n1");
  private static final Map<String, String> TWO = Map.of("10.0.0.2", "n2");

  /** A lost watch is retried after 8 s at most, a failing pool after 15 s. */
  private static final Duration RECOVERY = Duration.ofSeconds(20);

  private final ControllerFixture fixture = new ControllerFixture();

  @BeforeEach
  void seed() {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    Seed[] seeds = new Seed[3];
    String[] services = {"web", "api", "cart"};
    for (int i = 0; i < seeds.length; i++) {
      String prefix = fixture.cluster.service(services[i]);
      fixture.cluster.endpoints(services[i], "n1");
      seeds[i] = Seed.of("shop-" + services[i], prefix).holding(ONE);
    }
    fixture.arm.put(LB, seeds);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  @Test
  void theApiServerRestartsWithUnwatchedChanges() throws Exception {
    fixture.cluster.slice("shop", "cart-2", "cart", "n2");
    fixture.startController("");
    fixture.awaitMembers(LB, "shop-cart", Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));
    try (SimulatedCluster meanwhile = fixture.cluster.twin()) {
      fixture.cluster.kill();
      eventually(
          () ->
              assertThat(fixture.get("/readyz").body())
                  .startsWith("{\"ready\":true,")
                  .contains(
                      "watch of nodes is not connected",
                      "watch of services is not connected",
                      "watch of endpointslices is not connected"));
      // An endpoint moves, a node gets another address, a slice is deleted.
      meanwhile.endpoints("web", "n2");
      meanwhile.node("n1", "10.0.0.11");
      meanwhile.deleteSlice("cart-2");
      int mark = fixture.arm.mark();

      fixture.cluster.bringBack();

      Map<String, String> readdressed = Map.of("10.0.0.11", "n1");
      within(RECOVERY)
          .untilAsserted(
              () -> {
                assertThat(fixture.arm.members(LB, "shop-web")).isEqualTo(TWO);
                assertThat(fixture.arm.members(LB, "shop-api")).isEqualTo(readdressed);
                assertThat(fixture.arm.members(LB, "shop-cart")).isEqualTo(readdressed);
              });
      assertThat(fixture.arm.puts(LB, "shop-api", mark)).hasSize(1);
      fixture.awaitReady();
      // The watches continue.
      fixture.cluster.endpoints("web", "n1", "n2");
      fixture.awaitMembers(LB, "shop-web", Map.of("10.0.0.11", "n1", "10.0.0.2", "n2"));
    }
  }

  /** Few looks, as those at the load balancer of a lost write back off. */
  @Test
  void theSimulatorDiesUnderAWriteAndComesBackWithItsState() throws Exception {
    fixture.startController("poolkeeper.updater.max-retries = 1");
    fixture.awaitReady();
    fixture.arm.fault("{\"method\":\"PUT\",\"path\":\"/shop-web$\",\"delayMillis\":60000}");
    fixture.cluster.endpoints("web", "n2");
    eventually(
        () -> assertThat(fixture.pool(LB, "shop-web").path("state").asText()).isEqualTo("Writing"));

    ObjectNode state = fixture.arm.kill();

    fixture.cluster.endpoints("api", "n2");
    assertThat(fixture.awaitEvents("web", RETRYING)).hasSize(1);
    eventually(
        () -> assertThat(fixture.pool(LB, "shop-api").path("state").asText()).isEqualTo("Waiting"));
    fixture.arm.bringBack(state);
    assertThat(fixture.arm.members(LB, "shop-web")).isEqualTo(ONE);
    within(RECOVERY)
        .untilAsserted(
            () -> {
              assertThat(fixture.arm.members(LB, "shop-web")).isEqualTo(TWO);
              assertThat(fixture.arm.members(LB, "shop-api")).isEqualTo(TWO);
            });
    assertThat(fixture.arm.members(LB, "shop-cart")).isEqualTo(ONE);
    assertThat(fixture.awaitEvents("web", UPDATED)).hasSize(1);
    assertThat(fixture.arm.puts(LB, "shop-web", 0)).hasSize(1);
    assertThat(fixture.arm.puts(LB, "shop-api", 0)).hasSize(1);
    assertThat(fixture.arm.puts(LB, "shop-cart", 0)).isEmpty();
  }

  @Test
  void theApiServerIsDownAtTheStart() throws Exception {
    fixture.cluster.endpoints("web", "n2");
    String server =
        fixture.cluster.kubeconfig().replaceAll("(?s).*server: \"?https?://([^/\\s\"]+).*", "$1");
    fixture.cluster.kill();
    int mark = fixture.arm.mark();

    fixture.startController("");

    eventually(
        () -> {
          Answer answer = fixture.get("/readyz");
          assertThat(answer.status()).isEqualTo(503);
          assertThat(answer.json().path("why"))
              .extracting(JsonNode::asText)
              .containsExactly(
                  "watch of nodes is not connected: cannot connect to " + server,
                  "watch of namespaces is not connected: cannot connect to " + server,
                  "watch of services is not connected: cannot connect to " + server,
                  "watch of endpointslices is not connected: cannot connect to " + server,
                  "watch of backendpoolbindings is not connected: cannot connect to " + server,
                  "cache of SERVICES is not synced yet",
                  "cache of ENDPOINT_SLICES is not synced yet",
                  "cache of NODES is not synced yet",
                  "cache of NAMESPACES is not synced yet",
                  "the shared Lease cannot be had: cannot connect to " + server);
        });
    assertThat(fixture.get("/healthz").status()).isEqualTo(200);
    assertThat(fixture.arm.allPuts(mark)).isEmpty();
    fixture.cluster.bringBack();
    within(RECOVERY)
        .untilAsserted(() -> assertThat(fixture.arm.members(LB, "shop-web")).isEqualTo(TWO));
    fixture.awaitReady();
    assertThat(fixture.arm.puts(LB, "shop-api", mark)).isEmpty();
  }

  @Test
  void theControllerIsStartedAnewAndWritesOnlyWhatChangedMeanwhile() throws Exception {
    fixture.startController("");
    fixture.cluster.endpoints("web", "n2");
    fixture.awaitMembers(LB, "shop-web", TWO);
    fixture.stopController();
    int mark = fixture.arm.mark();
    fixture.cluster.endpoints("api", "n2");

    fixture.startController("");

    fixture.awaitMembers(LB, "shop-api", TWO);
    fixture.awaitReady();
    // The three pools share the load balancer, so the next write of all comes after any needless
    // one.
    fixture.cluster.endpoints("cart", "n2");
    fixture.awaitMembers(LB, "shop-cart", TWO);
    assertThat(fixture.arm.allPuts(mark))
        .map(path -> path.substring(path.lastIndexOf('/') + 1))
        .containsExactly("shop-api", "shop-cart");
    assertThat(fixture.arm.requests("GET", LB, "shop-web", mark)).isEmpty();
  }
}
