package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor.Command;
import io.poolkeeper.actor.CoreActor.Event;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.watch.Delivery;
import io.poolkeeper.watch.Receiver;
import io.poolkeeper.watch.Receivers;
import io.poolkeeper.watch.Watches;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.Materializer;

/** Wires the watches of the cluster to the actors that follow them. */
record WatchWiring(
    ActorRef<Command<ServiceMapEvent>> serviceMap,
    ActorRef<Command<NodeEvent>> nodes,
    Optional<ActorRef<Command<BindingsEvent>>> bindings,
    Optional<ActorRef<Command<SharedLockEvent>>> lock) {
  Watches start(Watches.Starter watches, Materializer materializer) {
    return watches.start(
        materializer,
        new Receivers(
            receiver(CacheKind.SERVICES, ServiceMapEvent.ServicesChanged::new),
            receiver(CacheKind.ENDPOINT_SLICES, ServiceMapEvent.SlicesChanged::new),
            nodeReceiver(),
            receiver(CacheKind.NAMESPACES, ServiceMapEvent.NamespacesChanged::new),
            bindings.map(WatchWiring::receiver),
            service ->
                serviceMap.tell(new Event<>(new ServiceMapEvent.CloudProviderWrote(service))),
            preempted -> nodes.tell(new Event<>(preempted)),
            lock.map(actor -> event -> receive(event, actor))));
  }

  /** The map of Services decides whether a complaint counts. */
  private void receive(SharedLockEvent event, ActorRef<Command<SharedLockEvent>> actor) {
    if (event instanceof SharedLockEvent.Complained complaint) {
      serviceMap.tell(
          new Event<>(new ServiceMapEvent.CloudProviderWaits(complaint.service(), complaint.at())));
    } else {
      actor.tell(new Event<>(event));
    }
  }

  /**
   * The node watcher receives what the map of Services receives, but only the map acknowledges:
   * pools must not wait for reports about nodes.
   */
  private Receiver<NodeKey, NodeView, ServiceMapEvent> nodeReceiver() {
    Receiver<NodeKey, NodeView, ServiceMapEvent> map =
        receiver(CacheKind.NODES, ServiceMapEvent.NodesChanged::new);
    return new Receiver<>(
        serviceMap,
        delivery -> {
          nodes.tell(
              new Event<>(
                  switch (delivery) {
                    case Delivery.Changes<NodeKey, NodeView> changes ->
                        new NodeEvent.NodesChanged(changes.views());
                    case Delivery.Lost<NodeKey, NodeView> lost -> new NodeEvent.WatchLost();
                    case Delivery.Synced<NodeKey, NodeView> synced -> new NodeEvent.Synced();
                  }));
          return map.event().apply(delivery);
        });
  }

  private static Receiver<BindingKey, BindingView, BindingsEvent> receiver(
      ActorRef<Command<BindingsEvent>> bindings) {
    return new Receiver<>(
        bindings,
        delivery ->
            switch (delivery) {
              case Delivery.Changes<BindingKey, BindingView> changes ->
                  new BindingsEvent.Changed(changes.views());
              case Delivery.Lost<BindingKey, BindingView> lost -> new BindingsEvent.WatchLost();
              case Delivery.Synced<BindingKey, BindingView> synced -> new BindingsEvent.Synced();
            });
  }

  private <K, V> Receiver<K, V, ServiceMapEvent> receiver(
      CacheKind kind, Function<Map<K, Optional<V>>, ServiceMapEvent> changed) {
    return new Receiver<>(
        serviceMap,
        delivery ->
            switch (delivery) {
              case Delivery.Changes<K, V> changes -> changed.apply(changes.views());
              case Delivery.Lost<K, V> lost -> new ServiceMapEvent.WatchLost(kind);
              case Delivery.Synced<K, V> synced -> new ServiceMapEvent.CacheSynced(kind);
            });
  }
}
