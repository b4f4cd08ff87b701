package io.poolkeeper.turnstile;

import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;
import org.pcollections.TreePMap;

/**
 * The shared Lease at the turnstile (architecture, section 7): turns are granted only while it is
 * held, and the turnstile says when it is needed and when a session is over. Drains are granted
 * until then, others for a part of it. A drain that could not have the Lease for long goes without
 * it, no matter who holds it, and so do those that follow it at its load balancer.
 *
 * <p>Invariants: no turn is granted and no write begins under a session that was said to have
 * ended. {@link #from} alone says who may go.
 *
 * @param standing how it stands; empty if there is no Lease, and turns need none
 * @param turns those that are out under the session that is held, each with the time until which it
 *     keeps the session; {@link #READS} as long as its write has not begun
 * @param deniedSince since when drains cannot have it, although one waits or somebody else has it
 * @param bypassed load balancers where a drain has gone without it since then
 * @param demand what the lock knows of us
 */
record LeaseGate(
    Optional<LeaseStanding> standing,
    LeaseTerms terms,
    TreePMap<Long, Instant> turns,
    Optional<Instant> deniedSince,
    MapPSet<LoadBalancerId> bypassed,
    LeaseDemand demand) {
  /** Who only reads keeps the session from nobody who waits for the next one. */
  private static final Instant READS = Instant.MAX.minusSeconds(1);

  static final LeaseGate OFF =
      new LeaseGate(
          Optional.empty(),
          new LeaseTerms(Optional.empty(), Optional.empty(), Duration.ZERO),
          TreePMap.empty(),
          Optional.empty(),
          HashTreePSet.empty(),
          LeaseDemand.NONE);

  static LeaseGate on(LeaseTerms terms) {
    return new LeaseGate(
        Optional.of(new LeaseStanding.Free()),
        terms,
        TreePMap.empty(),
        Optional.empty(),
        HashTreePSet.empty(),
        LeaseDemand.NONE);
  }

  private LeaseGate with(TreePMap<Long, Instant> next) {
    return new LeaseGate(standing, terms, next, deniedSince, bypassed, demand);
  }

  boolean off() {
    return standing.isEmpty();
  }

  /** The session that is held and has not ended. */
  private Optional<LeaseStanding.Held> session() {
    return standing
        .filter(LeaseStanding.Held.class::isInstance)
        .map(LeaseStanding.Held.class::cast)
        .filter(held -> demand.ended() < held.session());
  }

  /** Whether turns of the lane are granted under the Lease, or none is needed. */
  boolean open(Lane lane, Instant now) {
    return off()
        || session()
            .map(held -> now.isBefore(lane.drains() ? held.over() : held.until()))
            .orElse(false);
  }

  /**
   * From when on a request may go as far as the Lease is concerned, if nothing else happens; {@link
   * Instant#MAX} if something must happen first.
   *
   * @param asked when the oldest one of the lane and the load balancer came
   */
  Instant from(Lane lane, LoadBalancerId id, Instant asked, Instant now) {
    if (open(lane, now)) {
      return Instant.EPOCH;
    }
    return lane.drains()
        ? deniedSince.flatMap(since -> bypassFrom(since, id, asked)).orElse(Instant.MAX)
        : unreachableFrom().orElse(Instant.MAX);
  }

  /** A drain that is tried again has waited. */
  private Optional<Instant> bypassFrom(Instant since, LoadBalancerId id, Instant asked) {
    return bypassed.contains(id)
        ? Optional.of(Instant.EPOCH)
        : sum(later(since, asked), terms.drainWait());
  }

  private Optional<Instant> unreachableFrom() {
    return standing.orElse(null) instanceof LeaseStanding.Unreachable away
        ? sum(away.since(), terms.unreachableAfter())
            .map(from -> later(from, away.busyUntil().orElse(from)))
        : Optional.empty();
  }

  private static Optional<Instant> sum(Instant since, Optional<Duration> wait) {
    return wait.map(since::plus);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** When a request may go if nothing else happens; {@link Instant#MAX} if unknown. */
  Instant freeFrom(Lane lane, LoadBalancerId id, Instant asked, Instant now) {
    Instant from = from(lane, id, asked, now);
    return standing.orElse(null) instanceof LeaseStanding.Busy busy && busy.expires().isBefore(from)
        ? busy.expires()
        : from;
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

  /** Nobody of ours can change that soon. */
  private boolean away() {
    return standing.orElse(null) instanceof LeaseStanding.Busy
        || standing.orElse(null) instanceof LeaseStanding.Unreachable;
  }

  /** It stands otherwise now. Turns of a session that is not held any more are none of it. */
  LeaseGate stands(LeaseStanding next) {
    return new LeaseGate(
        Optional.of(next),
        terms,
        keeps(next) ? turns : TreePMap.empty(),
        deniedSince,
        bypassed,
        demand);
  }

  /** Whether the session goes on. */
  boolean keeps(LeaseStanding next) {
    return session()
        .map(held -> next instanceof LeaseStanding.Held other && other.session() == held.session())
        .orElse(false);
  }

  /** From when on no write of a turn that is granted now may begin. */
  Instant writesUntil(Lane lane, Instant now, Instant deadline) {
    return session()
        .filter(any -> open(lane, now))
        .map(LeaseStanding.Held::over)
        .filter(deadline::isAfter)
        .orElse(deadline);
  }

  /** What is granted in the tail of a session does not keep it. */
  LeaseGate granted(long turn, LoadBalancerId id, Lane lane, Instant now) {
    return session()
        .filter(any -> open(lane, now))
        .map(held -> with(turns.plus(turn, now.isBefore(held.tail()) ? READS : now)))
        .orElseGet(() -> lane.drains() ? bypassedAt(id) : this);
  }

  private LeaseGate bypassedAt(LoadBalancerId id) {
    return new LeaseGate(standing, terms, turns, deniedSince, bypassed.plus(id), demand);
  }

  LeaseGate returned(long turn) {
    return with(turns.minus(turn));
  }

  /** A write of the turn is sent. */
  LeaseGate writes(long turn) {
    return READS.equals(turns.get(turn)) ? with(turns.plus(turn, Instant.MAX)) : this;
  }

  /** ARM has accepted the write of the turn. */
  LeaseGate accepted(long turn, Instant now) {
    Instant until = turns.get(turn);
    Instant tail = now.plus(terms.maxTail());
    return until != null && tail.isBefore(until) ? with(turns.plus(turn, tail)) : this;
  }

  /**
   * When nothing keeps the session any more if nothing else happens; {@link Instant#MAX} if never.
   */
  Instant endsAt() {
    return endsAt(demand.wanted());
  }

  private Instant endsAt(boolean wanted) {
    return session()
        .map(
            held ->
                turns.values().stream()
                    .map(until -> wanted && until.equals(READS) ? held.tail() : until)
                    .max(Instant::compareTo)
                    .orElse(Instant.EPOCH))
        .orElse(Instant.MAX);
  }

  /**
   * What the lock must know, after all was granted that could be.
   *
   * @param wanted whether somebody waits for nothing but the Lease
   * @param drain whether a drain does
   * @param later whether one that was denied may want it again: behind a turn that is out, or a
   *     gate
   */
  LeaseGate demanding(boolean wanted, boolean drain, boolean later, Instant now) {
    if (off()) {
      return this;
    }
    boolean ends = !endsAt(wanted).isAfter(now);
    long ended = ends ? session().map(LeaseStanding.Held::session).orElseThrow() : demand.ended();
    LeaseGate next =
        new LeaseGate(
            standing,
            terms,
            ends ? TreePMap.empty() : turns,
            deniedSince,
            bypassed,
            new LeaseDemand(wanted, drain, ended));
    boolean still = later && deniedSince.isPresent() && !open(Lane.DRAIN, now);
    boolean denied = !next.open(Lane.DRAIN, now) && (drain || away() || still);
    Optional<Instant> since = denied ? deniedSince.or(() -> Optional.of(now)) : Optional.empty();
    MapPSet<LoadBalancerId> without = denied ? bypassed : HashTreePSet.empty();
    return new LeaseGate(standing, terms, next.turns, since, without, next.demand);
  }

  /** The turns of the session, if it was one, that is over in the next state. */
  List<Long> endedIn(LeaseGate next) {
    return next.turns.isEmpty() ? List.copyOf(turns.keySet()) : List.of();
  }
}
