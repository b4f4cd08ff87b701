package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;

/**
 * The three watches that the controller lives on, over all namespaces: Nodes, Services and
 * EndpointSlices. They start in that order and stop in the opposite one.
 */
public final class ClusterWatch implements Watches {
  private final WatchClient api;
  private final List<ConflatingWatch<?, ?, ?>> watches;

  private ClusterWatch(WatchClient api, List<ConflatingWatch<?, ?, ?>> watches) {
    this.api = api;
    this.watches = watches;
  }

  /**
   * Starts all three, over connections of their own, and returns at once, whether or not the API
   * server answers.
   *
   * @param client whose configuration to use
   */
  public static ClusterWatch start(
      Materializer materializer,
      KubernetesClient client,
      Receiver<ServiceKey, ServiceView, ?, ?> services,
      Receiver<SliceView.Key, SliceView, ?, ?> slices,
      Receiver<NodeKey, NodeView, ?, ?> nodes) {
    WatchClient api = WatchClient.like(client);
    return new ClusterWatch(
        api,
        List.of(
            ConflatingWatch.start(materializer, api, NodeViews.KIND, nodes),
            ConflatingWatch.start(materializer, api, ServiceViews.KIND, services),
            ConflatingWatch.start(materializer, api, SliceViews.KIND, slices)));
  }

  /** The condition of each watch now, in the order of their start. */
  public List<WatchHealth> health() {
    return watches.stream().map(ConflatingWatch::health).toList();
  }

  /** Whether the actors have taken everything of the first listings. */
  public boolean synced() {
    return watches.stream().allMatch(watch -> watch.health().synced());
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
    watches.reversed().forEach(ConflatingWatch::close);
    api.close();
  }
}
