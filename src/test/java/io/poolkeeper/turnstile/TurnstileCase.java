package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import java.time.Instant;

/** A turnstile, and what is said of it in most cases. */
abstract class TurnstileCase {
  static final Instant T0 = TurnstileDriver.T0;
  static final LoadBalancerId LB1 = TurnstileDriver.LB1;
  static final Requester A = TurnstileDriver.A;
  static final Requester B = TurnstileDriver.B;
  static final Requester C = TurnstileDriver.C;
  static final Requester E = TurnstileDriver.E;
  static final Lane DRAIN = Lane.DRAIN;
  static final Lane UPDATE = Lane.UPDATE;
  static final Lane DRAIN_RETRY = Lane.DRAIN_RETRY;
  static final Lane RETRY = Lane.RETRY;
  static final Lane EARLY = Lane.EARLY;
  static final Lane REPAIR = Lane.REPAIR;
  static final TurnResult UNCHANGED = TurnResult.UNCHANGED;
  static final TurnResult FAILED = TurnResult.FAILED;
  static final TurnResult OTHER_WRITER = TurnResult.OTHER_WRITER;
  static final TurnResult UNRESOLVED = TurnResult.UNRESOLVED;
  static final VerificationResult SETTLED = VerificationResult.SETTLED;

  final TurnstileDriver turnstile;

  TurnstileCase() {
    this(TurnstileDriver.wide());
  }

  TurnstileCase(TurnstileDriver turnstile) {
    this.turnstile = turnstile;
  }
}
