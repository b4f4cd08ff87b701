package io.poolkeeper.ratelimit;

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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits pools to ARM: only the holder of a permit may read and write pools of that load balancer.
 * A permit ends when it is returned, its holder stops or its deadline passes. Policy: {@link
 * RateLimiterCore}.
 */
public final class RateLimiterActor
    extends CoreActor<RateLimiterEvent, RateLimiterState, RateLimiterEffect> {
  private static final Logger log = LoggerFactory.getLogger(RateLimiterActor.class);
  private static final String OF_BALANCER = "gate=load-balancer load-balancer={} state=";

  /** The messages with the address that an answer goes to. */
  public sealed interface Own extends Call<RateLimiterEvent> {}

  /**
   * The requester may request permits from now on.
   *
   * @param holder its end ends the request and the permit
   */
  public record Register(Requester requester, ActorRef<?> holder, ActorRef<PermitAnswer> replyTo)
      implements Own {}

  /** Asks for the one call of this reader that may run at a time. */
  public record RequestRead(Reader reader, ActorRef<ReadGranted> replyTo) implements Own {}

  /**
   * Permits need the shared Lease from now on.
   *
   * @param lock receives the demand for the Lease
   * @param writes receives until when writes may begin at a load balancer, before the requester
   *     gets its answer
   */
  public record NeedLease(
      LeaseTerms terms, Consumer<LeaseDemand> lock, BiConsumer<LoadBalancerId, Instant> writes)
      implements Own {}

  public record ReadGranted(Reader reader) {}

  private final RateLimiterLimits limits;
  private final RateLimiterObserver observer;
  private final BiFunction<PoolId, Instant, CompletionStage<PoolDocument>> pools;
  private final Map<Requester, ActorRef<PermitAnswer>> replies = new HashMap<>();
  private final Map<Reader, ActorRef<ReadGranted>> readers = new EnumMap<>(Reader.class);
  private Consumer<LeaseDemand> lock = demand -> {};
  private BiConsumer<LoadBalancerId, Instant> writes = (loadBalancer, until) -> {};

  /**
   * A rate limiter of one subscription.
   *
   * @param clock monotonic
   * @param pools reads a pool afresh, until a deadline
   */
  public static Behavior<Command<RateLimiterEvent>> create(
      RateLimiterLimits limits,
      InstantSource clock,
      RateLimiterObserver observer,
      BiFunction<PoolId, Instant, CompletionStage<PoolDocument>> pools) {
    return begin(pekko -> new RateLimiterActor(pekko, limits, clock, observer, pools));
  }

  private RateLimiterActor(
      PekkoContext<RateLimiterEvent> pekko,
      RateLimiterLimits limits,
      InstantSource clock,
      RateLimiterObserver observer,
      BiFunction<PoolId, Instant, CompletionStage<PoolDocument>> pools) {
    super(
        pekko,
        new RateLimiterCore(limits),
        RateLimiterState.initial(limits, clock.instant()),
        clock,
        new RateLimiterEvent.TimerDue(),
        NO_RANDOM);
    this.limits = limits;
    this.observer = observer;
    this.pools = pools;
    observer.changed(new RateLimiterView(limits, state()));
  }

  @Override
  protected void translate(Call<RateLimiterEvent> call) {
    switch ((Own) call) {
      case Register register -> {
        Requester requester = register.requester();
        replies.put(requester, register.replyTo());
        getContext()
            .watchWith(register.holder(), new Event<>(new RateLimiterEvent.HolderGone(requester)));
        decide(new RateLimiterEvent.Registered(requester));
      }
      case RequestRead request -> {
        readers.put(request.reader(), request.replyTo());
        decide(new RateLimiterEvent.ReadRequested(request.reader()));
      }
      case NeedLease need -> {
        lock = need.lock();
        writes = need.writes();
        decide(new RateLimiterEvent.LeaseNeeded(need.terms()));
      }
    }
  }

  @Override
  protected void decide(RateLimiterEvent event) {
    if (event instanceof RateLimiterEvent.HolderGone gone) {
      replies.remove(gone.requester());
    } else if (event instanceof RateLimiterEvent.Verified verified) {
      observer.verified(verified.result());
    }
    super.decide(event);
    if (event instanceof RateLimiterEvent.Requested requested
        && state().registered().contains(requested.requester())) {
      observer.requested(requested.requester().pool(), new RateLimiterView(limits, state()));
    }
  }

  @Override
  protected void report(RateLimiterState before, RateLimiterState after) {
    observer.changed(new RateLimiterView(limits, after));
  }

  @Override
  protected void run(RateLimiterEffect effect) {
    observer.ran(effect);
    switch (effect) {
      case RateLimiterEffect.Grant grant -> tell(grant.requester(), grant.answer());
      case RateLimiterEffect.Recall recall -> {
        writes.accept(recall.requester().loadBalancer(), recall.answer().deadline());
        tell(recall.requester(), recall.answer());
      }
      case RateLimiterEffect.WritesUntil may -> writes.accept(may.loadBalancer(), may.until());
      case RateLimiterEffect.DemandLease demand -> lock.accept(demand.demand());
      case RateLimiterEffect.LeaseBypassed bypassed ->
          log.warn(
              "pool={} lease=bypassed why=\"it could not be had for long enough\"",
              bypassed.pool());
      case RateLimiterEffect.GrantRead read ->
          Objects.requireNonNull(readers.get(read.reader())).tell(new ReadGranted(read.reader()));
      case RateLimiterEffect.Verify verification ->
          getContext()
              .pipeToSelf(
                  pools.apply(verification.pool(), verification.deadline()),
                  (pool, error) ->
                      new Event<>(
                          new RateLimiterEvent.Verified(
                              verification.verification(), result(pool, error))));
      case RateLimiterEffect.PermitLost lost ->
          log.warn("pool={} permit={} outcome=lost", lost.requester().pool(), lost.permit());
      // It is only counted.
      case RateLimiterEffect.RetryHeldBack held -> {}
      case RateLimiterEffect.Transition transition -> log(transition);
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
  private static void log(RateLimiterEffect.Transition transition) {
    switch (transition) {
      case RateLimiterEffect.GateClosed closed ->
          closed
              .gate()
              .loadBalancer()
              .ifPresentOrElse(
                  id -> log.warn(OF_BALANCER + "closed until={}", id, closed.until()),
                  () ->
                      log.warn(
                          "gate={} state=closed until={}", name(closed.gate()), closed.until()));
      case RateLimiterEffect.GateOpened opened ->
          opened
              .gate()
              .loadBalancer()
              .ifPresentOrElse(
                  id -> log.info(OF_BALANCER + "open", id),
                  () -> log.info("gate={} state=open", name(opened.gate())));
      case RateLimiterEffect.UnresolvedWriteBegun begun ->
          log.warn(
              "load-balancer={} pool={} unresolved-write=begun until={}",
              begun.pool().loadBalancer(),
              begun.pool(),
              begun.until());
      case RateLimiterEffect.UnresolvedWriteSlowest slowest ->
          log.warn(
              "load-balancer={} unresolved-write=slowest pause={}s",
              slowest.loadBalancer(),
              slowest.pause().toSeconds());
      case RateLimiterEffect.UnresolvedWriteEnded ended ->
          log.info("load-balancer={} unresolved-write=ended", ended.loadBalancer());
      case RateLimiterEffect.BudgetEmptied emptied -> log.warn("retry-budget=empty");
      case RateLimiterEffect.BudgetRefilled refilled -> log.info("retry-budget=available");
    }
  }

  private static String name(Gate gate) {
    return gate.write() ? "writes" : "reads";
  }

  private void tell(Requester requester, PermitAnswer answer) {
    ActorRef<PermitAnswer> replyTo = replies.get(requester);
    if (replyTo != null) {
      replyTo.tell(answer);
    }
  }
}
