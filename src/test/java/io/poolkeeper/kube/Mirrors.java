package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.watch.Receivers;
import io.poolkeeper.watch.WatchLiveness;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.stream.Materializer;

/** The actors that receive the objects of a {@link ClusterWatch}. */
record Mirrors(
    ActorTestKit kit,
    Mirror<ServiceKey, ServiceView> services,
    Mirror<SliceView.Key, SliceView> slices,
    Mirror<NodeKey, NodeView> nodes,
    Mirror<String, NamespaceView> namespaces,
    Queue<NodeKey> preempted) {

  static final InstantSource CLOCK = InstantSource.system();

  Mirrors(ActorTestKit kit) {
    this(
        kit,
        new Mirror<>(kit),
        new Mirror<>(kit),
        new Mirror<>(kit),
        new Mirror<>(kit),
        new ConcurrentLinkedQueue<>());
  }

  ClusterWatch watch(KubernetesClient client) {
    return watch(client, WatchLiveness.Limits.SHIPPED);
  }

  ClusterWatch watch(KubernetesClient client, WatchLiveness.Limits limits) {
    return ClusterWatch.start(
        Materializer.matFromSystem(kit.system()),
        new WatchClient(client, CLOCK, limits),
        CLOCK,
        new Receivers(
            services.receiver(),
            slices.receiver(),
            nodes.receiver(),
            namespaces.receiver(),
            Optional.empty(),
            service -> {},
            event -> preempted.add(event.node()),
            Optional.empty()));
  }

  /** Compares with the objects of the API server. */
  void assertEqualTo(KubernetesClient server) {
    assertThat(services.content())
        .isEqualTo(
            server.services().inAnyNamespace().list().getItems().stream()
                .map(ServiceViews::view)
                .collect(Collectors.toMap(ServiceView::key, Function.identity())));
    assertThat(slices.content())
        .isEqualTo(
            server.discovery().v1().endpointSlices().inAnyNamespace().list().getItems().stream()
                .flatMap(slice -> SliceViews.view(slice).stream())
                .collect(Collectors.toMap(SliceView::key, Function.identity())));
    assertThat(nodes.content())
        .isEqualTo(
            server.nodes().list().getItems().stream()
                .map(NodeViews::view)
                .collect(Collectors.toMap(NodeView::key, Function.identity())));
    assertThat(namespaces.content())
        .isEqualTo(
            server.namespaces().list().getItems().stream()
                .flatMap(namespace -> NamespaceViews.view(namespace).stream())
                .collect(Collectors.toMap(NamespaceView::name, Function.identity())));
  }
}
