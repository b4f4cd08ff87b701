package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.kube.CuttableProxy;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the controller notices and says of a network that is broken, and that all is right once it
 * is whole again, with limits that are short.
 */
@Tag("real-apiserver")
class RealFaultsIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration SILENT = Duration.ofSeconds(2);
  private static final WatchLiveness.Limits LIMITS =
      new WatchLiveness.Limits(Duration.ofMillis(100), SILENT, SILENT);

  /** Bytes of a connection, of which a list of Nodes has more, and nothing else. */
  private static final long PART_OF_NODES = 40_000;

  private static final String ELECTION =
      """
      poolkeeper.leader-election {
        enabled = true, namespace = default
        lease-duration = 8s, renew-deadline = 6s, retry-period = 300ms
      }
      """;

  private final FaultyNetwork world = new FaultyNetwork();
  private final CuttableProxy kube = new CuttableProxy(world.server.port());
  private final CuttableProxy arm = new CuttableProxy(world.fixture.arm.endpoint().getPort());

  RealFaultsIT() throws IOException {}

  @AfterEach
  void stop() throws IOException {
    kube.release();
    arm.release();
    world.close();
    kube.close();
    arm.close();
  }

  private void start(String hocon) throws IOException {
    world.start(kube.port(), arm.port(), SILENT, LIMITS, hocon);
  }

  @Test
  void silentConnectionsToTheApiServer_costNeitherAChangeNorTheLead() throws Exception {
    start(ELECTION);
    world.awaitWell(SOON);
    int mark = world.fixture.arm.mark();

    kube.stall();
    world.endpointsOn("n2");

    world.awaitMember("n2", SOON);
    world.awaitWell(SOON);
    assertThat(world.writes(mark)).isEqualTo(1);
    assertThat(world.fixture.ended().toCompletableFuture()).isNotDone();
  }

  @Test
  void apiServerThatIsAway_isNamed_andWhatChangedMeanwhileIsWrittenOnce() throws Exception {
    start("");
    world.awaitWell(SOON);
    int mark = world.fixture.arm.mark();

    kube.hold();
    world.endpointsOn("n2");

    world.awaitWhy("watch of endpoint-slices is lost: nothing is removed or repaired", SOON);
    assertThat(world.metric("poolkeeper_watch_lost{kind=\"endpoint-slices\"}")).isEqualTo(1);
    JsonNode replicas = world.fixture.get("/api/v1/status").json().path("replicas");
    assertThat(replicas.path("watchProblems").toString()).contains("watch of endpoint-slices");
    assertThat(world.members()).containsExactly("n1");
    kube.release();

    world.awaitMember("n2", SOON);
    world.awaitWell(SOON);
    assertThat(world.metric("poolkeeper_watch_lost{")).isZero();
    assertThat(world.writes(mark)).isEqualTo(1);
  }

  @Test
  void leaderWhoseLeaseCannotBeRenewed_endsAndSaysWhy_andTheNextOneWrites() throws Exception {
    start(ELECTION);
    world.awaitWell(SOON);
    int mark = world.fixture.arm.mark();

    kube.hold();
    world.endpointsOn("n2");

    Optional<String> why =
        within(SOON)
            .until(() -> world.fixture.ended().toCompletableFuture(), end -> end.isDone())
            .join();
    assertThat(why.orElseThrow()).contains("the leader's lease was not renewed for 6 s");
    assertThat(world.writes(mark)).isZero();
    kube.release();
    world.fixture.stopController();
    start(ELECTION);

    world.awaitMember("n2", SOON);
    world.awaitWell(SOON);
    assertThat(world.writes(mark)).isEqualTo(1);
  }

  @Test
  void listThatIsCutInTheMiddle_isNamed_andListedAgain() throws Exception {
    kube.cutAfter(PART_OF_NODES);
    start("");

    world.awaitWhy("watch of nodes is not connected: ", SOON);
    world.awaitWhy("cache of NODES is not synced yet", SOON);
    assertThat(world.metric("poolkeeper_watch_connected{kind=\"nodes\"}")).isZero();
    world.endpointsOn("n2");
    kube.cutAfter(Long.MAX_VALUE);

    world.awaitMember("n2", SOON);
    world.awaitWell(SOON);
    assertThat(world.writes(0)).isEqualTo(1);
  }

  /** In the head of the answer, and in its body. */
  @ParameterizedTest
  @ValueSource(longs = {100, 2_000})
  void listingOfLoadBalancersThatIsCutInTheMiddle_isNamed_andListedAgain(long bytes)
      throws Exception {
    arm.cutAfter(bytes);
    start("");

    world.awaitWhy("listing load balancers: connection reset by Azure Resource Manager", SOON);
    assertThat(world.metric("poolkeeper_listing_failures_total")).isPositive();
    JsonNode replicas = world.fixture.get("/api/v1/status").json().path("replicas");
    assertThat(replicas.path("listingError").asText()).contains("connection reset");
    world.endpointsOn("n2");
    arm.cutAfter(Long.MAX_VALUE);

    world.awaitMember("n2", SOON);
    world.awaitWell(SOON);
    assertThat(world.writes(0)).isEqualTo(1);
  }

  @Test
  void answerToAPutThatIsLost_isNamed_andThePutIsNotSentAgain() throws Exception {
    start("");
    world.awaitWell(SOON);
    int mark = world.fixture.arm.mark();
    world.fixture.arm.fault(
        "{\"method\":\"PUT\",\"path\":\".*/%s\",\"answerMillis\":60000}"
            .formatted(FaultyNetwork.POOL));

    world.endpointsOn("n2");
    within(SOON).until(() -> world.writes(mark) == 1);
    arm.hold();

    world.awaitCause("settling", SOON);
    world.awaitWhy("connection reset by Azure Resource Manager", SOON);
    assertThat(world.metric("poolkeeper_pools_behind{cause=\"settling\"}")).isEqualTo(1);
    world.fixture.arm.liftAll();
    arm.release();

    world.awaitWell(SOON);
    assertThat(world.members()).containsExactly("n2");
    assertThat(world.writes(mark)).isEqualTo(1);
  }
}
