package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapEvent;
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
    ActorRef<CoreActor.Command<ServiceMapEvent>> serviceMap,
    ActorRef<CoreActor.Command<NodeEvent>> nodes,
    Optional<ActorRef<CoreActor.Command<BindingsEvent>>> bindings,
    Optional<ActorRef<CoreActor.Command<SharedLockEvent>>> lock) {
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
                serviceMap.tell(new CoreActor.Event<>(new ServiceMapEvent.PeerWrote(service))),
            preempted -> nodes.tell(new CoreActor.Event<>(preempted)),
            lock.map(to -> heard -> heard(heard, to))));
  }

  /** The map of Services decides whether a complaint counts. */
  private void heard(SharedLockEvent heard, ActorRef<CoreActor.Command<SharedLockEvent>> to) {
    if (heard instanceof SharedLockEvent.Complained said) {
      serviceMap.tell(
          new CoreActor.Event<>(new ServiceMapEvent.PeerWaits(said.service(), said.at())));
    } else {
      to.tell(new CoreActor.Event<>(heard));
    }
  }

  /**
   * The node watcher receives what the map of Services receives, but only the map acknowledges:
   * pools must not wait for reports about nodes.
   */
  private Receiver<NodeKey, NodeView, CoreActor.Command<ServiceMapEvent>, CoreActor.Ack>
      nodeReceiver() {
    var map = receiver(CacheKind.NODES, ServiceMapEvent.NodesChanged::new);
    return new Receiver<>(
        serviceMap,
        (changes, ack) -> {
          nodes.tell(new CoreActor.Event<>(new NodeEvent.NodesChanged(changes)));
          return map.changes().apply(changes, ack);
        },
        ack -> {
          nodes.tell(new CoreActor.Event<>(new NodeEvent.WatchLost()));
          return map.lost().apply(ack);
        },
        ack -> {
          nodes.tell(new CoreActor.Event<>(new NodeEvent.Synced()));
          return map.synced().apply(ack);
        });
  }

  private static Receiver<BindingKey, BindingView, ?, ?> receiver(
      ActorRef<CoreActor.Command<BindingsEvent>> bindings) {
    return new Receiver<BindingKey, BindingView, CoreActor.Command<BindingsEvent>, CoreActor.Ack>(
        bindings,
        (changes, ack) -> new CoreActor.Acknowledged<>(new BindingsEvent.Changed(changes), ack),
        ack -> new CoreActor.Acknowledged<>(new BindingsEvent.WatchLost(), ack),
        ack -> new CoreActor.Acknowledged<>(new BindingsEvent.Synced(), ack));
  }

  private <K, V> Receiver<K, V, CoreActor.Command<ServiceMapEvent>, CoreActor.Ack> receiver(
      CacheKind kind, Function<Map<K, Optional<V>>, ServiceMapEvent> changed) {
    return new Receiver<>(
        serviceMap,
        (changes, ack) -> new CoreActor.Acknowledged<>(changed.apply(changes), ack),
        ack -> new CoreActor.Acknowledged<>(new ServiceMapEvent.WatchLost(kind), ack),
        ack -> new CoreActor.Acknowledged<>(new ServiceMapEvent.CacheSynced(kind), ack));
  }
}
