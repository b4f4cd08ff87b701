package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.stream.Materializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A watch over HTTP whose connection is half open: it stays, and nothing comes any more. */
class LostWatchIT {
  private static final String SLOW = "slow";
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final WatchLiveness.Limits LIMITS =
      new WatchLiveness.Limits(
          Duration.ofMillis(50), Duration.ofMillis(1_500), Duration.ofMillis(1_500));

  private final ActorTestKit kit = ActorTestKit.create();
  private final Mirror<SliceView.Key, SliceView> mirror = new Mirror<>(kit);
  private final WatchServer server = new WatchServer();
  private final CuttableProxy proxy = new CuttableProxy(server.port());
  private final KubernetesClient client = WatchServer.client(proxy.port());
  private final WatchClient api = new WatchClient(client, Mirrors.CLOCK, LIMITS);
  private final CompletableFuture<Void> reads = new CompletableFuture<>();
  private final CompletableFuture<Void> mayRead = new CompletableFuture<>();
  private ConflatingWatch<EndpointSlice, SliceView.Key, SliceView> watch;

  LostWatchIT() throws IOException {}

  @BeforeEach
  void watch() {
    server.put(Samples.slice("web-1", "web", "node-1"));
    server.put(Samples.slice("web-2", "web", "node-2"));
    watch =
        new ConflatingWatch<>(
            Materializer.matFromSystem(kit.system()), api, slowToRead(), mirror.receiver());
    await().atMost(SOON).until(() -> watch.health().synced() && server.watches() == 1);
  }

  @AfterEach
  void stop() throws IOException {
    mayRead.complete(null);
    watch.close();
    api.close();
    client.close();
    proxy.close();
    server.close();
    kit.shutdownTestKit();
  }

  @Test
  void halfOpenConnection_isReopenedFromTheLastVersion() {
    proxy.stall();
    server.put(Samples.slice("web-3", "web", "node-3"));

    await().atMost(SOON).until(() -> mirror.content().containsKey(key("web-3")));
    assertThat(mirror.lost()).isFalse();
    assertThat(mirror.timesSynced()).isEqualTo(1);
    assertThat(server.lists()).hasSize(1);
  }

  @Test
  void halfOpenConnection_thatCannotBeReopened_isLostUntilANewList() {
    proxy.stall();
    proxy.holdNew();

    await().atMost(SOON).until(mirror::lost);
    assertThat(watch.health().problem().orElseThrow())
        .startsWith("watch of endpoint-slices is lost");
    server.put(Samples.slice("web-1", "web", "node-9"));
    server.delete("web-2");
    server.put(Samples.slice("web-3", "web", "node-3"));
    proxy.release();

    await().atMost(SOON).until(() -> mirror.timesSynced() == 2);
    assertThat(mirror.content()).containsOnlyKeys(key("web-1"), key("web-3"));
    assertThat(mirror.content().get(key("web-1")))
        .isEqualTo(SliceViews.view(Samples.slice("web-1", "web", "node-9")).orElseThrow());
    assertThat(mirror.lost()).isFalse();
    assertThat(server.lists())
        .hasSizeGreaterThan(1)
        .noneMatch(list -> list.contains("resourceVersion"));
    await().atMost(SOON).until(() -> watch.health().problem().isEmpty());
    server.put(Samples.slice("web-4", "web", "node-4"));
    await().atMost(SOON).until(() -> mirror.content().containsKey(key("web-4")));
  }

  @Test
  void refusalByTooManyRequests_losesNothing_howeverLongItLasts() {
    server.refuse();
    server.put(Samples.slice("web-3", "web", "node-3"));
    server.delete("web-2");

    await().atMost(SOON).until(() -> mirror.lost() && server.refused() > 2);
    assertThat(mirror.content()).containsOnlyKeys(key("web-1"), key("web-2"));
    server.admit();

    await().atMost(SOON).until(() -> mirror.timesSynced() == 2);
    assertThat(mirror.content()).containsOnlyKeys(key("web-1"), key("web-3"));
    assertThat(mirror.lost()).isFalse();
    server.put(Samples.slice("web-4", "web", "node-4"));
    await().atMost(SOON).until(() -> mirror.content().containsKey(key("web-4")));
  }

  @Test
  void objectThatIsReadAsAnotherListArrives_isNotKeptIfTheListLacksIt() {
    server.put(Samples.slice(SLOW, "web", "node-3"));
    reads.join();
    proxy.stall();
    proxy.holdNew();
    server.delete(SLOW);
    await().atMost(SOON).until(() -> watch.health().lost() && !watch.health().connected());
    proxy.release();
    // An informer watches once it has passed its list on.
    await().atMost(SOON).until(() -> watch.health().connected());

    mayRead.complete(null);

    await().atMost(SOON).until(() -> mirror.timesSynced() == 2);
    assertThat(mirror.content()).containsOnlyKeys(key("web-1"), key("web-2"));
  }

  /** The kind whose slice of a certain name is read slowly. */
  private WatchedKind<EndpointSlice, SliceView.Key, SliceView> slowToRead() {
    var kind = SliceViews.KIND;
    return new WatchedKind<>(
        kind.name(),
        kind.informer(),
        kind.empty(),
        (namespace, name) -> {
          if (name.equals(SLOW)) {
            reads.complete(null);
            mayRead.join();
          }
          return kind.key().apply(namespace, name);
        },
        kind.view(),
        kind.optional(),
        kind.everyUpdate());
  }

  private static SliceView.Key key(String name) {
    return new SliceView.Key("default", name);
  }
}
