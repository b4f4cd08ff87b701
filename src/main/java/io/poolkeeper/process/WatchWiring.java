package io.poolkeeper.process;

import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingsActor;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.kube.Receiver;
import io.poolkeeper.kube.Watches;
import io.poolkeeper.lock.SharedLockActor;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.NodeWatcherActor;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.service.ServiceMapEvent;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.Materializer;

/** Wires the watches of the cluster to the actors that follow them. */
record WatchWiring(
    ActorRef<ServiceMapActor.Command> serviceMap,
    ActorRef<NodeWatcherActor.Command> nodes,
    Optional<ActorRef<BindingsActor.Command>> bindings,
    Optional<ActorRef<SharedLockActor.Command>> lock) {
  Watches start(Ports.WatchStarter watches, Materializer materializer) {
    return watches.start(
        materializer,
        receiver(CacheKind.SERVICES, ServiceMapEvent.ServicesChanged::new),
        receiver(CacheKind.ENDPOINT_SLICES, ServiceMapEvent.SlicesChanged::new),
        nodeReceiver(),
        receiver(CacheKind.NAMESPACES, ServiceMapEvent.NamespacesChanged::new),
        bindings.map(WatchWiring::receiver),
        service ->
            serviceMap.tell(new ServiceMapActor.Event(new ServiceMapEvent.PeerWrote(service))),
        preempted -> nodes.tell(new NodeWatcherActor.Event(preempted)),
        lock.map(to -> heard -> heard(heard, to)));
  }

  /** Whether a complaint counts the map of Services knows. */
  private void heard(SharedLockEvent heard, ActorRef<SharedLockActor.Command> to) {
    if (heard instanceof SharedLockEvent.Complained said) {
      serviceMap.tell(
          new ServiceMapActor.Event(new ServiceMapEvent.PeerWaits(said.service(), said.at())));
    } else {
      to.tell(new SharedLockActor.Event(heard));
    }
  }

  /**
   * The node watcher hears what the map of Services hears, and only the map acknowledges it: what
   * the pools hold must not wait for what is reported on nodes.
   */
  private Receiver<NodeKey, NodeView, ServiceMapActor.Command, ServiceMapActor.Ack> nodeReceiver() {
    var map = receiver(CacheKind.NODES, ServiceMapEvent.NodesChanged::new);
    return new Receiver<>(
        serviceMap,
        (changes, ack) -> {
          nodes.tell(new NodeWatcherActor.Event(new NodeEvent.NodesChanged(changes)));
          return map.changes().apply(changes, ack);
        },
        ack -> {
          nodes.tell(new NodeWatcherActor.Event(new NodeEvent.WatchLost()));
          return map.lost().apply(ack);
        },
        ack -> {
          nodes.tell(new NodeWatcherActor.Event(new NodeEvent.Synced()));
          return map.synced().apply(ack);
        });
  }

  private static Receiver<BindingKey, BindingView, ?, ?> receiver(
      ActorRef<BindingsActor.Command> bindings) {
    return new Receiver<BindingKey, BindingView, BindingsActor.Command, BindingsActor.Ack>(
        bindings,
        (changes, ack) -> new BindingsActor.Acknowledged(new BindingsEvent.Changed(changes), ack),
        ack -> new BindingsActor.Acknowledged(new BindingsEvent.WatchLost(), ack),
        ack -> new BindingsActor.Acknowledged(new BindingsEvent.Synced(), ack));
  }

  private <K, V> Receiver<K, V, ServiceMapActor.Command, ServiceMapActor.Ack> receiver(
      CacheKind kind, Function<Map<K, Optional<V>>, ServiceMapEvent> changed) {
    return new Receiver<>(
        serviceMap,
        (changes, ack) -> new ServiceMapActor.Acknowledged(changed.apply(changes), ack),
        ack -> new ServiceMapActor.Acknowledged(new ServiceMapEvent.WatchLost(kind), ack),
        ack -> new ServiceMapActor.Acknowledged(new ServiceMapEvent.CacheSynced(kind), ack));
  }
}
