package io.poolkeeper.simulation;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.simulation.SimCluster.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * A watch of one kind as the controller's caches deliver it: which objects have changed is gathered
 * while the last batch is dealt with, and each is told as it is when it is told.
 */
final class Feed {
  private static final Duration SOON = Duration.ofMillis(1);
  private static final Duration LATE = Duration.ofMillis(200);

  private final Life life;
  private final SimCluster cluster;
  private final Kind kind;
  private final BiConsumer<Kind, String> watcher = this::changed;
  private final TreeSet<String> pending = new TreeSet<>();
  private final TreeSet<String> told = new TreeSet<>();
  private boolean busy;
  private boolean silent;
  private boolean synced;

  Feed(Life life, SimCluster cluster, Kind kind) {
    this.life = life;
    this.cluster = cluster;
    this.kind = kind;
    cluster.watch(watcher);
    pending.addAll(cluster.names(kind));
    pump();
  }

  void close() {
    cluster.unwatch(watcher);
    silent = true;
  }

  /** Nothing comes for a while, and then everything anew. */
  void gap(Duration length) {
    if (silent) {
      return;
    }
    silent = true;
    life.trace.say("watch of %s is lost for %s".formatted(kind, length));
    life.time.after(
        length,
        () -> {
          if (life.alive() && !life.stopping()) {
            silent = false;
            pending.addAll(told);
            pending.addAll(cluster.names(kind));
            pump();
          }
        });
  }

  private void changed(Kind changed, String name) {
    if (changed == kind) {
      pending.add(name);
      pump();
    }
  }

  private void pump() {
    if (busy || silent || (pending.isEmpty() && synced)) {
      return;
    }
    busy = true;
    life.time.after(life.chance.between(SOON, LATE), life.guarded(this::deliver));
  }

  private void deliver() {
    if (silent) {
      busy = false;
      return;
    }
    int most = 1 + life.chance.nextInt(8);
    List<String> batch = new ArrayList<>(pending.stream().limit(most).toList());
    pending.removeAll(batch);
    told.addAll(batch);
    boolean nowSynced = !synced && pending.isEmpty();
    synced |= nowSynced;
    if (!batch.isEmpty()) {
      ServiceMapEvent event = event(batch);
      life.post(kind.name(), MapCell.NAME, () -> life.map.decide(event));
    }
    if (nowSynced) {
      life.post(
          kind.name(),
          MapCell.NAME,
          () -> {
            life.checker.synced(life, kind);
            life.map.decide(new ServiceMapEvent.CacheSynced(cache()));
          });
    }
    life.post(
        kind.name(),
        MapCell.NAME,
        () -> {
          busy = false;
          pump();
        });
  }

  private CacheKind cache() {
    return switch (kind) {
      case SERVICE -> CacheKind.SERVICES;
      case SLICE -> CacheKind.ENDPOINT_SLICES;
      case NODE -> CacheKind.NODES;
    };
  }

  private ServiceMapEvent event(List<String> names) {
    return switch (kind) {
      case SERVICE -> {
        Map<ServiceKey, Optional<ServiceView>> views = new LinkedHashMap<>();
        names.forEach(
            name ->
                views.put(
                    SimCluster.serviceKey(name),
                    Optional.ofNullable(cluster.services.get(name)).map(SimCluster.Service::view)));
        yield new ServiceMapEvent.ServicesChanged(views);
      }
      case SLICE -> {
        Map<SliceView.Key, Optional<SliceView>> views = new LinkedHashMap<>();
        names.forEach(
            name ->
                views.put(
                    SimCluster.sliceKey(name),
                    Optional.ofNullable(cluster.slices.get(name)).map(SimCluster.Slice::view)));
        yield new ServiceMapEvent.SlicesChanged(views);
      }
      case NODE -> {
        Map<NodeKey, Optional<NodeView>> views = new LinkedHashMap<>();
        names.forEach(
            name ->
                views.put(
                    new NodeKey(name),
                    Optional.ofNullable(cluster.nodes.get(name)).map(SimCluster.Node::view)));
        yield new ServiceMapEvent.NodesChanged(views);
      }
    };
  }
}
