package io.poolkeeper.turnstile;

import io.poolkeeper.actor.WakeUp;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.TurnResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits to ARM: whoever holds a turn may read and write pools of that load balancer, and nobody
 * else may. A turn whose holder ends, or that is not given back in time, is free again. Policy:
 * {@link TurnstileCore}.
 */
public final class TurnstileActor extends AbstractMatchingBehavior<TurnstileActor.Command> {
  private static final Logger log = LoggerFactory.getLogger(TurnstileActor.class);

  /** What pools and the way to ARM may say to the turnstile. */
  public sealed interface Command {}

  /**
   * Asks for a turn, or for another lane while waiting.
   *
   * @param holder ends the turn with its own end
   */
  public record RequestTurn(PoolId pool, ActorRef<?> holder, Lane lane, ActorRef<Granted> replyTo)
      implements Command {}

  /** Leaves the line; a turn already granted must still be returned. */
  public record CancelTurn(ActorRef<?> holder) implements Command {}

  /** Gives a turn back; an old number is ignored. */
  public record ReturnTurn(ActorRef<?> holder, long turn, TurnResult result) implements Command {}

  /** Asks for the one listing that may run at a time. */
  public record RequestListing(ActorRef<ListingGranted> replyTo) implements Command {}

  /** A call was sent to ARM. */
  public record Sent(boolean write) implements Command {}

  /**
   * ARM takes no calls until then, monotonic.
   *
   * @param loadBalancer the only one concerned; empty for the whole subscription
   */
  public record Throttled(Optional<LoadBalancerId> loadBalancer, boolean write, Instant until)
      implements Command {}

  private record HolderGone(ActorRef<?> holder) implements Command {}

  private enum TimerDue implements Command {
    INSTANCE
  }

  /**
   * The turn is yours until you return it, or until the deadline.
   *
   * @param evenIfUpdating the load balancer was waited for long enough: write all the same
   */
  public record Granted(long turn, Instant deadline, boolean evenIfUpdating) {}

  /** The listing may begin. */
  public enum ListingGranted {
    INSTANCE
  }

  private final TurnstileCore core;
  private final InstantSource clock;
  private final TurnstileObserver observer;
  private final WakeUp<Command> wakeUp;
  private final Map<ActorRef<?>, Visitor> visitors = new HashMap<>();
  private final Map<Visitor, ActorRef<Granted>> replies = new HashMap<>();
  private @Nullable ActorRef<ListingGranted> lister;
  private long nextIncarnation = 1;
  private TurnstileState state;

  /**
   * A turnstile of one subscription.
   *
   * @param clock monotonic
   */
  public static Behavior<Command> create(
      TurnstileLimits limits, InstantSource clock, TurnstileObserver observer) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new TurnstileActor(context, timers, limits, clock, observer)));
  }

  private TurnstileActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      TurnstileLimits limits,
      InstantSource clock,
      TurnstileObserver observer) {
    super(context);
    this.core = new TurnstileCore(limits);
    this.clock = clock;
    this.observer = observer;
    this.wakeUp = new WakeUp<>(timers, clock, TimerDue.INSTANCE);
    this.state = core.initial(clock.instant());
    observer.changed(new TurnstileView(limits, state));
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case RequestTurn request ->
          decide(new TurnstileEvent.Requested(visitor(request), request.lane()));
      case CancelTurn cancel -> known(cancel.holder(), TurnstileEvent.Cancelled::new);
      case ReturnTurn back ->
          known(
              back.holder(),
              visitor -> new TurnstileEvent.Returned(visitor, back.turn(), back.result()));
      case RequestListing request -> onRequestListing(request);
      case Sent sent -> decide(new TurnstileEvent.Sent(sent.write()));
      case Throttled throttled ->
          decide(
              new TurnstileEvent.Throttled(
                  throttled.loadBalancer(), throttled.write(), throttled.until()));
      case HolderGone gone -> onHolderGone(gone);
      case TimerDue due -> decide(new TurnstileEvent.TimerDue());
    }
    return this;
  }

  private Visitor visitor(RequestTurn request) {
    Visitor known = visitors.get(request.holder());
    if (known != null) {
      return known;
    }
    Visitor visitor = new Visitor(request.pool(), nextIncarnation++);
    visitors.put(request.holder(), visitor);
    replies.put(visitor, request.replyTo());
    getContext().watchWith(request.holder(), new HolderGone(request.holder()));
    return visitor;
  }

  private void onRequestListing(RequestListing request) {
    lister = request.replyTo();
    decide(new TurnstileEvent.ListingRequested());
  }

  private void onHolderGone(HolderGone gone) {
    Visitor visitor = visitors.remove(gone.holder());
    if (visitor != null) {
      replies.remove(visitor);
      decide(new TurnstileEvent.HolderGone(visitor));
    }
  }

  private void known(ActorRef<?> holder, Function<Visitor, TurnstileEvent> event) {
    Visitor visitor = visitors.get(holder);
    if (visitor != null) {
      decide(event.apply(visitor));
    }
  }

  private void decide(TurnstileEvent event) {
    TurnstileDecision decision = core.decide(state, event, clock.instant());
    state = decision.state();
    decision.effects().forEach(this::run);
    wakeUp.at(decision.wakeAt());
    observer.changed(new TurnstileView(core.limits(), state));
  }

  private void run(TurnstileEffect effect) {
    switch (effect) {
      case TurnstileEffect.Grant grant -> {
        observer.granted(grant.lane(), grant.waited(), grant.limited());
        tell(grant);
      }
      case TurnstileEffect.GrantListing listing -> {
        if (lister != null) {
          lister.tell(ListingGranted.INSTANCE);
        }
      }
      case TurnstileEffect.TurnLost lost ->
          log.warn("pool={} turn={} outcome=lost", lost.visitor().pool(), lost.turn());
      case TurnstileEffect.RetryHeldBack held -> observer.retryHeldBack();
      case TurnstileEffect.Transition transition -> log(transition);
    }
  }

  /** What stands in the way of work is a warning, its end is not. */
  private static void log(TurnstileEffect.Transition transition) {
    switch (transition) {
      case TurnstileEffect.GateClosed closed ->
          log.warn("{} state=closed until={}", name(closed.gate()), closed.until());
      case TurnstileEffect.GateOpened opened -> log.info("{} state=open", name(opened.gate()));
      case TurnstileEffect.SettlingBegun begun ->
          log.warn("load-balancer={} settling=begun until={}", begun.loadBalancer(), begun.until());
      case TurnstileEffect.SettlingSlowest slowest ->
          log.warn(
              "load-balancer={} settling=slowest pause={}s",
              slowest.loadBalancer(),
              slowest.pause().toSeconds());
      case TurnstileEffect.SettlingEnded ended ->
          log.info("load-balancer={} settling=ended", ended.loadBalancer());
      case TurnstileEffect.BudgetEmptied emptied -> log.warn("retry-budget=empty");
      case TurnstileEffect.BudgetRefilled refilled -> log.info("retry-budget=available");
    }
  }

  private static String name(TurnstileEffect.Gate gate) {
    return switch (gate) {
      case TurnstileEffect.Gate.Subscription all -> all.write() ? "gate=writes" : "gate=reads";
      case TurnstileEffect.Gate.Balancer one -> "gate=load-balancer load-balancer=" + one.id();
    };
  }

  private void tell(TurnstileEffect.Grant grant) {
    ActorRef<Granted> replyTo = replies.get(grant.visitor());
    if (replyTo != null) {
      replyTo.tell(new Granted(grant.turn(), grant.deadline(), grant.evenIfUpdating()));
    }
  }
}
