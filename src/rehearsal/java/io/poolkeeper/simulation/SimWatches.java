package io.poolkeeper.simulation;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.simulation.SimCluster.Kind;
import io.poolkeeper.simulation.SimCluster.Node;
import io.poolkeeper.simulation.SimCluster.Service;
import io.poolkeeper.simulation.SimCluster.Slice;
import io.poolkeeper.watch.Delivery;
import io.poolkeeper.watch.Receiver;
import io.poolkeeper.watch.Receivers;
import io.poolkeeper.watch.Watches;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.Materializer;

/** What one process watches, and what it knows of the cluster by that. */
final class SimWatches implements Watches {
  private final SimProcess process;

  /** The cluster as the process knows it. */
  final SimCluster store = new SimCluster();

  private List<SimWatch<?, ?>> watches = List.of();
  private Optional<SimWatch<?, ?>> ofBindings = Optional.empty();

  SimWatches(SimProcess process) {
    this.process = process;
  }

  /** The process asks for all of them. */
  void open(Materializer materializer, Receivers to) {
    watches =
        List.of(
            new SimWatch<>(
                process,
                Kind.NODE,
                materializer,
                to.nodes(),
                NodeKey::new,
                store.nodes,
                Node::view),
            new SimWatch<>(
                process,
                Kind.SERVICE,
                materializer,
                to.services(),
                SimCluster::serviceKey,
                store.services,
                Service::view),
            new SimWatch<>(
                process,
                Kind.SLICE,
                materializer,
                to.slices(),
                SimCluster::sliceKey,
                store.slices,
                Slice::view));
    none(materializer, to.namespaces());
    ofBindings =
        to.bindings()
            .map(
                receiver ->
                    new SimWatch<>(
                        process,
                        Kind.BINDING,
                        materializer,
                        receiver,
                        SimBinding::key,
                        store.bindings,
                        one -> one.view(process.ahead)));
  }

  /** There is no object of that kind, and never will be. */
  private static <K, V, E> void none(Materializer materializer, Receiver<K, V, E> receiver) {
    ActorRef<CoreActor.Ack> nobody = Adapter.toTyped(materializer.system()).ignoreRef();
    receiver.actor().tell(receiver.message(new Delivery.Synced<>(1), nobody));
  }

  @Override
  public SequencedMap<String, String> problems() {
    return new LinkedHashMap<>();
  }

  @Override
  public CompletionStage<?> completion() {
    return CompletableFuture.anyOf(
        all().stream()
            .map(watch -> watch.completion().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }

  @Override
  public void close() {
    all().forEach(SimWatch::close);
  }

  /** All watches, with that of bindings, whose loss stops bound pools alone. */
  List<SimWatch<?, ?>> all() {
    return Stream.concat(watches.stream(), ofBindings.stream()).toList();
  }

  /** Whether the process was given all that existed at the start. */
  boolean synced() {
    return watches.stream().allMatch(SimWatch::synced);
  }

  boolean seesNodes() {
    return watches.getFirst().live();
  }

  Optional<Instant> nodesLostSince() {
    return watches.getFirst().lostSince();
  }

  /** Whether the process took a watch for lost since then. */
  boolean unsureSince(Instant then) {
    return watches.stream().anyMatch(watch -> watch.unsureSince(then));
  }

  /** Whether a watch is gone for so long that the process must know. */
  boolean mustKnowOfLoss() {
    return watches.stream()
        .flatMap(watch -> watch.lostSince().stream())
        .anyMatch(since -> !since.isAfter(process.sim.time.now()));
  }
}
