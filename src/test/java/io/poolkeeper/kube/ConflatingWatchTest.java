package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.actor.CoreActor.Ack;
import io.poolkeeper.actor.CoreActor.Acknowledged;
import io.poolkeeper.actor.CoreActor.Command;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.watch.Delivery;
import io.poolkeeper.watch.WatchLiveness;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.pekko.Done;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.stream.Materializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ConflatingWatchTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int LISTED = 1;
  private static ActorTestKit kit;

  private final EmbeddedCluster cluster = EmbeddedCluster.start(0);
  private final KubernetesClient client = cluster.client();
  private final WatchClient api =
      new WatchClient(client, Mirrors.CLOCK, WatchLiveness.Limits.SHIPPED);
  private final TestProbe<Command<Delivery<SliceView.Key, SliceView>>> probe =
      kit.createTestProbe();
  private ConflatingWatch<EndpointSlice, SliceView.Key, SliceView> watch;

  @BeforeAll
  static void startSystem() {
    kit = ActorTestKit.create();
  }

  @AfterAll
  static void stopSystem() {
    kit.shutdownTestKit();
  }

  @AfterEach
  void stop() {
    if (watch != null) {
      watch.close();
    }
    api.close();
    cluster.close();
  }

  @Test
  void synced_followsEverythingThatExistedAtTheStart() {
    create("web-1", "node-1");
    create("web-2", "node-2");

    start();

    Map<SliceView.Key, Optional<SliceView>> told = new HashMap<>();
    while (told.size() < 2) {
      assertThat(watch.health().synced()).isFalse();
      told.putAll(acknowledgedChanges());
    }
    assertThat(told)
        .isEqualTo(
            Map.of(key("web-1"), view("web-1", "node-1"), key("web-2"), view("web-2", "node-2")));
    expectSynced();
    await().atMost(SOON).until(() -> watch.health().synced());
    await().atMost(SOON).until(() -> watch.health().connected());
  }

  @Test
  void synced_emptyCluster_comesAlone() {
    start();

    expectSynced();
    probe.expectNoMessage(Duration.ofMillis(100));
  }

  @Test
  void burst_whileTheReceiverIsBusy_costsOneMessageWithTheNewestValues() {
    IntStream.range(0, 10).forEach(i -> create("web-" + i, "old"));
    startAndSync();
    create("first", "node-1");
    var busyWith = next(probe);

    IntStream.rangeClosed(1, 1000).forEach(i -> update("web-" + i % 10, "node-" + i));

    awaitEvents(LISTED + 1 + 1000);
    ack(busyWith);
    Map<SliceView.Key, Optional<SliceView>> next = acknowledgedChanges();
    assertThat(next).hasSize(10);
    for (int i = 991; i <= 1000; i++) {
      String name = "web-" + i % 10;
      assertThat(next).containsEntry(key(name), view(name, "node-" + i));
    }
    probe.expectNoMessage(Duration.ofMillis(200));
  }

  @Test
  void deletedAndCreatedAgain_whileTheReceiverIsBusy_showsTheNewest() {
    create("web-1", "node-1");
    create("web-2", "node-2");
    startAndSync();
    create("first", "node-1");
    var busyWith = next(probe);

    delete("web-1");
    create("web-1", "node-9");
    delete("web-2");

    awaitEvents(LISTED + 1 + 3);
    ack(busyWith);
    assertThat(mirrorUntil(Set.of(key("web-1"), key("web-2"))))
        .containsEntry(key("web-1"), view("web-1", "node-9"))
        .containsEntry(key("web-2"), Optional.empty());
  }

  @Test
  void slice_losingItsServiceLabel_isToldAsGone() {
    create("web-1", "node-1");
    startAndSync();

    client
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("default")
        .withName("web-1")
        .edit(
            slice -> {
              slice.getMetadata().setLabels(Map.of("app", "web"));
              return slice;
            });

    assertThat(acknowledgedChanges()).isEqualTo(Map.of(key("web-1"), Optional.empty()));
  }

  @Test
  void slice_touchedWithoutAChangeOfNodes_isDelivered() {
    create("web-1", "node-1");
    startAndSync();

    client
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("default")
        .withName("web-1")
        .edit(
            slice -> {
              slice.getEndpoints().getFirst().setAddresses(List.of("10.1.0.77"));
              return slice;
            });

    assertThat(acknowledgedChanges()).isEqualTo(Map.of(key("web-1"), view("web-1", "node-1")));
  }

  @Test
  void update_thatLeavesTheViewEqual_isNotTold() {
    TestProbe<Command<Delivery<NodeKey, NodeView>>> nodes = kit.createTestProbe();
    client.nodes().resource(Samples.node("node-1", "10.0.0.4")).create();
    try (var nodeWatch =
        new ConflatingWatch<>(
            Materializer.matFromSystem(kit.system()),
            api,
            NodeViews.KIND,
            Mirror.receiver(nodes.getRef()))) {
      ack(next(nodes));
      ack(next(nodes));
      await().atMost(SOON).until(() -> nodeWatch.health().connected());

      heartbeat("node-1");

      client.nodes().resource(Samples.node("node-2", "10.0.0.5")).create();
      var next = next(nodes);
      assertThat(views(next)).containsOnlyKeys(new NodeKey("node-2"));
      ack(next);

      heartbeat("node-1");
      client
          .nodes()
          .withName("node-1")
          .edit(
              node -> new NodeBuilder(node).editOrNewSpec().withProviderID("p").endSpec().build());

      assertThat(views(next(nodes))).containsOnlyKeys(new NodeKey("node-1"));
    }
  }

  @Test
  void receiverThatStops_endsTheWatchAsFailed() {
    startAndSync();

    probe.stop();

    await().atMost(SOON).until(() -> watch.completion().toCompletableFuture().isDone());
    assertThat(watch.completion().toCompletableFuture()).isCompletedExceptionally();
  }

  @Test
  void close_endsTheWatch() {
    startAndSync();

    watch.close();

    await().atMost(SOON).until(() -> watch.completion().toCompletableFuture().isDone());
    assertThat(watch.completion().toCompletableFuture()).isCompletedWithValue(Done.getInstance());
    assertThat(watch.health().connected()).isFalse();
  }

  private void start() {
    watch =
        new ConflatingWatch<>(
            Materializer.matFromSystem(kit.system()),
            api,
            SliceViews.KIND,
            Mirror.receiver(probe.getRef()));
  }

  private void startAndSync() {
    start();
    Acknowledged<Delivery<SliceView.Key, SliceView>> message;
    do {
      message = next(probe);
      ack(message);
    } while (!(message.event() instanceof Delivery.Synced));
    await().atMost(SOON).until(() -> watch.health().connected());
  }

  private static <K, V> Acknowledged<Delivery<K, V>> next(TestProbe<Command<Delivery<K, V>>> of) {
    return (Acknowledged<Delivery<K, V>>) of.receiveMessage(SOON);
  }

  private static <K, V> Map<K, Optional<V>> views(Acknowledged<Delivery<K, V>> message) {
    return ((Delivery.Changes<K, V>) message.event()).views();
  }

  private static void ack(Acknowledged<?> message) {
    message.replyTo().tell(Ack.INSTANCE);
  }

  private Map<SliceView.Key, Optional<SliceView>> acknowledgedChanges() {
    var next = next(probe);
    ack(next);
    return views(next);
  }

  private void expectSynced() {
    var message = next(probe);
    assertThat(message.event()).isInstanceOf(Delivery.Synced.class);
    ack(message);
  }

  /** Waits until the stream has accepted so many events. */
  private void awaitEvents(long number) {
    await().atMost(SOON).until(() -> watch.acceptedOffers() == number);
  }

  private Map<SliceView.Key, Optional<SliceView>> mirrorUntil(Set<SliceView.Key> keys) {
    Map<SliceView.Key, Optional<SliceView>> next = acknowledgedChanges();
    assertThat(next.keySet()).containsAll(keys);
    return next;
  }

  private void create(String name, String node) {
    client.resource(Samples.slice(name, "web", node)).create();
  }

  private void update(String name, String node) {
    client.resource(Samples.slice(name, "web", node)).update();
  }

  private void delete(String name) {
    client.resource(Samples.slice(name, "web")).delete();
  }

  private void heartbeat(String node) {
    client
        .nodes()
        .withName(node)
        .editStatus(
            beaten -> {
              beaten.getStatus().setPhase("Running");
              return beaten;
            });
  }

  private static SliceView.Key key(String name) {
    return new SliceView.Key("default", name);
  }

  private static Optional<SliceView> view(String name, String node) {
    return SliceViews.view(Samples.slice(name, "web", node));
  }
}
