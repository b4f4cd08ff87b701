package io.poolkeeper.kube;

import io.poolkeeper.kube.binding.BindingViews;
import io.poolkeeper.watch.Receivers;
import io.poolkeeper.watch.Watches;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;

/**
 * The watches of the controller over all namespaces: Nodes, Namespaces, Services, EndpointSlices
 * and bindings, started in this order and stopped in reverse; and three kinds of events, see {@link
 * CloudProviderEvents}, {@link PreemptEvents} and {@link CloudProviderComplaints}.
 */
public final class ClusterWatch implements Watches {
  private static final String EVENTS = "events";

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
   * Starts all watches on separate connections. Returns at once, even if the API server does not
   * answer.
   *
   * @param api is closed with the watches
   */
  public static ClusterWatch start(
      Materializer materializer, WatchClient api, InstantSource wall, Receivers to) {
    List<ConflatingWatch<?, ?, ?>> watches = new ArrayList<>();
    watches.add(new ConflatingWatch<>(materializer, api, NodeViews.KIND, to.nodes()));
    watches.add(new ConflatingWatch<>(materializer, api, NamespaceViews.KIND, to.namespaces()));
    watches.add(new ConflatingWatch<>(materializer, api, ServiceViews.KIND, to.services()));
    watches.add(new ConflatingWatch<>(materializer, api, SliceViews.KIND, to.slices()));
    to.bindings()
        .ifPresent(
            receiver ->
                watches.add(
                    new ConflatingWatch<>(
                        materializer, api, new BindingViews(api.clock(), wall).kind(), receiver)));
    List<EventWatch> events = new ArrayList<>();
    events.add(CloudProviderEvents.start(api, to.cloudProviderWrote()));
    events.add(PreemptEvents.start(api, wall, to.preempted()));
    events.add(
        CloudProviderComplaints.start(
            api, api.clock(), wall, to.cloudProviderWrote(), to.lock().orElse(heard -> {})));
    return new ClusterWatch(api, watches, List.copyOf(events));
  }

  /** The health of each watch, in the order of their start. */
  public List<WatchHealth> health() {
    return watches.stream().map(ConflatingWatch::health).toList();
  }

  /** Of all watches of events as one, as the client counts those that are open by their kind. */
  private WatchHealth events() {
    boolean connected =
        api.isOpen(EVENTS, events.size()) || events.stream().allMatch(EventWatch::watching);
    Optional<String> error = events.stream().flatMap(one -> one.error().stream()).findFirst();
    return new WatchHealth(EVENTS, connected, true, false, error.or(() -> api.error(EVENTS)));
  }

  @Override
  public Map<String, Boolean> connected() {
    return Stream.concat(health().stream(), Stream.of(events()))
        .collect(Collectors.toMap(WatchHealth::label, WatchHealth::connected));
  }

  /** API servers send no bookmarks of events: a quiet watch of them ends and is opened again. */
  @Override
  public SequencedMap<String, String> problems() {
    Stream<WatchHealth> failing = Stream.of(events()).filter(one -> one.lastError().isPresent());
    SequencedMap<String, String> all = new LinkedHashMap<>();
    Stream.concat(health().stream(), failing)
        .forEach(health -> health.problem().ifPresent(what -> all.put(health.label(), what)));
    return all;
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
