package io.poolkeeper.service;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.actor.WakeUp;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.pool.PoolActor;
import io.poolkeeper.pool.PoolDeps;
import io.poolkeeper.turnstile.TurnstileActor;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the pools' actors and tells them what the Services want. It translates messages into events,
 * asks {@link ServiceMapCore} and runs the effects. Every batch from a cache is acknowledged once
 * it is dealt with, so that the caches never flood it.
 */
public final class ServiceMapActor
    extends CoreActor<ServiceMapActor.Command, ServiceMapState, ServiceMapEvent, ServiceMapEffect> {
  private static final Logger log = LoggerFactory.getLogger(ServiceMapActor.class);

  /** What the caches may say, and what the actor says to itself. */
  public sealed interface Command {}

  /** The answer to every message of a cache: the next one may come. */
  public enum Ack {
    INSTANCE
  }

  /** Services as they are now; an empty value means gone. */
  public record ServicesChanged(
      Map<ServiceKey, Optional<ServiceView>> changes, ActorRef<Ack> replyTo) implements Command {}

  /** EndpointSlices as they are now; an empty value means gone. */
  public record SlicesChanged(
      Map<SliceView.Key, Optional<SliceView>> changes, ActorRef<Ack> replyTo) implements Command {}

  /** Nodes as they are now; an empty value means gone. */
  public record NodesChanged(Map<NodeKey, Optional<NodeView>> changes, ActorRef<Ack> replyTo)
      implements Command {}

  /** All objects of a kind that exist at the start were sent. */
  public record CacheSynced(CacheKind kind, ActorRef<Ack> replyTo) implements Command {}

  /** The process ends: every pool finishes quietly what is in flight; then this actor ends. */
  public enum Stop implements Command {
    INSTANCE
  }

  private record PoolSaid(PoolActor.Feedback feedback) implements Command {}

  private record ListingFinished(
      @Nullable List<LoadBalancerView> loadBalancers, @Nullable Throwable error)
      implements Command {}

  private enum ListingAdmitted implements Command {
    INSTANCE
  }

  private enum TimerDue implements Command {
    INSTANCE
  }

  private final ServiceMapDeps deps;
  private final PoolDeps poolDeps;
  private final ActorRef<PoolActor.Feedback> feedback;
  private final ActorRef<TurnstileActor.ListingGranted> admitted;
  private final Map<PoolId, ActorRef<PoolActor.Command>> pools = new HashMap<>();

  /** Actors of forgotten pools that have not ended yet. */
  private final Map<ActorRef<?>, PoolId> ending = new HashMap<>();

  private long spawned;

  public static Behavior<Command> create(ServiceMapDeps deps, PoolDeps poolDeps) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new ServiceMapActor(context, timers, deps, poolDeps)));
  }

  private ServiceMapActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      ServiceMapDeps deps,
      PoolDeps poolDeps) {
    super(
        context,
        new ServiceMapCore(deps.names()),
        ServiceMapState.initial(deps.clock().instant(), deps.resync()),
        new WakeUp<>(timers, deps.clock(), TimerDue.INSTANCE),
        poolDeps.randoms().get());
    this.deps = deps;
    this.poolDeps = poolDeps;
    this.feedback = context.messageAdapter(PoolActor.Feedback.class, PoolSaid::new);
    this.admitted =
        context.messageAdapter(
            TurnstileActor.ListingGranted.class, granted -> ListingAdmitted.INSTANCE);
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case ServicesChanged changed -> {
        decide(new ServiceMapEvent.ServicesChanged(changed.changes()));
        changed.replyTo().tell(Ack.INSTANCE);
      }
      case SlicesChanged changed -> {
        decide(new ServiceMapEvent.SlicesChanged(changed.changes()));
        changed.replyTo().tell(Ack.INSTANCE);
      }
      case NodesChanged changed -> {
        decide(new ServiceMapEvent.NodesChanged(changed.changes()));
        changed.replyTo().tell(Ack.INSTANCE);
      }
      case CacheSynced synced -> {
        log.info("cache={} synced=true", synced.kind());
        decide(new ServiceMapEvent.CacheSynced(synced.kind()));
        synced.replyTo().tell(Ack.INSTANCE);
      }
      case PoolSaid said -> decide(translate(said.feedback()));
      case ListingFinished listing -> decide(translate(listing));
      case ListingAdmitted go ->
          getContext().pipeToSelf(deps.listings().list(), ListingFinished::new);
      case TimerDue due -> decide(new ServiceMapEvent.TimerDue());
      case Stop stop -> onStop();
    }
    return next();
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    if (signal instanceof Terminated terminated) {
      onPoolEnded(terminated);
    }
    return next();
  }

  private Behavior<Command> next() {
    return state().stopped() && pools.isEmpty() && ending.isEmpty() ? Behaviors.stopped() : this;
  }

  private static ServiceMapEvent translate(PoolActor.Feedback feedback) {
    return switch (feedback) {
      case PoolActor.TurnedDirty dirty -> new ServiceMapEvent.PoolTurnedDirty(dirty.pool());
      case PoolActor.TurnedClean clean -> new ServiceMapEvent.PoolTurnedClean(clean.pool());
      case PoolActor.ListingWanted wanted -> new ServiceMapEvent.ListingWanted();
    };
  }

  private ServiceMapEvent translate(ListingFinished listing) {
    if (listing.loadBalancers() != null) {
      return new ServiceMapEvent.Listed(listing.loadBalancers());
    }
    Throwable error = listing.error();
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (!(cause instanceof ArmException known)) {
      throw new IllegalStateException("an answer of ARM that is no ArmException", cause);
    }
    if (!state().listingFailure().equals(Optional.of(known.failure()))) {
      log.warn("listing=failed error=\"{}\"", known.failure());
    }
    return new ServiceMapEvent.ListingFailed(known.failure());
  }

  @Override
  protected void report(ServiceMapState before, ServiceMapState after) {
    if (!knowledge(before).equals(knowledge(after))) {
      deps.observer().changed(knowledge(after));
    }
  }

  private static ServiceMapObserver.Knowledge knowledge(ServiceMapState state) {
    return new ServiceMapObserver.Knowledge(
        state.synced(), state.index().isPresent(), state.listingFailure());
  }

  @Override
  protected void run(ServiceMapEffect effect) {
    switch (effect) {
      case ServiceMapEffect.Desire desire ->
          pool(desire.pool()).tell(new PoolActor.Desire(desire.assignment(), desire.level()));
      case ServiceMapEffect.Release release ->
          pool(release.pool()).tell(new PoolActor.Release(release.service()));
      case ServiceMapEffect.Show show ->
          pool(show.pool()).tell(new PoolActor.Observed(show.view(), show.startedAt()));
      case ServiceMapEffect.TellOtherRecovered tell ->
          pool(tell.pool()).tell(PoolActor.OtherRecovered.INSTANCE);
      case ServiceMapEffect.Forget forget -> forget(forget.pool());
      case ServiceMapEffect.StartListing start ->
          poolDeps.turnstile().tell(new TurnstileActor.RequestListing(admitted));
    }
  }

  private ActorRef<PoolActor.Command> pool(PoolId id) {
    return pools.computeIfAbsent(
        id,
        missing -> {
          ActorRef<PoolActor.Command> actor =
              getContext().spawn(PoolActor.create(id, poolDeps, feedback), "pool-" + ++spawned);
          getContext().watch(actor);
          return actor;
        });
  }

  /** What a pool's actor still has to say comes before its pool is forgotten. */
  private void forget(PoolId id) {
    ActorRef<PoolActor.Command> actor = pools.remove(id);
    if (actor == null) {
      poolDeps.observer().forgotten(id);
    } else {
      ending.put(actor, id);
      actor.tell(PoolActor.Stop.INSTANCE);
    }
  }

  /** An actor of a forgotten pool is not missed: another may have its place. */
  private void onPoolEnded(Terminated terminated) {
    PoolId forgotten = ending.remove(terminated.getRef());
    if (forgotten != null) {
      if (!pools.containsKey(forgotten)) {
        poolDeps.observer().forgotten(forgotten);
      }
      return;
    }
    Optional<PoolId> ended =
        pools.entrySet().stream()
            .filter(pool -> pool.getValue().path().equals(terminated.getRef().path()))
            .map(Map.Entry::getKey)
            .findFirst();
    ended.ifPresent(
        id -> {
          pools.remove(id);
          if (terminated instanceof ChildFailed failed) {
            log.error("pool={} actor=failed", id, failed.getCause());
          }
          decide(new ServiceMapEvent.PoolCrashed(id));
        });
  }

  private void onStop() {
    decide(new ServiceMapEvent.Stop());
    Collection<ActorRef<PoolActor.Command>> all = List.copyOf(pools.values());
    all.forEach(pool -> pool.tell(PoolActor.Stop.INSTANCE));
  }
}
