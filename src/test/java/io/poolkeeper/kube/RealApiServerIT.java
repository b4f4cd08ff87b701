package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.PatchResult;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches and events on a real kube-apiserver, for what the embedded one does not support. */
@Tag("real-apiserver")
class RealApiServerIT {
  private static final Duration SOON = Duration.ofSeconds(40);

  /** The fault is rare: the JDK misses about one dropped connection in 50. */
  private static final int ROUNDS = 10;

  private static final String CLOUD_PROVIDER = "azure-cloud-provider";

  @TempDir static Path directory;
  private static RealApiServer server;
  private static ActorTestKit kit;

  private final Mirrors mirrors = new Mirrors(kit);
  private CuttableProxy proxy;
  private KubernetesClient watched;
  private ClusterWatch watch;

  @BeforeAll
  static void startServer() throws IOException {
    kit = ActorTestKit.create();
    server = RealApiServer.start(directory);
  }

  @AfterAll
  static void stopServer() {
    kit.shutdownTestKit();
    server.close();
  }

  @BeforeEach
  void watchThroughAProxy() throws IOException {
    create(Samples.slice("web-1", "web", "node-1", "node-2"));
    create(Samples.slice("web-2", "web", "node-3"));
    create(Samples.slice("web-3", "web", "node-3"));
    server.client().resource(Samples.localService("web")).create();
    createNode("node-1", "10.0.0.1");
    createNode("node-2", "10.0.0.2");
    proxy = new CuttableProxy(server.port());
    watched = server.client(proxy.port());
    watch = mirrors.watch(watched);
    await().atMost(SOON).until(() -> watch.health().stream().allMatch(WatchHealth::synced));
    awaitConnected();
    awaitMirrorsEqual();
  }

  @AfterEach
  void stop() throws IOException {
    watch.close();
    watched.close();
    proxy.close();
    client().discovery().v1().endpointSlices().inNamespace("default").delete();
    client().services().inNamespace("default").withName("web").delete();
    client().services().inNamespace("default").withName("api").delete();
    client().nodes().delete();
  }

  @Test
  void watches_surviveARestartOfTheServer() throws Exception {
    server.kill();
    await().atMost(SOON).until(() -> watch.health().stream().noneMatch(WatchHealth::connected));
    server.restart();

    changeMuch();

    awaitMirrorsEqual();
    awaitConnected();
    assertThat(mirrors.slices().timesSynced()).isEqualTo(1);
  }

  @Test
  void watches_surviveAnExpiredVersion() throws Exception {
    // Without its cache the server reads etcd, whose history can be compacted.
    server.kill();
    server.restart("--watch-cache=false");
    awaitConnected();
    String version =
        client().discovery().v1().endpointSlices().list().getMetadata().getResourceVersion();
    try (ReflectorLog log = new ReflectorLog()) {
      proxy.hold();

      changeMuch();
      server.forgetHistory();
      assertThat(watchFrom(version).isHttpGone()).isTrue();
      proxy.release();

      awaitMirrorsEqual();
      awaitConnected();
      assertThat(log.messages()).anyMatch(line -> line.contains("restarting due to http gone"));
    }
    create(Samples.slice("web-9", "web", "node-2"));
    awaitMirrorsEqual();
  }

  @Test
  void watches_surviveBeingCutManyTimesWhileMuchChanges() {
    for (int round = 0; round < ROUNDS; round++) {
      proxy.drop();
      int now = round;
      IntStream.range(0, 50)
          .forEach(i -> client().resource(Samples.slice("web-1", "web", "n-" + now + i)).update());
      create(Samples.slice("many-" + round, "web", "node-1"));
      delete("many-" + (round - 1));
    }

    awaitMirrorsEqual();
    assertThat(mirrors.slices().content())
        .containsKey(new SliceView.Key("default", "many-" + (ROUNDS - 1)));
  }

