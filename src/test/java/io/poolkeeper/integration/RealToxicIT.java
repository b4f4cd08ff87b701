package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.integration.Toxiproxy.Toxic;
import io.poolkeeper.kube.CuttableProxy;
import io.poolkeeper.ops.Promtool;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The table of network faults in docs/operations/failure-modes.md, on the shipped limits: what is
 * named in time, and that all is right in time once the network is whole again, without a restart
 * unless that is documented. {@link RealFaultsIT} has six of its mechanisms in short.
 */
@Tag("full")
@Tag("real-apiserver")
class RealToxicIT {
  private static final Duration START = Duration.ofSeconds(40);
  private static final Duration NAMED = Duration.ofSeconds(30);

  /** A watch is lost when it was not connected for 30 s. */
  private static final Duration LOST = NAMED.plusSeconds(10);

  private static final Duration SILENCE = Duration.ofSeconds(150);
  private static final Duration RIGHT = Duration.ofSeconds(60);
  private static final Duration OUTAGE = Duration.ofSeconds(90);
  private static final String ELECTION =
      "poolkeeper.leader-election { enabled = true, namespace = default }\n";
  private static final String RESET = "connection reset by Azure Resource Manager";

  /** When the network breaks. */
  private enum When {
    BEFORE_THE_START,
    RUNNING,
    /** And the rest of a write's answer comes after that. */
    WRITING
  }

  /**
   * What breaks, why {@code /readyz} says so, the key of its cause, the value of a metric that
   * shows it, and the alerts that fire if it lasts.
   */
  enum Cell {
    LISTING_CUT(
        When.BEFORE_THE_START,
        it -> it.kube.poison(Toxic.LIMIT_DATA, 40_000),
        "watch of nodes is not connected: ",
        "poolkeeper_watch_connected{kind=\"nodes\"}",
        0,
        "starting",
        List.of("PoolkeeperWatchLost")),
    LISTING_TRICKLES(
        When.BEFORE_THE_START,
        it -> it.kube.poison(Toxic.BANDWIDTH, 1),
        "cache of NODES is not synced yet",
        "poolkeeper_watch_connected{kind=\"nodes\"}",
        0,
        "starting",
        List.of("PoolkeeperWatchLost")),
    WATCHES_RESET(
        When.RUNNING,
        it -> it.kube.poison(Toxic.RESET_PEER, 0),
        "watch of endpoint-slices is not connected: ",
        "poolkeeper_watch_connected{kind=\"endpoint-slices\"}",
        0,
        "watch-lost",
        List.of("PoolkeeperWatchLost")),
    API_SERVER_DOWN(
        When.RUNNING,
        it -> it.kube.down(),
        "watch of endpoint-slices is not connected: ",
        "poolkeeper_watch_connected{kind=\"endpoint-slices\"}",
        0,
        "watch-lost",
        List.of("PoolkeeperWatchLost")),
    ARM_LISTING_CUT(
        When.BEFORE_THE_START,
        it -> it.arm.poison(Toxic.LIMIT_DATA, 400),
        "listing load balancers: " + RESET,
        "poolkeeper_last_listing_timestamp_seconds",
        Double.NaN,
        "azure-unreachable",
        List.of("PoolkeeperAzureUnavailable")),
    ARM_DOWN(
        When.RUNNING,
        it -> it.arm.down(),
        "cannot connect to Azure Resource Manager",
        "poolkeeper_pools_behind{cause=\"azure-unreachable\"}",
        1,
        "azure-unreachable",
        List.of("PoolkeeperAzureUnavailable")),
    ARM_RESET_DURING_A_PUT(
        When.WRITING,
        it -> it.arm.poison(Toxic.RESET_PEER, 0),
        RESET,
        "poolkeeper_pools_behind{cause=\"settling\"}",
        1,
        "settling",
        List.of());

    private final When when;
    private final Consumer<RealToxicIT> breaks;
    private final String why;
    private final String metric;
    private final double value;
    private final String cause;
    private final List<String> alerts;

