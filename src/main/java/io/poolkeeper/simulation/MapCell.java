package io.poolkeeper.simulation;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.service.PoolNames;
import io.poolkeeper.service.ServiceMapCore;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.service.ServiceMapState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The service map's actor: its core, its timer, and the cells of the pools that it has made. */
final class MapCell {
  static final String NAME = "map";

  final Life life;
  private final ServiceMapCore core;
  private final Alarm alarm;
  private final Map<PoolId, PoolCell> pools = new HashMap<>();
  private ServiceMapState state;
  private int spawned;

  MapCell(Life life) {
    this.life = life;
    this.core = new ServiceMapCore(PoolNames.of("kubernetes", life.swarm.azure().loadBalancers()));
    this.alarm = new Alarm(life, () -> decide(new ServiceMapEvent.TimerDue()));
    this.state = ServiceMapState.initial(life.time.now(), life.swarm.resync());
    alarm.at(state.wakeAt());
  }

  Optional<PoolCell> pool(PoolId id) {
    return Optional.ofNullable(pools.get(id));
  }

  List<PoolCell> cells() {
    return pools.values().stream().sorted((a, b) -> a.name.compareTo(b.name)).toList();
  }

  void decide(ServiceMapEvent event) {
    Decision<ServiceMapState, ServiceMapEffect> decision =
        core.decide(state, event, life.time.now(), life.chance);
    state = decision.state();
    decision.effects().forEach(this::run);
    alarm.at(state.wakeAt());
    life.witness.decided(this, event, decision);
  }

  private void run(ServiceMapEffect effect) {
    switch (effect) {
      case ServiceMapEffect.Send send -> {
        PoolCell pool = cell(send.pool());
        life.post(NAME, pool.name, () -> pool.send(send.event()));
      }
      case ServiceMapEffect.Forget forget ->
          Optional.ofNullable(pools.remove(forget.pool()))
              .ifPresent(pool -> life.post(NAME, pool.name, () -> pool.send(new PoolEvent.Stop())));
      case ServiceMapEffect.RequestListing request ->
          life.post(NAME, TurnstileCell.NAME, life.turnstile::listing);
      case ServiceMapEffect.StartListing start -> list();
    }
  }

  private PoolCell cell(PoolId id) {
    return pools.computeIfAbsent(id, missing -> new PoolCell(life, id, ++spawned));
  }

  /** The turnstile lets the listing begin. */
  void listNow() {
    decide(new ServiceMapEvent.ListingGranted());
  }

  private void list() {
    life.arm
        .list()
        .whenComplete((all, error) -> life.post("http", NAME, () -> decide(listed(all, error))));
  }

  private ServiceMapEvent listed(@Nullable List<LoadBalancerView> all, @Nullable Throwable error) {
    if (error != null) {
      if (!(error instanceof ArmException)) {
        throw new IllegalStateException("an answer of ARM that is no ArmException", error);
      }
      return new ServiceMapEvent.ListingFailed(ArmException.failureIn(error));
    }
    life.checker.listed(life);
    return new ServiceMapEvent.Listed(Objects.requireNonNull(all));
  }

  /** A pool's actor failed: what it knew is gone. */
  void crashed(PoolCell pool) {
    if (pools.remove(pool.id, pool)) {
      decide(new ServiceMapEvent.PoolCrashed(pool.id));
    }
  }

  void stop() {
    decide(new ServiceMapEvent.Stop());
  }
}
