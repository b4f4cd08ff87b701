package io.poolkeeper.turnstile;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.Verdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits pools to ARM: only the holder of a turn may read and write pools of that load balancer. A
 * turn ends when it is returned, its holder stops or its deadline passes. Policy: {@link
 * TurnstileCore}.
 */
public final class TurnstileActor
    extends CoreActor<TurnstileEvent, TurnstileState, TurnstileEffect> {
  private static final Logger log = LoggerFactory.getLogger(TurnstileActor.class);
  private static final String OF_BALANCER = "gate=load-balancer load-balancer={} state=";

  /** The messages that name who expects an answer. */
  public sealed interface Own extends Call<TurnstileEvent> {}

  /**
   * The requester may request turns from now on.
   *
   * @param holder its end ends the request and the turn
   */
  public record Register(Requester requester, ActorRef<?> holder, ActorRef<TurnAnswer> replyTo)
      implements Own {}

  /** Asks for the one call of this reader that may run at a time. */
  public record RequestRead(Reader reader, ActorRef<ReadGranted> replyTo) implements Own {}

  /**
   * Turns need the shared Lease from now on.
   *
   * @param lock receives the demand for the Lease
   * @param writes receives until when writes may begin at a load balancer, before anybody acts on
   *     it
   */
  public record NeedLease(
      LeaseTerms terms, Consumer<LeaseDemand> lock, BiConsumer<LoadBalancerId, Instant> writes)
      implements Own {}

  public record ReadGranted(Reader reader) {}

  private final TurnstileLimits limits;
  private final TurnstileObserver observer;
  private final BiFunction<PoolId, Instant, CompletionStage<PoolDocument>> pools;
  private final Map<Requester, ActorRef<TurnAnswer>> replies = new HashMap<>();
  private final Map<Reader, ActorRef<ReadGranted>> readers = new EnumMap<>(Reader.class);
  private Consumer<LeaseDemand> lock = demand -> {};
  private BiConsumer<LoadBalancerId, Instant> writes = (at, until) -> {};

  /**
   * A turnstile of one subscription.
   *
   * @param clock monotonic
   * @param pools reads a pool afresh, until a deadline
   */
  public static Behavior<Command<TurnstileEvent>> create(
      TurnstileLimits limits,
      InstantSource clock,
      TurnstileObserver observer,
      BiFunction<PoolId, Instant, CompletionStage<PoolDocument>> pools) {
    return begin(
        (context, timers) -> new TurnstileActor(context, timers, limits, clock, observer, pools));
  }

  private TurnstileActor(
      ActorContext<Command<TurnstileEvent>> context,
      TimerScheduler<Command<TurnstileEvent>> timers,
      TurnstileLimits limits,
      InstantSource clock,
      TurnstileObserver observer,
      BiFunction<PoolId, Instant, CompletionStage<PoolDocument>> pools) {
    super(
        context,
        new TurnstileCore(limits),
        TurnstileState.initial(limits, clock.instant()),
        timers,
        clock,
        new TurnstileEvent.TimerDue(),
        NO_RANDOM);
    this.limits = limits;
    this.observer = observer;
    this.pools = pools;
    observer.changed(new TurnstileView(limits, state()));
  }

  @Override
  protected void translate(Call<TurnstileEvent> call) {
    switch ((Own) call) {
      case Register register -> {
        Requester requester = register.requester();
        replies.put(requester, register.replyTo());
        getContext()
            .watchWith(register.holder(), new Event<>(new TurnstileEvent.HolderGone(requester)));
      }
      case RequestRead request -> onRequestRead(request);
      case NeedLease need -> {
        lock = need.lock();
        writes = need.writes();
        decide(new TurnstileEvent.LeaseNeeded(need.terms()));
      }
    }
  }

  private void onRequestRead(RequestRead request) {
    readers.put(request.reader(), request.replyTo());
    decide(new TurnstileEvent.ReadRequested(request.reader()));
  }

  /** Ignores a request of a requester that is not registered: its end would not be noticed. */
  @Override
  protected void decide(TurnstileEvent event) {
    if (event instanceof TurnstileEvent.Requested requested
        && !replies.containsKey(requested.requester())) {
      return;
    }
    if (event instanceof TurnstileEvent.HolderGone gone) {
      replies.remove(gone.requester());
    } else if (event instanceof TurnstileEvent.Verified verified) {
      observer.verified(verified.result());
    }
    super.decide(event);
    if (event instanceof TurnstileEvent.Requested requested) {
      observer.requested(requested.requester().pool(), new TurnstileView(limits, state()));
    }
  }

  @Override
  protected void report(TurnstileState before, TurnstileState after) {
    observer.changed(new TurnstileView(limits, after));
  }

  @Override
  protected void run(TurnstileEffect effect) {
    observer.ran(effect);
    switch (effect) {
      case TurnstileEffect.Grant grant -> tell(grant.requester(), grant.answer());
      case TurnstileEffect.Recall recall -> {
        writes.accept(recall.requester().loadBalancer(), recall.answer().deadline());
        tell(recall.requester(), recall.answer());
      }
      case TurnstileEffect.WritesUntil may -> writes.accept(may.loadBalancer(), may.until());
      case TurnstileEffect.DemandLease demand -> lock.accept(demand.demand());
      case TurnstileEffect.LeaseBypassed bypassed ->
          log.warn(
              "pool={} lease=bypassed why=\"it could not be had for long enough\"",
              bypassed.pool());
      case TurnstileEffect.GrantRead read ->
          Objects.requireNonNull(readers.get(read.reader())).tell(new ReadGranted(read.reader()));
      case TurnstileEffect.Verify verification ->
          getContext()
              .pipeToSelf(
                  pools.apply(verification.pool(), verification.deadline()),
                  (pool, error) ->
                      new Event<>(
                          new TurnstileEvent.Verified(
                              verification.verification(), result(pool, error))));
      case TurnstileEffect.TurnLost lost ->
          log.warn("pool={} turn={} outcome=lost", lost.requester().pool(), lost.turn());
      case TurnstileEffect.RetryHeldBack held -> {
        // It is only counted.
      }
      case TurnstileEffect.Transition transition -> log(transition);
    }
  }

  /** A pool that is gone is not written any more. */
  private static VerificationResult result(@Nullable PoolDocument pool, @Nullable Throwable error) {
    if (pool != null) {
      return pool.view().updating() ? VerificationResult.UPDATING : VerificationResult.SETTLED;
    }
    Verdict verdict = ArmException.failureIn(Objects.requireNonNull(error)).verdict();
    return verdict == Verdict.STALE ? VerificationResult.SETTLED : VerificationResult.UNKNOWN;
  }

  /** The begin of an obstacle is a warning, its end is not. */
  private static void log(TurnstileEffect.Transition transition) {
    switch (transition) {
      case TurnstileEffect.GateClosed closed ->
          closed
              .gate()
              .loadBalancer()
              .ifPresentOrElse(
                  id -> log.warn(OF_BALANCER + "closed until={}", id, closed.until()),
                  () ->
                      log.warn(
                          "gate={} state=closed until={}", name(closed.gate()), closed.until()));
      case TurnstileEffect.GateOpened opened ->
          opened
              .gate()
              .loadBalancer()
              .ifPresentOrElse(
                  id -> log.info(OF_BALANCER + "open", id),
                  () -> log.info("gate={} state=open", name(opened.gate())));
      case TurnstileEffect.UnresolvedWriteBegun begun ->
          log.warn(
              "load-balancer={} pool={} unresolved-write=begun until={}",
              begun.pool().loadBalancer(),
              begun.pool(),
              begun.until());
      case TurnstileEffect.UnresolvedWriteSlowest slowest ->
          log.warn(
              "load-balancer={} unresolved-write=slowest pause={}s",
              slowest.loadBalancer(),
              slowest.pause().toSeconds());
      case TurnstileEffect.UnresolvedWriteEnded ended ->
          log.info("load-balancer={} unresolved-write=ended", ended.loadBalancer());
      case TurnstileEffect.BudgetEmptied emptied -> log.warn("retry-budget=empty");
      case TurnstileEffect.BudgetRefilled refilled -> log.info("retry-budget=available");
    }
  }

  private static String name(Gate gate) {
    return gate.write() ? "writes" : "reads";
  }

  private void tell(Requester requester, TurnAnswer answer) {
    ActorRef<TurnAnswer> replyTo = replies.get(requester);
    if (replyTo != null) {
      replyTo.tell(answer);
    }
  }
}
