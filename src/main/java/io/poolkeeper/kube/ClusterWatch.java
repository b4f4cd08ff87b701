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
      Materializer materializer, WatchClient api, InstantSource wall, Receivers receivers) {
    List<ConflatingWatch<?, ?, ?>> watches = new ArrayList<>();
    watches.add(new ConflatingWatch<>(materializer, api, NodeViews.KIND, receivers.nodes()));
    watches.add(
        new ConflatingWatch<>(materializer, api, NamespaceViews.KIND, receivers.namespaces()));
    watches.add(new ConflatingWatch<>(materializer, api, ServiceViews.KIND, receivers.services()));
    watches.add(new ConflatingWatch<>(materializer, api, SliceViews.KIND, receivers.slices()));
    receivers
        .bindings()
        .ifPresent(
            receiver ->
                watches.add(
                    new ConflatingWatch<>(
                        materializer, api, new BindingViews(api.clock(), wall).kind(), receiver)));
    List<EventWatch> events =
        List.of(
            CloudProviderEvents.start(api, receivers.cloudProviderWrote()),
            PreemptEvents.start(api, wall, receivers.preempted()),
            CloudProviderComplaints.start(
                api,
                api.clock(),
                wall,
                receivers.cloudProviderWrote(),
                receivers.lock().orElse(ignored -> {})));
    return new ClusterWatch(api, watches, events);
  }

  /** The health of each watch, in the order of their start. */
  public List<WatchHealth> health() {
    return watches.stream().map(ConflatingWatch::health).toList();
  }

  /** The health of all watches of events as one, as the client counts open watches by kind. */
  private WatchHealth eventsHealth() {
    boolean connected =
        api.isOpen(EVENTS, events.size()) || events.stream().allMatch(EventWatch::isOpen);
    Optional<String> error = events.stream().flatMap(watch -> watch.error().stream()).findFirst();
    return new WatchHealth(EVENTS, connected, true, false, error.or(() -> api.error(EVENTS)));
  }

  @Override
  public Map<String, Boolean> connected() {
    return Stream.concat(health().stream(), Stream.of(eventsHealth()))
        .collect(Collectors.toMap(WatchHealth::label, WatchHealth::connected));
  }

  /** API servers send no bookmarks of events: a quiet watch of them ends and is opened again. */
  @Override
  public SequencedMap<String, String> problems() {
    Stream<WatchHealth> failing =
        Stream.of(eventsHealth()).filter(health -> health.lastError().isPresent());
    SequencedMap<String, String> problems = new LinkedHashMap<>();
    Stream.concat(health().stream(), failing)
        .forEach(
            health -> health.problem().ifPresent(problem -> problems.put(health.label(), problem)));
    return problems;
  }

  @Override
  public CompletionStage<?> completion() {
    CompletableFuture<?> firstFailure = new CompletableFuture<>();
    CompletableFuture<?>[] ends =
        watches.stream()
            .map(ConflatingWatch::completion)
            .map(CompletionStage::toCompletableFuture)
            .map(
                end ->
                    end.whenComplete(
                        (done, failure) -> {
                          if (failure != null) {
                            firstFailure.completeExceptionally(failure);
                          }
                        }))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.anyOf(firstFailure, CompletableFuture.allOf(ends));
  }

  @Override
  public void close() {
    events.forEach(EventWatch::close);
    watches.reversed().forEach(ConflatingWatch::close);
    api.close();
  }
}
