package io.poolkeeper.service;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.arm.LoadBalancers;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Pause;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.pool.PoolActor;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolReport;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.Reader;
import io.poolkeeper.ratelimit.Requester;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the pools' actors and sends them what the Services want. Policy: {@link ServiceMapCore}.
 * Every batch from a cache is acknowledged when it was processed, so that the caches never flood
 * the actor. A pool that is forgotten and followed anew has a new actor; reports of the former one
 * are ignored.
 */
public final class ServiceMapActor
    extends CoreActor<ServiceMapEvent, ServiceMapState, ServiceMapEffect> {
  /**
   * The collaborators of the map of Services.
   *
   * @param leads whether this replica leads from the start
   * @param groups the resource groups besides the configured one in which bindings may name pools
   * @param nodes receives which pools there are, and what listings have shown of nodes
   * @param bindings receives what each listing has shown of the pools that Services are bound to
   * @param cloudProviderWaits receives each Service for which the cloud provider waits for the
   *     Lease
   */
  public record Deps(
      ServiceMapCore core,
      boolean leads,
      Set<String> groups,
      LoadBalancers listings,
      ServiceMapObserver observer,
      Consumer<NodeEvent> nodes,
      Consumer<BindingsEvent.Listed> bindings,
      Consumer<ServiceMapEffect.CloudProviderWaits> cloudProviderWaits) {
    public Deps {
      groups = Set.copyOf(groups);
    }
  }

  private static final Logger log = LoggerFactory.getLogger(ServiceMapActor.class);

  /** What is paused from now on; empty if nothing is. Every pool is sent it. */
  public record Paused(Optional<Pause> pause) implements Call<ServiceMapEvent> {}

  /** A report of the pool's actor of that name; another one may have taken its place. */
  private record Reported(PoolId pool, String actor, PoolReport report)
      implements Call<ServiceMapEvent> {}

  private final Deps deps;
  private final PoolActor.Deps poolDeps;
  private final ActorRef<RateLimiterActor.ReadGranted> granted;
  private final Map<PoolId, ActorRef<Command<PoolEvent>>> pools = new HashMap<>();

  /** All actors of pools that have not ended yet, those of forgotten pools too. */
  private final Map<ActorRef<?>, PoolId> spawned = new HashMap<>();

  private Optional<Pause> pause = Optional.empty();
  private long lastName;

  public static Behavior<Command<ServiceMapEvent>> create(Deps deps, PoolActor.Deps poolDeps) {
    return begin(pekko -> new ServiceMapActor(pekko, deps, poolDeps));
  }

  private ServiceMapActor(PekkoContext<ServiceMapEvent> pekko, Deps deps, PoolActor.Deps poolDeps) {
    super(
        pekko,
        deps.core(),
        ServiceMapState.initial(
            deps.leads(), poolDeps.clock().instant(), deps.core().verifyAfter()),
        poolDeps.clock(),
        new ServiceMapEvent.TimerDue(),
        poolDeps.randoms().get());
    this.deps = deps;
    this.poolDeps = poolDeps;
    this.granted =
        getContext()
            .messageAdapter(
                RateLimiterActor.ReadGranted.class,
                granted ->
                    new Event<>(
                        granted.reader() == Reader.VERIFICATION
                            ? new ServiceMapEvent.VerificationGranted()
                            : new ServiceMapEvent.ListingGranted()));
  }

  @Override
  protected void translate(Call<ServiceMapEvent> call) {
    if (call instanceof Reported reported) {
      ActorRef<?> current = pools.get(reported.pool());
      if (current == null || current.path().name().equals(reported.actor())) {
        decide(new ServiceMapEvent.PoolReported(reported.pool(), reported.report()));
      }
      return;
    }
    pause = ((Paused) call).pause();
    pools.values().forEach(this::pause);
  }

  private void pause(ActorRef<Command<PoolEvent>> pool) {
    pool.tell(new Event<>(new PoolEvent.Paused(pause)));
  }

  @Override
  protected void decide(ServiceMapEvent event) {
    super.decide(event);
    if (event instanceof ServiceMapEvent.Listed listed && listed.counts(state().leadsSince())) {
      deps.observer()
          .listed(listed.listing().unread().size(), state().schedule().unread().all().isEmpty());
    }
  }

  @Override
  public Behavior<Command<ServiceMapEvent>> onSignal(Signal signal) {
    if (!(signal instanceof Terminated terminated)) {
      return super.onSignal(signal);
    }
    onPoolEnded(terminated);
    return next();
  }

  @Override
  protected boolean ended() {
    return state().stopped() && spawned.isEmpty();
  }

  private static Command<ServiceMapEvent> listed(
      @Nullable Listing listing, @Nullable Throwable error, Instant startedAt) {
    if (listing == null) {
      throw new IllegalStateException("a listing has an answer for each group", error);
    }
    return new Event<>(new ServiceMapEvent.Listed(listing, startedAt));
  }

  @Override
  protected void report(ServiceMapState before, ServiceMapState after) {
    after.caches().synced().stream()
        .filter(kind -> !before.caches().synced().contains(kind))
        .forEach(kind -> log.info("cache={} synced=true", kind));
    Map<String, ArmFailure> known = before.schedule().unread().failures();
    for (var group : after.schedule().unread().failures().entrySet()) {
      ArmFailure why = group.getValue();
      ArmFailure last = known.get(group.getKey());
      if (last == null || !why.sameClass(last)) {
        log.warn("listing=failed resource-group={} error=\"{}\"", group.getKey(), why.inFull());
      }
    }
    for (var balancer : unreadable(after).entrySet()) {
      if (!unreadable(before).containsKey(balancer.getKey())) {
        String error = balancer.getValue().why().inFull();
        String path = balancer.getKey().path();
        log.warn("load-balancer={} outcome=unreadable error=\"{}\"", path, error);
      }
    }
    if (!knowledge(before).equals(knowledge(after))) {
      deps.observer().changed(knowledge(after));
    }
  }

  private ServiceMapObserver.Knowledge knowledge(ServiceMapState state) {
    return new ServiceMapObserver.Knowledge(
        state.caches().synced(),
        state.caches().lost(),
        state.index().isPresent(),
        state.leadsSince().isPresent(),
        state.leadsSince().isPresent()
            && state.index().filter(index -> index.isSince(state.leadsSince())).isEmpty(),
        state.index().map(PoolIndex::out).orElse(HashTreePMap.empty()),
        state.schedule().unread().failure(),
        state.schedule().unread().failures(),
        unreadable(state),
        state.missing());
  }

  private static Map<LoadBalancerId, UnknownPools> unreadable(ServiceMapState state) {
    return state.index().map(PoolIndex::unreadable).orElse(Map.of());
  }

  @Override
  protected void run(ServiceMapEffect effect) {
    deps.observer().ran(effect);
    switch (effect) {
      case ServiceMapEffect.Send send -> pool(send.pool()).tell(new Event<>(send.event()));
      case ServiceMapEffect.Forget forget -> forget(forget.pool());
      case ServiceMapEffect.RequestListing request -> requestRead(Reader.LISTING);
      case ServiceMapEffect.RequestVerification v -> requestRead(Reader.VERIFICATION);
      case ServiceMapEffect.StartVerification start -> verify(start);
      case ServiceMapEffect.ToNodes send -> deps.nodes().accept(send.event());
      case ServiceMapEffect.ToBindings send -> deps.bindings().accept(send.event());
      case ServiceMapEffect.Emit emit -> poolDeps.events().record(emit.event());
      case ServiceMapEffect.CloudProviderWaits waits -> deps.cloudProviderWaits().accept(waits);
      case ServiceMapEffect.StartListing start ->
          getContext()
              .pipeToSelf(
                  deps.listings().list(groups(start.without()), start.deadline()),
                  (listing, error) -> listed(listing, error, start.at()));
    }
  }

  private Set<String> groups(Set<String> without) {
    Set<String> groups = new HashSet<>(deps.groups());
    groups.removeAll(without);
    return groups;
  }

  private void requestRead(Reader reader) {
    poolDeps.rateLimiter().tell(new RateLimiterActor.RequestRead(reader, granted));
  }

  private void verify(ServiceMapEffect.StartVerification start) {
    log.debug("verification=begun pools={}", start.pools());
    ActorRef<Command<ServiceMapEvent>> self = getContext().getSelf();
    List<CompletableFuture<PoolView>> views =
        start.pools().stream()
            .map(pool -> poolDeps.pools().look(pool, start.deadline()).toCompletableFuture())
            .map(view -> view.whenComplete((shown, error) -> tell(self, shown, start.at())))
            .toList();
    getContext()
        .pipeToSelf(
            CompletableFuture.allOf(views.toArray(CompletableFuture[]::new)),
            (done, error) ->
                new Event<>(
                    error == null
                        ? new ServiceMapEvent.Verified(
                            views.stream().map(CompletableFuture::join).toList())
                        : new ServiceMapEvent.VerificationFailed()));
  }

  /** Each pool is sent its view at once, and does not wait for the slowest. */
  private static void tell(
      ActorRef<Command<ServiceMapEvent>> self, @Nullable PoolView shown, Instant startedAt) {
    if (shown != null) {
      self.tell(new Event<>(new ServiceMapEvent.PoolShown(shown, startedAt)));
    }
  }

  private ActorRef<Command<PoolEvent>> pool(PoolId id) {
    return pools.computeIfAbsent(
        id,
        missing -> {
          Requester number = new Requester(id, ++lastName);
          String name = "pool-" + lastName;
          ActorRef<Command<PoolEvent>> actor =
              getContext().spawn(PoolActor.create(number, poolDeps, owner(id, name)), name);
          getContext().watch(actor);
          spawned.put(actor, id);
          // A new pool is sent the pause before it could write anything.
          if (pause.isPresent()) {
            pause(actor);
          }
          deps.nodes().accept(new NodeEvent.PoolAppeared(id));
          return actor;
        });
  }

  private Consumer<PoolReport> owner(PoolId id, String actor) {
    ActorRef<Command<ServiceMapEvent>> self = getContext().getSelf();
    return report -> self.tell(new Reported(id, actor, report));
  }

  /** Forgets a pool when its actor has sent its last report. */
  private void forget(PoolId id) {
    deps.nodes().accept(new NodeEvent.PoolGone(id));
    ActorRef<Command<PoolEvent>> actor = pools.remove(id);
    if (actor == null) {
      poolDeps.observer().forgotten(id);
    } else {
      actor.tell(new Event<>(new PoolEvent.Stop()));
    }
  }

  /** An actor ended. If its pool was forgotten, another one may have taken its place. */
  private void onPoolEnded(Terminated terminated) {
    PoolId id = Objects.requireNonNull(spawned.remove(terminated.getRef()));
    ActorRef<Command<PoolEvent>> current = pools.get(id);
    if (current == null) {
      poolDeps.observer().forgotten(id);
    } else if (current.path().equals(terminated.getRef().path())) {
      pools.remove(id);
      if (terminated instanceof ChildFailed failed) {
        log.error("pool={} actor=failed", id, failed.getCause());
      }
      decide(new ServiceMapEvent.PoolCrashed(id));
    }
  }
}
