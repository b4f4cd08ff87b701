package io.poolkeeper.simulation;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.LoadBalancers;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.service.ServiceMapActor.Ack;
import io.poolkeeper.service.ServiceMapDeps;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Terminated;

/**
 * The service map's actor that lives through events at given times, and what each receiver hears of
 * it, in the order of that receiver. The pools that it makes do nothing; they end when they are
 * told to, and fail when the history says so.
 */
final class ServiceMapActorReplay implements LoadBalancers {
  private static final String TURNSTILE = "turnstile";
  private static final String CACHE = "cache";
  private static final String LISTS = "asks for a listing";

  private final TestInbox<TurnstileActor.Command> turnstile = TestInbox.create(TURNSTILE);
  private final TestInbox<Ack> cache = TestInbox.create(CACHE);
  private final Map<String, ActorRef<PoolEvent>> children = new HashMap<>();
  private final Map<String, PoolId> live = new HashMap<>();
  private final Set<ActorRef<?>> watched = new HashSet<>();
  private final List<String> ending = new ArrayList<>();
  private final Queue<ActorRef<TurnstileActor.ListingGranted>> askers = new ArrayDeque<>();
  private final Queue<CompletableFuture<List<LoadBalancerView>>> listings = new ArrayDeque<>();
  private final PoolNamer namer = new PoolNamer();
  private final ReplayedTimer timer = new ReplayedTimer();
  private final BehaviorTestKit<ServiceMapActor.Command> kit;
  private Instant now;

  /** A pool's actor that fails. Where it does is of no interest. */
  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure() {
      super("the history says so", null, false, false);
    }
  }

  ServiceMapActorReplay(Swarm swarm, Instant begun) {
    now = begun;
    ServiceMapDeps deps =
        new ServiceMapDeps(
            true,
            "kubernetes",
            swarm.azure().loadBalancers(),
            this,
            knowledge -> {},
            swarm.resync(),
            () -> now);
    kit =
        BehaviorTestKit.create(
            ServiceMapActor.create(
                deps, namer.deps(turnstile.getRef(), () -> now, swarm.poolLimits())));
    kit.getAllEffects().forEach(this::hear);
  }

  /** What the actor tells everybody about an event. */
  Map<String, List<Object>> lives(Instant at, ServiceMapEvent event) {
    now = at;
    ending.forEach(name -> kit.signal(new Terminated(watched(name).unsafeUpcast())));
    ending.clear();
    switch (event) {
      case ServiceMapEvent.ServicesChanged e -> acknowledged(e);
      case ServiceMapEvent.SlicesChanged e -> acknowledged(e);
      case ServiceMapEvent.NodesChanged e -> acknowledged(e);
      case ServiceMapEvent.CacheSynced e -> acknowledged(e);
      case ServiceMapEvent.ListingGranted e -> {
        askers.remove().tell(TurnstileActor.ListingGranted.INSTANCE);
        kit.runOne();
      }
      case ServiceMapEvent.Listed listed -> listings.remove().complete(listed.loadBalancers());
      case ServiceMapEvent.ListingFailed failed ->
          listings.remove().completeExceptionally(new ArmException(failed.failure()));
      case ServiceMapEvent.PoolReported e -> kit.run(new ServiceMapActor.Event(e));
      case ServiceMapEvent.PoolCrashed crashed -> fails(crashed.pool());
      case ServiceMapEvent.TimerDue due -> timer.fires(kit);
      case ServiceMapEvent.Stop e -> kit.run(new ServiceMapActor.Event(e));
    }
    while (kit.selfInbox().hasMessages()) {
      kit.runOne();
    }
    return heard();
  }

  private void acknowledged(ServiceMapEvent event) {
    kit.run(new ServiceMapActor.Acknowledged(event, cache.getRef()));
  }

  private void fails(PoolId pool) {
    String name =
        live.keySet().stream().filter(known -> live.get(known).equals(pool)).findFirst().get();
    live.remove(name);
    kit.signal(new ChildFailed(watched(name).unsafeUpcast(), new Failure()));
  }

  /** Nobody hears of the end of an actor without watching it. */
  private ActorRef<PoolEvent> watched(String name) {
    ActorRef<PoolEvent> child = children.get(name);
    if (!watched.contains(child)) {
      throw new AssertionError("the actor does not watch " + name);
    }
    return child;
  }

  private void hear(Effect effect) {
    timer.hear(effect, now);
    if (effect instanceof Effect.Watched<?> begun) {
      watched.add(begun.other());
    } else if (effect instanceof Effect.Spawned<?> spawned) {
      ActorRef<PoolEvent> child = spawned.ref().unsafeUpcast();
      children.put(spawned.childName(), child);
      live.put(spawned.childName(), namer.of(kit.childTestKit(child)));
    }
  }

  private Map<String, List<Object>> heard() {
    kit.getAllEffects().forEach(this::hear);
    Map<String, List<Object>> heard = new TreeMap<>();
    for (TurnstileActor.Command message : turnstile.getAllReceived()) {
      if (message instanceof TurnstileActor.RequestListing request) {
        askers.add(request.replyTo());
      }
      add(heard, TURNSTILE, message instanceof TurnstileActor.RequestListing ? LISTS : message);
    }
    cache.getAllReceived().forEach(ack -> add(heard, CACHE, ack));
    children.forEach(
        (name, child) ->
            kit.childInbox(child).getAllReceived().forEach(told -> add(heard, name, told)));
    heard.forEach(
        (name, messages) -> {
          if (messages.contains(new PoolEvent.Stop())) {
            live.remove(name);
            ending.add(name);
          }
        });
    return heard;
  }

  private static void add(Map<String, List<Object>> heard, String who, Object message) {
    heard.computeIfAbsent(who, any -> new ArrayList<>()).add(message);
  }

  /** The pools that have an actor, by its name. */
  Map<String, PoolId> pools() {
    return Map.copyOf(live);
  }

  Optional<Instant> wakesAt() {
    return timer.due(now);
  }

  /**
   * What the simulator's cell told everybody.
   *
   * @param names of the actors of pools, before this and after it
   */
  static Map<String, List<Object>> expected(
      ServiceMapEvent event, List<ServiceMapEffect> effects, Map<PoolId, String> names) {
    Map<String, List<Object>> heard = new TreeMap<>();
    for (ServiceMapEffect effect : effects) {
      switch (effect) {
        case ServiceMapEffect.Send send -> add(heard, names.get(send.pool()), send.event());
        case ServiceMapEffect.Forget forget ->
            Optional.ofNullable(names.get(forget.pool()))
                .ifPresent(name -> add(heard, name, new PoolEvent.Stop()));
        case ServiceMapEffect.RequestListing request -> add(heard, TURNSTILE, LISTS);
        case ServiceMapEffect.StartListing start -> {}
      }
    }
    if (isOfCache(event)) {
      add(heard, CACHE, Ack.INSTANCE);
    }
    return heard;
  }

  private static boolean isOfCache(ServiceMapEvent event) {
    return event instanceof ServiceMapEvent.ServicesChanged
        || event instanceof ServiceMapEvent.SlicesChanged
        || event instanceof ServiceMapEvent.NodesChanged
        || event instanceof ServiceMapEvent.CacheSynced;
  }

  @Override
  public CompletionStage<List<LoadBalancerView>> list() {
    CompletableFuture<List<LoadBalancerView>> listing = new CompletableFuture<>();
    listings.add(listing);
    return listing;
  }
}
