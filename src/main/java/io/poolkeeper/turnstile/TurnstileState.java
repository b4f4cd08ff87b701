package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.Lanes.LaneQueue;
import io.poolkeeper.turnstile.Lanes.Wake;
import io.poolkeeper.turnstile.LoadBalancerQueue.Request;
import java.time.Instant;
import java.util.Set;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * Everything the turnstile knows. Immutable; its maps share what does not change, so that a step
 * costs the logarithm of who waits.
 *
 * <p>Invariants: a load balancer has at most one turn out; a requester waits at most once; a load
 * balancer without a turn out is, for each lane with requests for it, either in that lane or
 * asleep.
 *
 * @param lanes all of them, the most urgent first
 * @param asleep those that have to wait first, by when
 * @param out the turns that are out; their numbers and their deadlines grow together
 * @param readers those that wait for a call of theirs
 * @param reported what is in the log as begun and not as ended
 * @param lease the Lease that is shared with other writers
 */
public record TurnstileState(
    HashPMap<LoadBalancerId, LoadBalancerQueue> queues,
    HashPMap<Requester, Request> requests,
    TreePMap<Lane, LaneQueue> lanes,
    TreePSet<Wake> asleep,
    TreePMap<Long, LoadBalancerId> out,
    Looks looks,
    Set<Reader> readers,
    Quota quota,
    Gates gates,
    UnannouncedPauses pauses,
    long nextTurn,
    long nextTicket,
    ReportedState reported,
    LeaseGate lease) {

  /** When the last event was. */
  Instant asOf() {
    return quota.reads().asOf();
  }

  LoadBalancerQueue queue(LoadBalancerId id) {
    LoadBalancerQueue known = queues.get(id);
    return known == null ? LoadBalancerQueue.of(id) : known;
  }

  /** When the turn of a load balancer is lost; {@link Instant#MAX} if none is out. */
  Instant deadline(LoadBalancerId id, TurnstileLimits limits) {
    return queue(id)
        .turn()
        .map(turn -> turn.since().plus(limits.turnDeadline()))
        .orElse(Instant.MAX);
  }

  static TurnstileState initial(TurnstileLimits limits, Instant now) {
    return new TurnstileState(
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        Lanes.empty(),
        TreePSet.empty(),
        TreePMap.empty(),
        Looks.NONE,
        Set.of(),
        Quota.initial(limits, now),
        Gates.OPEN,
        UnannouncedPauses.NONE,
        1,
        1,
        ReportedState.NOTHING,
        LeaseGate.OFF);
  }
}