    Cell(
        When when,
        Consumer<RealToxicIT> breaks,
        String why,
        String metric,
        double value,
        String cause,
        List<String> alerts) {
      this.when = when;
      this.breaks = breaks;
      this.why = why;
      this.metric = metric;
      this.value = value;
      this.cause = cause;
      this.alerts = alerts;
    }

    /** Whether it stays so for long after it was named. */
    private boolean lasts() {
      return this == LISTING_TRICKLES || this == API_SERVER_DOWN || this == ARM_DOWN;
    }
  }

  @TempDir private Path directory;
  private final FaultyNetwork world = new FaultyNetwork();
  private Toxiproxy proxies;
  private Toxiproxy.Link kube;
  private Toxiproxy.Link arm;

  @BeforeEach
  void connect() throws IOException {
    proxies = new Toxiproxy(directory);
    kube = proxies.to("kube", world.server.port());
    arm = proxies.to("arm", world.fixture.arm.endpoint().getPort());
  }

  @AfterEach
  void stop() throws IOException {
    kube.heal();
    arm.heal();
    world.close();
    proxies.close();
  }

  private void start(String hocon) throws IOException {
    start(kube.port(), hocon);
  }

  private void start(int port, String hocon) throws IOException {
    world.start(port, arm.port(), SILENCE, WatchLiveness.Limits.SHIPPED, hocon);
  }

  /** Waits until what the metrics show, and how they go on, lets these alerts fire alone. */
  private void awaitAlerts(List<String> alerts, Duration time) {
    String first = world.scrape();
    long began = System.nanoTime();
    within(time)
        .pollInterval(Duration.ofSeconds(3))
        .untilAsserted(
            () ->
                Promtool.fires(
                    directory.resolve("alerts.yaml"),
                    first,
                    world.scrape(),
                    Duration.ofNanos(System.nanoTime() - began),
                    alerts));
  }

  @ParameterizedTest
  @EnumSource
  void faultIsNamedInTime_andEndsWithItsCause_andNothingIsLostOrWrittenTwice(Cell cell)
      throws Exception {
    if (cell.when == When.BEFORE_THE_START) {
      cell.breaks.accept(this);
      start("");
    } else {
      start("");
      world.awaitWell(START);
    }
    int mark = world.fixture.arm.mark();
    if (cell.when == When.WRITING) {
      world.fixture.arm.fault(
          "{\"method\":\"PUT\",\"path\":\".*/%s\",\"answerMillis\":3000}"
              .formatted(FaultyNetwork.POOL));
      world.endpointsOn("n2");
      within(NAMED).until(() -> world.writes(mark) == 1);
      cell.breaks.accept(this);
    } else {
      if (cell.when == When.RUNNING) {
        cell.breaks.accept(this);
      }
      world.endpointsOn("n2");
    }

    world.awaitWhy(cell.why, NAMED);
    within(NAMED)
        .untilAsserted(
            () -> assertThat(world.metric(cell.metric)).isEqualTo(Double.valueOf(cell.value)));
    world.awaitCause(cell.cause, LOST);
    if (!cell.alerts.isEmpty()) {
      awaitAlerts(cell.alerts, NAMED);
    }
    if (cell.lasts()) {
      within(OUTAGE.plus(NAMED)).during(OUTAGE).until(() -> world.members().equals(List.of("n1")));
    }
    world.fixture.arm.liftAll();
    kube.heal();
    arm.heal();

    world.awaitMember("n2", RIGHT);
    world.awaitWell(RIGHT);
    assertThat(world.writes(mark)).isEqualTo(1);
    assertThat(world.fixture.ended().toCompletableFuture()).isNotDone();
  }

