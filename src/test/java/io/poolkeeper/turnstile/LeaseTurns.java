package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.T0;

import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.turnstile.TurnstileEffect.DemandLease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A turnstile whose turns need the shared Lease. Drains go without it after 10 s. */
abstract class LeaseTurns {
  static final Duration WAIT = Duration.ofSeconds(10);
  static final Duration TAIL = Duration.ofSeconds(5);

  TurnstileDriver turnstile = needing(TurnstileDriver.wide());

  static TurnstileDriver needing(TurnstileDriver turnstile) {
    return needing(turnstile, Optional.of(WAIT), Optional.empty());
  }

  static TurnstileDriver needing(
      TurnstileDriver turnstile, Optional<Duration> drainWait, Optional<Duration> unreachable) {
    return turnstile.send(
        new TurnstileEvent.LeaseNeeded(new LeaseTerms(drainWait, unreachable, TAIL)));
  }

  TurnstileDriver stands(LeaseStanding standing) {
    return turnstile.send(new TurnstileEvent.LeaseStands(standing));
  }

  TurnstileDriver held(long session) {
    return stands(session(session, turnstile.now()));
  }

  /** Members until 5 s, at the latest until 15 s. */
  static LeaseStanding session(long number, Instant begun) {
    Instant tail = begun.plusSeconds(5);
    return new LeaseStanding.Held(number, tail, tail, begun.plusSeconds(15));
  }

  TurnstileDriver busy() {
    Instant now = turnstile.now();
    return stands(new LeaseStanding.Busy("peer", Optional.of(T0), now.plusSeconds(900), now));
  }

  List<LeaseDemand> demands() {
    return turnstile.effects().stream()
        .filter(DemandLease.class::isInstance)
        .map(effect -> ((DemandLease) effect).demand())
        .toList();
  }

  static LeaseDemand demand(boolean wanted, long ended) {
    return new LeaseDemand(wanted, false, ended);
  }
}
