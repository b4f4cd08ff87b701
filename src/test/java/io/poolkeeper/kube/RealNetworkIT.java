package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lab.Words;
import io.poolkeeper.lock.LeaseAnswer;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real kube-apiserver behind a network whose connections may go silent, in any language. */
@Tag("real-apiserver")
class RealNetworkIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration CALL = Duration.ofSeconds(2);
  private static final int NODES = 30;
  private static final String REASON = "poolkeeper.io/paused-reason";
  private static final InstantSource CLOCK = InstantSource.system();

  private static RealApiServer server;
  private static ActorTestKit kit;

  private final Mirrors mirrors = new Mirrors(kit);
  private CuttableProxy proxy;
  private KubernetesClient client;

  @BeforeAll
  static void startServer() {
    kit = ActorTestKit.create();
    server = RealApiServer.shared();
  }

  @AfterAll
  static void stopKit() {
    kit.shutdownTestKit();
  }

  @BeforeEach
  void connect() throws IOException {
    proxy = new CuttableProxy(server.port());
    client = server.client(proxy.port(), CALL);
    server.client().resource(lease("", Map.of())).create();
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    proxy.close();
    server.client().resource(lease("", Map.of())).delete();
    server.client().nodes().delete();
  }

  @Test
  void wordsOfAllLanguages_areReadFromAWatchUnchanged_andNothingIsListedAnew() {
    Queue<Map<String, String>> read = new ConcurrentLinkedQueue<>();
    try (ReflectorLog log = new ReflectorLog();
        KubePauses pauses = pauses(read)) {
      await().atMost(SOON).until(() -> count(log, "Listing items") == 1);

      for (String word : Words.ALL) {
        server.client().resource(lease("", Map.of(REASON, word))).update();
        await().atMost(SOON).until(() -> read.contains(Map.of(REASON, word)));
      }
      assertThat(read).extracting(one -> one.get(REASON)).endsWith(Words.LONG);
      assertThat(count(log, "Listing items")).isEqualTo(1);
      assertThat(pauses.leader()).isEmpty();
    }
  }

  @Test
  void connectionThatGoesSilent_failsOneCallInTime_andNotTheNext() {
    try (KubernetesClient once = KubeClients.once(client, CALL)) {
      once.namespaces().list();
      proxy.stall();

      assertThatThrownBy(() -> once.namespaces().list())
          .isInstanceOf(KubernetesClientException.class);
      assertThat(once.namespaces().list().getItems()).isNotEmpty();
    }
  }

  @Test
  void answerThatStopsInItsBody_failsItsCallInTime() {
    createNodes();
    proxy.stallAfter(40_000);
    try (KubernetesClient once = KubeClients.once(client, CALL)) {
      assertThatThrownBy(() -> once.nodes().list())
          .isInstanceOf(KubernetesClientException.class)
          .hasRootCauseMessage("the answer to GET /api/v1/nodes stopped for PT0.4S");
      proxy.stallAfter(Long.MAX_VALUE);
      assertThat(once.nodes().list().getItems()).hasSize(NODES);
    }
  }

  @Test
  void listThatStops_isTriedAgain() {
    createNodes();
    proxy.stallAfter(40_000);
    try (ClusterWatch watch = mirrors.watch(client, limits(CALL))) {
      await().atMost(SOON).until(() -> mirrors.namespaces().timesSynced() == 1);
      assertThat(mirrors.nodes().timesSynced()).isZero();
      proxy.stallAfter(Long.MAX_VALUE);

      await().atMost(SOON).until(() -> mirrors.nodes().timesSynced() == 1);
      assertThat(mirrors.nodes().content()).hasSize(NODES);
      await().atMost(SOON).until(() -> watch.problems().isEmpty());
    }
  }

  @Test
  void watchesThatGoSilentBeforeTheirFirstBookmark_areOpenedAnew() {
    try (ClusterWatch watch = mirrors.watch(client, limits(CALL))) {
      await().atMost(SOON).until(() -> watch.connected().values().stream().allMatch(on -> on));
      proxy.stall();
      createNodes();

      await().atMost(SOON).until(() -> mirrors.nodes().content().size() == NODES);
      assertThat(mirrors.nodes().timesSynced()).isEqualTo(1);
    }
  }

  @Test
  void watchOfEventsThatGoesSilent_isOpenedAnew() {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    EventWatch.Selection all = EventWatch.Selection.byReason("Test", "Node", "a test").withListed();
    try (WatchClient api = new WatchClient(client, CLOCK, limits(CALL))) {
      EventWatch watch = new EventWatch(api, all, event -> heard.add(event.getMessage()));
      await().atMost(SOON).until(() -> api.isOpen("events", 1));
      server.client().resource(event(Words.HAN)).create();
      await().atMost(SOON).until(() -> heard.contains(Words.HAN));
      proxy.stall();
      server.client().resource(event(Words.EMOJI)).create();

      await().atMost(SOON).until(() -> heard.contains(Words.EMOJI));
      watch.close();
    } finally {
      server.client().v1().events().inNamespace("default").delete();
    }
  }

  /** API servers keep no cache of Events: a quiet watch meets a version that is forgotten. */
  @Test
  void eventsHeardFromAWatch_areNotHeardAgainFromTheNextList() throws Exception {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    EventWatch.Selection fresh = EventWatch.Selection.byReason("Test", "Node", "a test");
    try (ReflectorLog log = new ReflectorLog();
        WatchClient api = new WatchClient(client, CLOCK, limits(SOON))) {
      EventWatch watch = new EventWatch(api, fresh, event -> heard.add(event.getMessage()));
      await().atMost(SOON).until(() -> api.isOpen("events", 1));
      server.client().resource(event("first")).create();
      await().atMost(SOON).until(() -> heard.size() == 1);
      server.client().resource(lease("us", Map.of())).update();
      server.client().resource(lease("peer", Map.of())).update();
      server.forgetHistory();
      proxy.drop();
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(log.messages().toString()).contains("http gone"));
      server.client().resource(event("second")).create();

      await().atMost(SOON).until(() -> heard.contains("second"));
      assertThat(heard).containsExactly("first", "second");
      watch.close();
    } finally {
      server.client().v1().events().inNamespace("default").delete();
    }
  }

  @Test
  void watchesOfLeasesThatGoSilent_areOpenedAnew() {
    Queue<LeaseView> seen = new ConcurrentLinkedQueue<>();
    Queue<Map<String, String>> read = new ConcurrentLinkedQueue<>();
    KubeLeases.Terms terms =
        new KubeLeases.Terms("default", "network", "us", Duration.ofMinutes(15), Optional.empty());
    try (ReflectorLog log = new ReflectorLog();
        KubeLeases leases = new KubeLeases(client, terms, CLOCK, CLOCK, seen::add);
        KubePauses pauses = pauses(read)) {
      await().atMost(SOON).until(() -> count(log, "Watch started") == 2);
      assertThat(leases.read().toCompletableFuture().join()).isInstanceOf(LeaseAnswer.Is.class);
      proxy.stall();
      server.client().resource(lease("peer", Map.of(REASON, Words.UMLAUTS))).update();

      await().atMost(SOON).until(() -> read.contains(Map.of(REASON, Words.UMLAUTS)));
      await().atMost(SOON).until(() -> seen.size() == 2);
      await().atMost(SOON).until(() -> pauses.leader().isPresent());
    }
  }

  @Test
  void watchWhoseHeadersDoNotCome_isTriedAgain() {
    Queue<Map<String, String>> read = new ConcurrentLinkedQueue<>();
    try (ReflectorLog log = new ReflectorLog();
        KubePauses pauses = pauses(read)) {
      await().atMost(SOON).until(() -> count(log, "Watch started") == 1);
      int before = proxy.accepted();
      proxy.stallAfter(0);
      proxy.drop();
      await().atMost(SOON).until(() -> proxy.accepted() > before);
      proxy.stallAfter(Long.MAX_VALUE);
      server.client().resource(lease("us", Map.of(REASON, Words.HAN))).update();

      await().atMost(SOON).until(() -> read.contains(Map.of(REASON, Words.HAN)));
      assertThat(pauses.leader()).isPresent();
    }
  }

  /** Else an answer could not last longer than its headers may, and a watch would end by it. */
  @Test
  void bodyOfAnAnswer_mayLastLongerThanItsHeaders() {
    Duration headers = Duration.ofSeconds(1);
    try (KubernetesClient patient =
            KubeClients.build(client.getConfiguration(), new AnswerLimits(headers, headers, SOON));
        ReflectorLog log = new ReflectorLog();
        KubePauses pauses = unstarted(patient)) {
      pauses.start(read -> {});
      await().atMost(SOON).until(() -> count(log, "Watch started") == 1);
      int connections = proxy.accepted();

      await()
          .during(headers.multipliedBy(3))
          .atMost(SOON)
          .until(() -> proxy.accepted() == connections);
    }
  }

  @Test
  void pauseFromALaptopWhoseClockIsWrong_endsByTheClockOfTheCluster() {
    InstantSource slow = InstantSource.offset(CLOCK, Duration.ofHours(-3));
    Instant now = CLOCK.instant();
    PauseWriter writer = PauseWriter.of(client, "default", List.of("network"));

    Instant until = writer.pause(Duration.ofMinutes(30), Words.EMOJI, false, slow);

    assertThat(until).isBetween(now.plusSeconds(1_797), CLOCK.instant().plusSeconds(1_803));
    assertThat(writer.until()).contains(until.toString());
  }

  private static WatchLiveness.Limits limits(Duration silent) {
    return new WatchLiveness.Limits(Duration.ofMillis(100), silent, silent);
  }

  private static KubePauses unstarted(KubernetesClient client) {
    Settings.LeaderElection election =
        new Settings.LeaderElection(true, "network", Optional.empty(), SOON, SOON, SOON);
    return new KubePauses(client, "default", election, CLOCK, CLOCK);
  }

  private KubePauses pauses(Queue<Map<String, String>> read) {
    KubePauses pauses = unstarted(client);
    pauses.start(seen -> read.add(seen.annotations()));
    return pauses;
  }

  private static long count(ReflectorLog log, String text) {
    return log.messages().stream().filter(line -> line.contains(text)).count();
  }

  /** More than a connection carries that stops in a body. */
  private static void createNodes() {
    IntStream.range(0, NODES)
        .mapToObj(
            i ->
                new NodeBuilder()
                    .withNewMetadata()
                    .withName("many-" + i)
                    .withAnnotations(Words.ANNOTATIONS)
                    .endMetadata()
                    .build())
        .forEach(node -> server.client().resource(node).create());
  }

  private static Lease lease(String holder, Map<String, String> annotations) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("network")
        .withAnnotations(annotations)
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity(holder.isEmpty() ? null : holder)
        .withRenewTime(ZonedDateTime.parse("2026-11-28T00:00:00Z"))
        .endSpec()
        .build();
  }

  private static Event event(String message) {
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withGenerateName("network-")
        .endMetadata()
        .withReason("Test")
        .withMessage(message)
        .withNewInvolvedObject()
        .withKind("Node")
        .withNamespace("default")
        .withName("node-1")
        .endInvolvedObject()
        .build();
  }
}
