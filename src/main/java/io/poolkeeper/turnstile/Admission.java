package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.Lanes.LaneQueue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.TreePMap;

/**
 * The obstacles of a turn besides its load balancer, in order, and when each ends (architecture,
 * The turnstile). The budget is checked last (spec 3, Retry budgets): a turn that is refused for
 * another reason must not cost a retry.
 *
 * <p>As things are at one moment: after a grant there is another one.
 *
 * @param quota as it is now
 * @param queues those whose turns are out, and any others
 * @param out the turns that are out, each of which may still read and write once more
 * @param looking how many looks are in flight, each of which may still read
 */
record Admission(
    TurnstileLimits limits,
    Instant now,
    Gates gates,
    Quota quota,
    HashPMap<LoadBalancerId, LoadBalancerQueue> queues,
    TreePMap<Long, LoadBalancerId> out,
    int looking) {

  static Admission of(TurnstileLimits limits, TurnstileState state, Instant now) {
    return new Admission(
        limits,
        now,
        state.gates(),
        state.quota().at(now),
        state.queues(),
        state.out(),
        state.looks().inFlight().size());
  }

  /** The first obstacle for a request of the lane whose load balancer is free. */
  Obstacle obstacle(Lane lane) {
    if (full(lane)) {
      return Obstacle.IN_FLIGHT;
    }
    if (!gates.passable(now)) {
      return now.isBefore(gates.turnsFrom()) ? Obstacle.SUBSCRIPTION_GATE : Obstacle.SLOW_START;
    }
    if (!quota.reads().holds(readers())) {
      return Obstacle.READ_TOKENS;
    }
    if (!quota.writes().allow(lane, out.size(), drainsOut(lane))) {
      return Obstacle.WRITE_TOKENS;
    }
    if (lane == Lane.EARLY && !quota.early().holds(1)) {
      return Obstacle.EARLY_TOKENS;
    }
    boolean broke = lane.costsBudget() && !quota.budget().canWithdraw(now);
    return broke ? Obstacle.RETRY_BUDGET : Obstacle.NEXT;
  }

  boolean mayGo(Lane lane) {
    return obstacle(lane) == Obstacle.NEXT;
  }

  /** The lanes, the most urgent first: retried drains may need a token that updates need, too. */
  List<Lane> order() {
    return quota.writes().reserved(drainsOut(Lane.DRAIN_RETRY)) ? Lane.ORDER : Lane.ON_COMMON;
  }

  /** When a lane may go, if nothing happens; {@link Instant#MAX} if something must happen first. */
  Instant mayGoFrom(Lane lane) {
    if (full(lane)) {
      return Instant.MAX;
    }
    Instant at = later(later(gatesPassAt(), readsHoldAt()), writesAllowAt(lane));
    if (lane == Lane.EARLY) {
      return later(at, earlyHoldsAt());
    }
    return lane.costsBudget() && at.isBefore(Instant.MAX) ? budgetAllowsFrom(at) : at;
  }

  /**
   * When the head of a lane may go, its load balancer being free: the one answer that grants and
   * timers share. {@link Instant#MAX} if the lane is empty or something must happen first.
   */
  Instant goesFrom(Lane lane, Map<Lane, LaneQueue> lanes, LeaseGate lease) {
    return later(mayGoFrom(lane), leaseFrom(lane, lanes, lease));
  }

  /**
   * When something changes for the head of a lane by time alone: it may go, or it has come so far
   * that it waits for the Lease only, which is demanded then.
   */
  Instant lookFrom(Lane lane, Map<Lane, LaneQueue> lanes, LeaseGate lease) {
    Instant from = leaseFrom(lane, lanes, lease);
    Instant goes = mayGoFrom(lane);
    return goes.isAfter(now) && !head(lane, lanes).isEmpty() ? goes : later(goes, from);
  }

  private Instant leaseFrom(Lane lane, Map<Lane, LaneQueue> lanes, LeaseGate lease) {
    return head(lane, lanes)
        .flatMap(queue -> queue.oldest(lane).map(oldest -> lease.from(oldest, now)))
        .orElse(Instant.MAX);
  }

  private Optional<LoadBalancerQueue> head(Lane lane, Map<Lane, LaneQueue> lanes) {
    return Optional.ofNullable(lanes.get(lane))
        .filter(queue -> !queue.ready().isEmpty())
        .flatMap(queue -> Optional.ofNullable(queues.get(queue.ready().firstEntry().getValue())));
  }

  /** When the gates of the subscription let the next turn pass. */
  Instant gatesPassAt() {
    return gates.passable(now) ? now : gates.nextChange(now);
  }

  /** When there is a read token for one more; {@link Instant#MAX} if never. */
  Instant readsHoldAt() {
    return quota.reads().holdsAt(readers());
  }

  /** When there is a write token for one more of the lane; {@link Instant#MAX} if never. */
  Instant writesAllowAt(Lane lane) {
    return quota.writes().allowAt(lane, out.size(), drainsOut(lane));
  }

  /** When there is a token for an early write. */
  Instant earlyHoldsAt() {
    return quota.early().holdsAt(1);
  }

  /** When the budget lets a retry pass; {@link Instant#MAX} if never. */
  Instant budgetAllowsAt() {
    return budgetAllowsFrom(now);
  }

  private Instant budgetAllowsFrom(Instant time) {
    return quota.budget().nextWithdrawal(time).orElse(Instant.MAX);
  }

  /** Whether a listing or a look may be made, which are no turns and only read. */
  boolean mayRead() {
    return gates.readable(now) && quota.reads().holds(readers());
  }

  Instant mayReadFrom() {
    return later(readsHoldAt(), gates.readsFrom());
  }

  /** One more, and who may read still. */
  private int readers() {
    return out.size() + looking + 1;
  }

  /** What is early leaves half of the room to others. */
  private boolean full(Lane lane) {
    int counted = lane == Lane.EARLY ? 2 * out.size() : out.size();
    return counted >= limits.maxInFlight();
  }

  /** How many turns the reserve will pay for; counted only for those who could use it. */
  private int drainsOut(Lane lane) {
    if (!lane.drains()) {
      return 0;
    }
    int drains = 0;
    for (LoadBalancerId id : out.values()) {
      LoadBalancerQueue queue = queues.get(id);
      drains += queue != null && queue.drains() ? 1 : 0;
    }
    return drains;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
