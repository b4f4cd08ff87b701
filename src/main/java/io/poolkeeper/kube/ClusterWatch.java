package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.kube.binding.BindingViews;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.node.NodeEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;

/**
 * The watches of the controller over all namespaces: Nodes, Namespaces, Services, EndpointSlices
 * and bindings, started in this order and stopped in reverse; and three kinds of events, see {@link
 * PeerEvents}, {@link PreemptEvents} and {@link PeerComplaints}.
 */
public final class ClusterWatch implements Watches {
  private final WatchClient api;
  private final List<ConflatingWatch<?, ?, ?>> watches;
  private final List<EventWatch> events;

  private ClusterWatch(
      WatchClient api, List<ConflatingWatch<?, ?, ?>> watches, List<EventWatch> events) {
    this.api = api;
    this.watches = List.copyOf(watches);
    this.events = events;
  }

  /**
   * Starts all of them on separate connections. Returns at once, even if the API server does not
   * answer.
   *
   * @param client whose configuration to use
   * @param clock monotonic
   * @param wall the time of day
   * @param bindings empty if bindings are not followed
   * @param peerWrote hears of each Service whose pools the cloud provider says it has written
   * @param preempted hears of each event that may announce a preemption
   * @param lock hears whether the cloud provider waits for the shared Lease; empty if it is not
   *     used
   */
  public static ClusterWatch start(
      Materializer materializer,
      KubernetesClient client,
      InstantSource clock,
      InstantSource wall,
      WatchLiveness.Limits limits,
      Receiver<ServiceKey, ServiceView, ?, ?> services,
      Receiver<SliceView.Key, SliceView, ?, ?> slices,
      Receiver<NodeKey, NodeView, ?, ?> nodes,
      Receiver<String, NamespaceView, ?, ?> namespaces,
      Optional<Receiver<BindingKey, BindingView, ?, ?>> bindings,
      Consumer<ServiceKey> peerWrote,
      Consumer<NodeEvent.Preempted> preempted,
      Optional<Consumer<SharedLockEvent>> lock) {
    WatchClient api = new WatchClient(client, clock, limits);
    List<ConflatingWatch<?, ?, ?>> watches = new ArrayList<>();
    watches.add(ConflatingWatch.start(materializer, api, NodeViews.KIND, nodes));
    watches.add(ConflatingWatch.start(materializer, api, NamespaceViews.KIND, namespaces));
    watches.add(ConflatingWatch.start(materializer, api, ServiceViews.KIND, services));
    watches.add(ConflatingWatch.start(materializer, api, SliceViews.KIND, slices));
    bindings.ifPresent(
        receiver ->
            watches.add(
                ConflatingWatch.start(
                    materializer, api, new BindingViews(clock, wall).kind(), receiver)));
    List<EventWatch> events = new ArrayList<>();
    events.add(PeerEvents.start(api, peerWrote));
    events.add(PreemptEvents.start(api, wall, preempted));
    events.add(PeerComplaints.start(api, clock, wall, peerWrote, lock.orElse(heard -> {})));
    return new ClusterWatch(api, watches, List.copyOf(events));
  }

  /** The health of each watch, in the order of their start. */
  public List<WatchHealth> health() {
    return watches.stream().map(ConflatingWatch::health).toList();
  }

  @Override
  public Map<String, Boolean> connected() {
    return health().stream()
        .collect(Collectors.toMap(health -> label(health.kind()), WatchHealth::connected));
  }

  private static String label(String kind) {
    return switch (kind) {
      case "endpointslices" -> "endpoint-slices";
      case "backendpoolbindings" -> "bindings";
      default -> kind;
    };
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
    events.forEach(EventWatch::close);
    watches.reversed().forEach(ConflatingWatch::close);
    api.close();
  }
}
