package io.poolkeeper.ops;

import io.poolkeeper.admission.BindingsState;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.shadow.ShadowComparison;
import io.poolkeeper.status.Recent;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest status of everything for the HTTP API, so that no request reaches a pool.
 * Receives levels and decides nothing.
 */
public final class StatusActor extends AbstractMatchingBehavior<StatusActor.Command> {
  public sealed interface Command {}

  /**
   * A pool has another status.
   *
   * @param trace the id of the trace that follows the pool now
   */
  public record PoolChanged(PoolStatus status, Optional<String> trace) implements Command {
    public PoolChanged(PoolStatus status) {
      this(status, Optional.empty());
    }
  }

  public record PoolForgotten(PoolId pool) implements Command {}

  public record KnowledgeChanged(Knowledge knowledge) implements Command {}

  public record RateLimiterChanged(RateLimiterView view) implements Command {}

  public record NodesChanged(NodesView nodes) implements Command {}

  public record BindingsChanged(BindingsState bindings) implements Command {}

  public record PauseChanged(PauseView pause) implements Command {}

  /** All resource groups have been listed. */
  public enum Listed implements Command {
    INSTANCE
  }

  /** A change has reached Azure; {@code took} since it came. */
  public record Reached(PoolId pool, Duration took) implements Command {}

  /** ARM has accepted a write of a pool of the load balancer. */
  public record Accepted(LoadBalancerId loadBalancer) implements Command {}

  @FunctionalInterface
  public interface Propagation {
    /** A change was accepted by ARM, or its write has ended. */
    void took(boolean effective, Duration time);
  }

  /** Shadow mode has decided on an object that is no pool. */
  public record WouldWrite(ShadowComparison.Kind kind) implements Command {}

  public record GetSnapshot(ActorRef<Snapshot> replyTo) implements Command {}

  private final SortedMap<PoolId, PoolStatus> pools = new TreeMap<>();
  private final Recent recent;
  private Knowledge knowledge =
      new Knowledge(Set.of(), Set.of(), false, false, Map.of(), Optional.empty());
  private List<PoolStatus> optedOut = List.of();
  private Optional<RateLimiterView> rateLimiter = Optional.empty();
  private NodesView nodes = NodesView.UNKNOWN;
  private BindingsView bindings = BindingsView.NONE;
  private PauseView pause = PauseView.NONE;
  private Optional<ShadowComparison> comparison;
  private final Supplier<CallsLeft> quota;
  private Optional<Instant> leadsSince = Optional.empty();
  private Optional<Instant> lastListing = Optional.empty();
  private long version;
  private final Map<LoadBalancerId, PoolId> written = new HashMap<>();
  private final InstantSource clock;
  private final Propagation propagation;

  public static Behavior<Command> create(boolean shadow, InstantSource clock, Metrics metrics) {
    return create(shadow, clock, metrics::propagated, metrics::left);
  }

  /**
   * A status in which nothing is known yet.
   *
   * @param clock monotonic
   * @param quota what ARM says is left of it, which changes too often for messages
   */
  public static Behavior<Command> create(
      boolean shadow, InstantSource clock, Propagation propagation, Supplier<CallsLeft> quota) {
    return Behaviors.setup(context -> new StatusActor(context, shadow, clock, propagation, quota));
  }

  private StatusActor(
      ActorContext<Command> context,
      boolean shadow,
      InstantSource clock,
      Propagation propagation,
      Supplier<CallsLeft> quota) {
    super(context);
    this.quota = quota;
    this.clock = clock;
    this.propagation = propagation;
    recent = new Recent(clock.instant());
    comparison = shadow ? Optional.of(ShadowComparison.begin(clock.instant())) : Optional.empty();
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    version += command instanceof GetSnapshot ? 0 : 1;
    switch (command) {
      case PoolChanged changed -> {
        PoolStatus after = changed.status();
        Instant now = clock.instant();
        recent.changed(
            Optional.ofNullable(pools.put(after.id(), after)), after, changed.trace(), now);
        if (after.state() == PoolStatus.State.WRITING) {
          written.put(after.id().loadBalancer(), after.id());
        }
        comparison = comparison.map(before -> before.shown(after, now));
      }
      case PoolForgotten forgotten -> {
        pools.remove(forgotten.pool());
        recent.forgotten(forgotten.pool(), clock.instant());
        // What Azure shows in an unreadable form may still be wanted.
        if (!knowledge.unreadable().containsKey(forgotten.pool().loadBalancer())) {
          comparison =
              comparison.map(before -> before.forgotten(forgotten.pool(), clock.instant()));
        }
      }
      case WouldWrite would -> comparison = comparison.map(before -> before.decided(would.kind()));
      case PauseChanged changed -> pause = changed.pause();
      case Listed listed -> lastListing = Optional.of(clock.instant());
      case Accepted accepted ->
          Optional.ofNullable(written.get(accepted.loadBalancer()))
              .ifPresent(pool -> propagated(pool, false));
      case Reached reached -> {
        recent.reached(reached.took(), clock.instant());
        propagated(reached.pool(), true);
      }
      case KnowledgeChanged changed -> {
        if (!knowledge.untouched().equals(changed.knowledge().untouched())) {
          optedOut = Snapshot.optedOut(changed.knowledge());
        }
        knowledge = changed.knowledge();
        if (!knowledge.leads()) {
          leadsSince = Optional.empty();
        } else if (leadsSince.isEmpty()) {
          Instant now = clock.instant();
          leadsSince = Optional.of(now);
          // A standby compares nothing.
          comparison = comparison.map(before -> ShadowComparison.begin(now));
        }
      }
      case RateLimiterChanged changed -> {
        rateLimiter = Optional.of(changed.view());
        recent.rateLimiter(changed.view(), clock.instant());
      }
      case NodesChanged changed -> nodes = changed.nodes();
      case BindingsChanged changed -> bindings = new BindingsView(changed.bindings());
      case GetSnapshot get -> get.replyTo().tell(snapshot());
    }
    return this;
  }

  /** The times of a write, whose acceptance is reported before the status that follows from it. */
  private void propagated(PoolId pool, boolean effective) {
    Instant now = clock.instant();
    @Nullable PoolStatus status = pools.get(pool);
    if (status != null) {
      for (Instant came : status.picture().writing()) {
        propagation.took(effective, Duration.between(came, now));
      }
    }
  }

  private Snapshot snapshot() {
    return new Snapshot(
        List.copyOf(pools.values()),
        knowledge,
        optedOut,
        rateLimiter,
        nodes,
        bindings,
        pause,
        comparison,
        recent.view(clock.instant()),
        quota.get(),
        leadsSince,
        lastListing,
        version);
  }
}