  @Test
  void events_areAcceptedAndCounted() {
    ServiceKey web = new ServiceKey("default", "web");
    String uid =
        client().services().inNamespace("default").withName("web").get().getMetadata().getUid();
    ObjectEvent event =
        new ObjectEvent(
            ObjectReference.of(web, uid), ObjectEvent.Type.WARNING, "UpdateFailed", "boom");

    try (KubeEventRecorder recorder =
        new KubeEventRecorder(watched, InstantSource.system(), Duration.ofSeconds(30))) {
      IntStream.range(0, 3).forEach(i -> recorder.record(event));

      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                assertThat(eventsOf(uid)).hasSize(1);
                assertThat(eventsOf(uid).getFirst().getCount()).isEqualTo(3);
              });
    }
  }

  @Test
  void cloudProviderEvents_areSelectedByTheServer_andReported() {
    String reason = "LoadBalancerBackendPoolUpdated";
    List<ServiceKey> written = new CopyOnWriteArrayList<>();
    server.client().resource(Samples.event("old", "old", CLOUD_PROVIDER, reason)).create();
    try (WatchClient api = new WatchClient(watched, Mirrors.CLOCK, WatchLiveness.Limits.SHIPPED);
        EventWatch events = CloudProviderEvents.start(api, written::add)) {
      await().atMost(SOON).until(() -> api.isOpen("events", 1));

      server.client().resource(Samples.event("other", "other", CLOUD_PROVIDER, "Ensured")).create();
      server.client().resource(Samples.event("new", "web", CLOUD_PROVIDER, reason)).create();

      await().atMost(SOON).until(() -> !written.isEmpty());
      assertThat(events.isOpen()).isTrue();
      assertThat(written).containsExactly(new ServiceKey("default", "web"));
    }
  }

  @Test
  void preemptEvents_areSelectedByTheServer_andThoseFromBeforeCount() {
    List<NodeKey> preempted = new CopyOnWriteArrayList<>();
    server.client().resource(Samples.preemptEvent("preempt-old", "node-1")).create();
    server
        .client()
        .resource(Samples.event("preempt-web", "web", CLOUD_PROVIDER, "PreemptScheduled"))
        .create();
    try (WatchClient api = new WatchClient(watched, Mirrors.CLOCK, WatchLiveness.Limits.SHIPPED);
        EventWatch events =
            PreemptEvents.start(api, Mirrors.CLOCK, event -> preempted.add(event.node()))) {
      await().atMost(SOON).until(() -> api.isOpen("events", 1));

      server.client().resource(Samples.preemptEvent("preempt-new", "node-2")).create();

      await().atMost(SOON).until(() -> preempted.size() == 2);
      assertThat(events.isOpen()).isTrue();
      assertThat(preempted).containsExactly(new NodeKey("node-1"), new NodeKey("node-2"));
    }
  }

  @Test
  void nodePatch_isTakenOnce_andATestThatFailsIsAConflict() {
    Node read = client().nodes().withName("node-1").get();
    String uid = read.getMetadata().getUid();
    NodeEffect.Patch patch =
        new NodeEffect.Patch(new NodeKey("node-1"), uid, List.of("an-id"), true);
    try (KubeNodePatches patches = new KubeNodePatches(watched)) {
      assertThat(patches.patch(patch).toCompletableFuture().join()).isEqualTo(PatchResult.DONE);
      assertThat(patches.apply(read, patch)).as("an old version").isEqualTo(PatchResult.CONFLICT);
      NodeEffect.Patch ofAnother =
          new NodeEffect.Patch(patch.node(), "another", List.of("other-id"), true);
      Node now = client().nodes().withName("node-1").get();
      assertThat(patches.apply(now, ofAnother)).as("a UID").isEqualTo(PatchResult.CONFLICT);
      assertThat(patches.patch(ofAnother).toCompletableFuture().join()).isEqualTo(PatchResult.GONE);
    }

    Node patched = client().nodes().withName("node-1").get();
    assertThat(patched.getMetadata().getAnnotations())
        .containsEntry("poolkeeper.io/preemption-handled", "an-id");
    assertThat(patched.getSpec().getTaints())
        .filteredOn(taint -> taint.getKey().equals("cloudprovider.azure.microsoft.com/draining"))
        .singleElement()
        .satisfies(taint -> assertThat(taint.getValue()).isEqualTo("spot-eviction"))
        .satisfies(taint -> assertThat(taint.getEffect()).isEqualTo("NoSchedule"));
  }

  /** Ours: the server reports on Services too, when it repairs their addresses. */
  private List<Event> eventsOf(String uid) {
    return client()
        .v1()
        .events()
        .inNamespace("default")
        .withField("involvedObject.uid", uid)
        .withField("reportingComponent", "poolkeeper")
        .list()
        .getItems();
  }

  private void changeMuch() {
    client().resource(Samples.slice("web-1", "web", "node-9")).update();
    delete("web-2");
    delete("web-3");
    create(Samples.slice("web-3", "web", "node-1"));
    create(Samples.slice("web-4", "web", "node-2"));
    client().resource(Samples.localService("api")).create();
    client().services().inNamespace("default").withName("web").delete();
    client().nodes().withName("node-1").delete();
    createNode("node-3", "10.0.0.3");
  }

  private static WatcherException watchFrom(String version) {
    CompletableFuture<WatcherException> closed = new CompletableFuture<>();
    Watcher<EndpointSlice> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, EndpointSlice slice) {}

          @Override
          public void onClose(WatcherException cause) {
            closed.complete(cause);
          }
        };
    client()
        .discovery()
        .v1()
        .endpointSlices()
        .inAnyNamespace()
        .watch(new ListOptionsBuilder().withResourceVersion(version).build(), watcher);
    await().atMost(SOON).until(closed::isDone);
    return closed.join();
  }

  private void awaitConnected() {
    await().atMost(SOON).until(() -> watch.health().stream().allMatch(WatchHealth::connected));
  }

  private void awaitMirrorsEqual() {
    await().atMost(SOON).untilAsserted(() -> mirrors.assertEqualTo(client()));
  }

  private static void createNode(String name, String internalIp) {
    Node node = Samples.node(name, internalIp);
    client().nodes().resource(node).create();
    client()
        .nodes()
        .withName(name)
        .editStatus(
            created -> {
              created.setStatus(node.getStatus());
              return created;
            });
  }

  private static void create(EndpointSlice slice) {
    client().resource(slice).create();
  }

  private static void delete(String slice) {
    client().resource(Samples.slice(slice, "web")).delete();
  }

  private static KubernetesClient client() {
    return server.client();
  }
}
