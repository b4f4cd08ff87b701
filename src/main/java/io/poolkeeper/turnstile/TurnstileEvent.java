package io.poolkeeper.turnstile;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import java.time.Instant;
import java.util.Optional;

/** What can happen at the turnstile. */
public sealed interface TurnstileEvent {
  /** A requester wants a turn. Asked again with another priority, it keeps its ticket. */
  record Requested(Requester requester, Priority priority) implements TurnstileEvent {}

  record Cancelled(Requester requester) implements TurnstileEvent {}

  record Returned(Requester requester, long turn, TurnResult result) implements TurnstileEvent {}

  /** The requester's actor ended, with or without a turn. */
  record HolderGone(Requester requester) implements TurnstileEvent {}

  record Verified(long verification, VerificationResult result) implements TurnstileEvent {}

  /** A reader wants to make its one call. */
  record ReadRequested(Reader reader) implements TurnstileEvent {}

  /** A call was sent to ARM, whatever came of it. */
  record Sent(boolean write) implements TurnstileEvent {}

  /**
   * ARM takes no calls until then; not in the future if it did not say until when.
   *
   * @param loadBalancer the only one concerned; empty for the whole subscription
   */
  record Throttled(Optional<LoadBalancerId> loadBalancer, boolean write, Instant until)
      implements TurnstileEvent {}

  /** A write to a pool of the load balancer is sent, for the first time or again. */
  record Writes(LoadBalancerId loadBalancer) implements TurnstileEvent {}

  /** ARM has accepted a write to a pool of the load balancer, and may work on it. */
  record Accepted(LoadBalancerId loadBalancer) implements TurnstileEvent {}

  /** Turns need the shared Lease from now on, which is not held yet. */
  record LeaseNeeded(LeaseTerms terms) implements TurnstileEvent {}

  record LeaseStands(LeaseStanding standing) implements TurnstileEvent {}

  record TimerDue() implements TurnstileEvent {}
}
