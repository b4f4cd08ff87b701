package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;

/**
 * The watches of the controller over all namespaces: Nodes, Services and EndpointSlices, started in
 * this order and stopped in reverse; and the cloud provider's events, see {@link PeerEvents}.
 */
public final class ClusterWatch implements Watches {
  private final WatchClient api;
  private final List<ConflatingWatch<?, ?, ?>> watches;
  private final PeerEvents peer;

  private ClusterWatch(WatchClient api, List<ConflatingWatch<?, ?, ?>> watches, PeerEvents peer) {
    this.api = api;
    this.watches = watches;
    this.peer = peer;
  }

  /**
   * Starts all three on separate connections. Returns at once, even if the API server does not
   * answer.
   *
   * @param client whose configuration to use
   * @param clock monotonic
   * @param peerWrote hears of each Service whose pools the cloud provider says it has written
   */
  public static ClusterWatch start(
      Materializer materializer,
      KubernetesClient client,
      InstantSource clock,
      WatchLiveness.Limits limits,
      Receiver<ServiceKey, ServiceView, ?, ?> services,
      Receiver<SliceView.Key, SliceView, ?, ?> slices,
      Receiver<NodeKey, NodeView, ?, ?> nodes,
      Consumer<ServiceKey> peerWrote) {
    WatchClient api = new WatchClient(client, clock, limits);
    return new ClusterWatch(
        api,
        List.of(
            ConflatingWatch.start(materializer, api, NodeViews.KIND, nodes),
            ConflatingWatch.start(materializer, api, ServiceViews.KIND, services),
            ConflatingWatch.start(materializer, api, SliceViews.KIND, slices)),
        PeerEvents.start(api, peerWrote));
  }

  /** The health of each watch, in the order of their start. */
  public List<WatchHealth> health() {
    return watches.stream().map(ConflatingWatch::health).toList();
  }

  @Override
  public List<String> problems() {
    return health().stream().flatMap(health -> health.problem().stream()).toList();
  }

  @Override
  public CompletionStage<Void> completion() {
    CompletableFuture<Void> failed = new CompletableFuture<>();
    CompletableFuture<?>[] all =
        watches.stream()
            .map(ConflatingWatch::completion)
            .map(CompletionStage::toCompletableFuture)
            .map(watch -> watch.whenComplete((done, failure) -> failOn(failure, failed)))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.anyOf(failed, CompletableFuture.allOf(all)).thenApply(any -> null);
  }

  private static void failOn(@Nullable Throwable failure, CompletableFuture<Void> target) {
    if (failure != null) {
      target.completeExceptionally(failure);
    }
  }

  @Override
  public void close() {
    peer.close();
    watches.reversed().forEach(ConflatingWatch::close);
    api.close();
  }
}
