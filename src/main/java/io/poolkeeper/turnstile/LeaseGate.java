package io.poolkeeper.turnstile;

import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.turnstile.LoadBalancerQueue.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.TreePSet;

/**
 * The shared Lease at the turnstile (architecture, section 7): turns are granted only while it is
 * held, and the turnstile says when it is needed and when a session is over. A drain that has met a
 * busy Lease for long goes without it.
 *
 * <p>Invariant: no turn is granted under a session that was said to have ended.
 *
 * @param standing how it stands; empty if there is no Lease, and turns need none
 * @param drainWait how long drains wait for one that is busy; empty: for ever
 * @param turns those that are out under the session that is held
 * @param demand what the lock knows of us
 */
record LeaseGate(
    Optional<LeaseStanding> standing,
    Optional<Duration> drainWait,
    TreePSet<Long> turns,
    LeaseDemand demand) {
  static final LeaseGate OFF =
      new LeaseGate(Optional.empty(), Optional.empty(), TreePSet.empty(), LeaseDemand.NONE);

  static LeaseGate on(Optional<Duration> drainWait) {
    return new LeaseGate(
        Optional.of(new LeaseStanding.Free()), drainWait, TreePSet.empty(), LeaseDemand.NONE);
  }

  boolean off() {
    return standing.isEmpty();
  }

  /** Whether turns may be granted. */
  boolean open(Instant now) {
    return off() || held().map(one -> mayGrant(one, now)).orElse(false);
  }

  private boolean mayGrant(LeaseStanding.Held held, Instant now) {
    return now.isBefore(held.until()) && demand.ended() < held.session();
  }

  private Optional<LeaseStanding.Held> held() {
    return standing
        .filter(LeaseStanding.Held.class::isInstance)
        .map(LeaseStanding.Held.class::cast);
  }

  /** Whether a turn may be granted in a lane with such a request at its head. */
  boolean lets(Optional<Request> oldest, Instant now) {
    return open(now) || !bypassFrom(oldest).isAfter(now);
  }

  /**
   * When a lane needs a look that may go but for the Lease; what comes of that look is a demand,
   * and then nothing happens before the Lease stands otherwise.
   *
   * @param goes when the lane may go but for the Lease
   */
  Instant goesFrom(Instant goes, Optional<Request> oldest, Instant asOf) {
    if (open(asOf) || goes.isAfter(asOf)) {
      return goes;
    }
    return bypassFrom(oldest);
  }

  /** When a drain may be granted without the Lease; {@link Instant#MAX} if never. */
  Instant bypassFrom(Optional<Request> oldest) {
    if (oldest.map(request -> request.lane().drains()).orElse(false)
        && drainWait.isPresent()
        && standing.orElse(null) instanceof LeaseStanding.Busy busy) {
      Instant since = oldest.get().since();
      return (busy.met().isAfter(since) ? busy.met() : since).plus(drainWait.get());
    }
    return Instant.MAX;
  }

  /** When a request may go if nothing else happens; {@link Instant#MAX} if unknown. */
  Instant freeFrom(Request request) {
    Instant bypass = bypassFrom(Optional.of(request));
    return standing.orElse(null) instanceof LeaseStanding.Busy busy
            && busy.expires().isBefore(bypass)
        ? busy.expires()
        : bypass;
  }

  /** What is wrong with the Lease, in words; empty if nothing is. */
  Optional<String> problem() {
    return standing.flatMap(LeaseGate::problem);
  }

  private static Optional<String> problem(LeaseStanding standing) {
    return switch (standing) {
      case LeaseStanding.Held held -> Optional.empty();
      case LeaseStanding.Free free -> Optional.empty();
      case LeaseStanding.Busy busy ->
          Optional.of(
              "the shared Lease is held by "
                  + busy.holder()
                  + busy.since().map(since -> " since " + since).orElse(""));
      case LeaseStanding.Unreachable away ->
          Optional.of("the shared Lease cannot be had: " + away.error());
    };
  }

  /** It stands otherwise now. Turns of a session that is not held any more are none of it. */
  LeaseGate stands(LeaseStanding next) {
    return new LeaseGate(
        Optional.of(next), drainWait, keeps(next) ? turns : TreePSet.empty(), demand);
  }

  /** Whether the session goes on. */
  boolean keeps(LeaseStanding next) {
    return held().map(next::equals).orElse(false);
  }

  LeaseGate granted(long turn, Instant now) {
    return off() || !open(now)
        ? this
        : new LeaseGate(standing, drainWait, turns.plus(turn), demand);
  }

  LeaseGate returned(long turn) {
    return new LeaseGate(standing, drainWait, turns.minus(turn), demand);
  }

  /**
   * What the lock must know, after all was granted that could be.
   *
   * @param wanted whether somebody waits for nothing but the Lease
   * @param drain whether a drain does
   */
  LeaseGate demanding(boolean wanted, boolean drain) {
    if (off()) {
      return this;
    }
    long ended =
        turns.isEmpty()
            ? held().map(LeaseStanding.Held::session).orElse(demand.ended())
            : demand.ended();
    return new LeaseGate(standing, drainWait, turns, new LeaseDemand(wanted, drain, ended));
  }
}
