package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static io.poolkeeper.integration.ControllerFixture.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shipped manifests on a real API server: a pause by {@code kubectl annotate}, with two
 * replicas, and a right that is taken away.
 */
@Tag("real-apiserver")
class RealInstallationIT {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private final ControllerFixture first = new ControllerFixture();
  private final ControllerFixture second = new ControllerFixture();
  private InstalledCluster cluster;

  @BeforeEach
  void install() throws IOException, InterruptedException {
    cluster = new InstalledCluster(directory, first.arm);
  }

  @AfterEach
  void stop() throws IOException {
    second.close();
    first.close();
    cluster.close();
  }

  private static JsonNode ready(ControllerFixture replica) {
    return replica.get("/readyz").json();
  }

  private void annotate(String... annotations) throws IOException, InterruptedException {
    String[] begin = {"-n", "poolkeeper", "annotate", "--overwrite", "lease", "poolkeeper-leader"};
    cluster.kubectl.run(
        Stream.concat(Stream.of(begin), Stream.of(annotations)).toArray(String[]::new));
  }

  @Test
  void aPause_holdsAllReplicasWithinASecond_survivesAFailover_andEndsByItself() throws Exception {
    cluster.start(first, "leader");
    cluster.start(second, "warm standby");
    first.awaitMembers(LB, "default-web", Map.of("10.0.0.1", "n1"));
    Instant until = Instant.now().plus(PAUSE).truncatedTo(ChronoUnit.SECONDS);

    annotate("poolkeeper.io/paused-until=" + until, "poolkeeper.io/paused-reason=change 1234");

    within(SECOND)
        .untilAsserted(
            () ->
                assertThat(List.of(first, second))
                    .allSatisfy(
                        replica ->
                            assertThat(ready(replica).path("paused").path("until").asText())
                                .isEqualTo(until.toString())));
    int mark = first.arm.mark();
    cluster.endpointsOn("n2");
    cluster.apply(
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: web, namespace: default}
        spec: {serviceRef: {name: web}, backendPool: {loadBalancer: gateway, pool: blue}}
        """);
    eventually(
        () -> assertThat(first.pool(LB, "default-web").path("state").asText()).isEqualTo("Paused"));
    first.stopController();
    eventually(() -> assertThat(ready(second).path("role").asText()).isEqualTo("leader"));
    eventually(
        () ->
            assertThat(second.pool(LB, "default-web").path("state").asText()).isEqualTo("Paused"));
    assertThat(second.get("/metrics").body()).contains("poolkeeper_paused 1.0");
    assertThat(first.arm.allPuts(mark)).isEmpty();
    assertThat(cluster.binding().getMetadata().getFinalizers()).isEmpty();
    assertThat(Instant.now()).as("it is still paused").isBefore(until);

    within(PAUSE)
        .untilAsserted(
            () ->
                assertThat(first.arm.members(LB, "default-web"))
                    .isEqualTo(Map.of("10.0.0.2", "n2")));

    assertThat(Instant.now()).as("nothing was written before").isAfter(until);
    eventually(() -> assertThat(cluster.binding().getMetadata().getFinalizers()).hasSize(1));
    assertThat(ready(second).has("paused")).isFalse();
    String begun =
        "PauseBegun All replicas are paused until %s: change 1234. By field manager kubectl-annotate; the API server's audit log has the user."
            .formatted(until);
    String ended =
        "PauseEnded All replicas go on. The pause until %s was begun by field manager kubectl-annotate."
            .formatted(until);
    eventually(() -> assertThat(pauses()).containsExactlyInAnyOrder(begun, begun, ended));
    assertThat(second.get("/metrics").body()).contains("poolkeeper_paused 0.0");
  }

  private List<String> pauses() {
    return cluster.admin.v1().events().inNamespace("poolkeeper").list().getItems().stream()
        .filter(event -> event.getReason().startsWith("Pause"))
        .map(event -> event.getReason() + " " + event.getMessage())
        .toList();
  }

  @Test
  void aBadTime_isOneWarningOnTheLease_byTheLeader() throws Exception {
    cluster.start(first, "leader");
    cluster.start(second, "warm standby");
    String message =
        "annotation poolkeeper.io/paused-until: found \"tomorrow\"; allowed: a time such as 2026-11-25T18:00:00Z, at most 7 days ahead";

    annotate("poolkeeper.io/paused-until=tomorrow");

    eventually(
        () ->
            assertThat(List.of(first, second))
                .allSatisfy(
                    replica ->
                        assertThat(ready(replica).path("why"))
                            .extracting(JsonNode::asText)
                            .containsExactly(message)));
    // What comes after it has come after all that it could have caused.
    annotate("poolkeeper.io/paused-until=2000-01-01T00:00:00Z");
    eventually(() -> assertThat(ready(second).path("why")).isEmpty());
    eventually(
        () ->
            assertThat(cluster.admin.v1().events().inNamespace("poolkeeper").list().getItems())
                .filteredOn(event -> "PauseIgnored".equals(event.getReason()))
                .extracting(RealInstallationIT::text)
                .containsExactly("Warning Lease/poolkeeper-leader: " + message));
  }

  private static String text(Event event) {
    return "%s %s/%s: %s"
        .formatted(
            event.getType(),
            event.getInvolvedObject().getKind(),
            event.getInvolvedObject().getName(),
            event.getMessage());
  }

  @Test
  void rightToTheSharedLease_thatIsTakenAway_isTheHeadline() throws Exception {
    cluster.start(first, "leader");
    eventually(() -> assertThat(headline()).isEqualTo("The pool is in sync."));
    cluster
        .admin
        .rbac()
        .roleBindings()
        .inNamespace("kube-system")
        .withName("poolkeeper-shared-lease")
        .delete();

    cluster.endpointsOn("n2");

    within(Duration.ofSeconds(5))
        .untilAsserted(
            () -> {
              JsonNode cause = first.get("/api/v1/status").json().path("causes").path(0);
              assertThat(cause.path("key").asText()).isEqualTo("lease-held");
              assertThat(cause.path("tone").asText()).isEqualTo("need");
              assertThat(cause.path("title").asText()).contains("cannot be had", "forbidden");
            });
    assertThat(headline()).startsWith("1 of 1 pools is behind: the Lease");
  }

  private String headline() {
    JsonNode headline = first.get("/api/v1/status").json().path("headline");
    return headline.path("text").asText() + headline.path("rest").asText();
  }
}
