package io.poolkeeper.simulation;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseAnswer;
import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import io.poolkeeper.lock.LockPhase;
import io.poolkeeper.lock.SharedLockCore;
import io.poolkeeper.lock.SharedLockEffect;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.lock.SharedLockState;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.RateLimiterCore;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import io.poolkeeper.ratelimit.VerificationResult;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Faults of the rate limiter, and of the shared Lease. */
final class FaultsOfPermits {
  static final List<SeededFault> PERMITS =
      List.of(
          new SeededFault(
              "two writes per load balancer",
              new Mutation(
                  "ratelimit.LoadBalancerQueue", "freeFrom", "REMOVE_CONDITIONALS_EQUAL_ELSE")),
          new SeededFault(
              "gates that shorten",
              new Mutation("arm.azure.ThrottlePolicy", "close", "REMOVE_CONDITIONALS_EQUAL_ELSE")
                  .number(2, 2),
              new Mutation("ratelimit.Gates", "close", "REMOVE_CONDITIONALS_EQUAL_ELSE")
                  .number(2, 4)),
          new SeededFault(
              "ignore the write tokens",
              new Mutation("ratelimit.WriteTokens", "sent", "EXPERIMENTAL_NAKED_RECEIVER")),
          new SeededFault(
              "one permit more than may be out",
              new Mutation("ratelimit.PermitAdmission", "full", "CONDITIONALS_BOUNDARY")),
          new SeededFault(
              "go on after a write without an end",
              Around.event(
                  RateLimiterCore.class, RateLimiterEvent.Returned.class, FaultsOfPermits::ended)),
          new SeededFault(
              "take any answer to a look for the end",
              Around.event(
                  RateLimiterCore.class,
                  RateLimiterEvent.Verified.class,
                  FaultsOfPermits::settled)));

  static final List<SeededFault> LEASE =
      List.of(
          new SeededFault(
              "write without the shared Lease",
              Around.without(
                  RateLimiterCore.class,
                  (state, event) ->
                      event instanceof RateLimiterEvent.LeaseNeeded
                          || event instanceof RateLimiterEvent.LeaseStands)),
          new SeededFault(
              "let drains go without the shared Lease at once",
              new Mutation("ratelimit.LeaseGate", "bypassFrom", "REMOVE_CONDITIONALS_EQUAL_IF")),
          new SeededFault(
              "keep the shared Lease through a Retry-After",
              Around.core(SharedLockCore.class, KeptSession::new)),
          new SeededFault(
              "give back another's Lease",
              Around.core(
                  SharedLockCore.class,
                  own ->
                      new OtherView(own) {
                        @Override
                        Holder other(SharedLockState state, Holder found) {
                          return state.phase() instanceof LockPhase.Held
                              ? found
                              : new Holder(
                                  found.identity(), Whose.OURS, found.since(), found.expires());
                        }
                      })),
          new SeededFault(
              "take a Lease that is busy",
              Around.core(
                  SharedLockCore.class,
                  own ->
                      new OtherView(own) {
                        @Override
                        Holder other(SharedLockState state, Holder found) {
                          return new Holder(
                              found.identity(), found.whose(), found.since(), Instant.EPOCH);
                        }
                      })));

  private FaultsOfPermits() {}

  private static RateLimiterEvent ended(RateLimiterEvent.Returned back) {
    return back.result().settles()
        ? new RateLimiterEvent.Returned(back.requester(), back.permit(), PermitResult.FAILED)
        : back;
  }

  private static RateLimiterEvent settled(RateLimiterEvent.Verified looked) {
    return looked.result() == VerificationResult.UPDATING
        ? new RateLimiterEvent.Verified(looked.verification(), VerificationResult.SETTLED)
        : looked;
  }

  /** The end of a session is heard only while the Lease is wanted. */
  private static final class KeptSession
      extends Faulty<SharedLockState, SharedLockEvent, SharedLockEffect> {
    private long ended;

    KeptSession(Core<SharedLockState, SharedLockEvent, SharedLockEffect> own) {
      super(own);
    }

    @Override
    public Decision<SharedLockState, SharedLockEffect> decide(
        SharedLockState state, SharedLockEvent event, Instant now, RandomGenerator random) {
      return own.decide(
          state,
          event instanceof SharedLockEvent.Demanded demanded ? kept(demanded.demand()) : event,
          now,
          random);
    }

    private SharedLockEvent kept(LeaseDemand demand) {
      ended = demand.wanted() ? demand.ended() : ended;
      return new SharedLockEvent.Demanded(new LeaseDemand(demand.wanted(), demand.drain(), ended));
    }
  }

  /** The Lease of another client is seen otherwise. */
  private abstract static class OtherView
      extends Faulty<SharedLockState, SharedLockEvent, SharedLockEffect> {
    OtherView(Core<SharedLockState, SharedLockEvent, SharedLockEffect> own) {
      super(own);
    }

    abstract Holder other(SharedLockState state, Holder found);

    @Override
    public Decision<SharedLockState, SharedLockEffect> decide(
        SharedLockState state, SharedLockEvent event, Instant now, RandomGenerator random) {
      UnaryOperator<LeaseView> seen =
          view ->
              view.holder().filter(found -> found.whose() == Whose.OTHER).isEmpty()
                  ? view
                  : new LeaseView(view.version(), view.holder().map(found -> other(state, found)));
      SharedLockEvent heard = event;
      if (event instanceof SharedLockEvent.Seen one) {
        heard = new SharedLockEvent.Seen(seen.apply(one.view()));
      } else if (event instanceof SharedLockEvent.Answered one
          && one.answer() instanceof LeaseAnswer.Is is) {
        heard = new SharedLockEvent.Answered(new LeaseAnswer.Is(seen.apply(is.view())));
      }
      return own.decide(state, heard, now, random);
    }
  }
}