  @Test
  void leaderThatCannotRenew_endsInTime_andItsRestartIsRight() throws Exception {
    start(ELECTION);
    world.awaitWell(START);
    int mark = world.fixture.arm.mark();

    kube.down();
    world.endpointsOn("n2");

    Optional<String> why =
        within(NAMED)
            .until(() -> world.fixture.ended().toCompletableFuture(), end -> end.isDone())
            .join();
    assertThat(why.orElseThrow()).contains("the leader's lease was not renewed for 10 s");
    assertThat(world.writes(mark)).isZero();
    // Nothing is scraped any more.
    Promtool.fires(directory.resolve("alerts.yaml"), "", "", NAMED, List.of("PoolkeeperNoLeader"));
    kube.heal();
    world.fixture.stopController();
    start(ELECTION);
    world.awaitMember("n2", RIGHT);
    world.awaitWell(RIGHT);
    assertThat(world.writes(mark)).isEqualTo(1);
  }

  @Test
  void apiServerThatIsSlow_costsNeitherTheLeadNorAChange() throws Exception {
    kube.poison(Toxic.LATENCY, 2_000);
    start(ELECTION);
    world.awaitWell(RIGHT);
    int mark = world.fixture.arm.mark();

    world.endpointsOn("n2");

    world.awaitMember("n2", RIGHT);
    world.awaitWell(RIGHT);
    assertThat(world.writes(mark)).isEqualTo(1);
    assertThat(world.fixture.ended().toCompletableFuture()).isNotDone();
  }

  /** New connections work, so nothing is to be named: it is right as soon as it is noticed. */
  @Test
  void watchesThatGoSilent_areOpenedAnewInTime() throws Exception {
    try (CuttableProxy relay = new CuttableProxy(kube.port())) {
      start(relay.port(), ELECTION);
      world.awaitWell(START);
      int mark = world.fixture.arm.mark();

      relay.stall();
      world.endpointsOn("n2");

      world.awaitMember("n2", SILENCE.plus(RIGHT));
      world.awaitWell(RIGHT);
      assertThat(world.writes(mark)).isEqualTo(1);
      assertThat(world.fixture.ended().toCompletableFuture()).isNotDone();
      world.fixture.stopController();
    }
  }

  @Test
  void watchOfEventsThatGoesSilent_isOpenedAnewInTime() throws Exception {
    try (CuttableProxy relay = new CuttableProxy(kube.port())) {
      start(relay.port(), "");
      world.awaitWell(START);
      int mark = world.fixture.arm.mark();

      relay.stall();
      world.peerWrites();

      within(SILENCE.plus(RIGHT))
          .untilAsserted(() -> assertThat(world.fixture.arm.reads(mark)).isNotEmpty());
      world.awaitWell(RIGHT);
      world.fixture.stopController();
    }
  }

  @Test
  void tokenRequestThatIsReset_isNamed_andMadeAgain() throws Exception {
    try (GuardedArm guarded = new GuardedArm()) {
      Toxiproxy.Link authority = proxies.to("authority", guarded.endpoint().getPort());
      authority.poison(Toxic.RESET_PEER, 0);
      start(
          """
          poolkeeper.azure {
            endpoint = "%s", trust-ca-file = "%s", authority-host = "https://127.0.0.1:%d"
            credential = client-secret, tenant-id = tenant-1, client-id = client-1
            client-secret = hush
          }
          """
              .formatted(guarded.endpoint(), guarded.ca(), authority.port()));

      world.awaitWhy("listing load balancers: no token: ", NAMED);
      assertThat(world.metric("poolkeeper_token_failures_total")).isPositive();
      assertThat(world.metric("poolkeeper_last_token_timestamp_seconds")).isNaN();
      world.awaitCause("sign-in-failing", NAMED);
      awaitAlerts(List.of("PoolkeeperAzureUnavailable"), NAMED);
      authority.heal();

      // An answer of ARM's, as it has no such group.
      world.awaitWhy("ResourceGroupNotFound", RIGHT);
      assertThat(world.metric("poolkeeper_last_token_timestamp_seconds")).isPositive();
      world.fixture.stopController();
    }
  }
}
