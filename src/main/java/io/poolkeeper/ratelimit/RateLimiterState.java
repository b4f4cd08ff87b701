package io.poolkeeper.ratelimit;

import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Permit;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;
import org.pcollections.TreePMap;

/**
 * Everything the rate limiter knows. Immutable; its maps share what does not change.
 *
 * <p>Invariants: a load balancer has at most one permit out; a requester waits at most once.
 *
 * @param registered the requesters whose end is noticed; others are ignored
 * @param queues the load balancers with any state worth keeping
 * @param ageing of priority levels, over all load balancers
 * @param verifications in flight, by number
 * @param readers those that wait for their call
 * @param lease the Lease that is shared with other writers
 * @param next the next numbers to give
 * @param wakeAt when time alone changes something
 */
public record RateLimiterState(
    MapPSet<Requester> registered,
    TreePMap<LoadBalancerId, LoadBalancerQueue> queues,
    Ageing ageing,
    TreePMap<Long, LoadBalancerId> verifications,
    Set<Reader> readers,
    Quota quota,
    Gates gates,
    Reported reported,
    LeaseGate lease,
    Numbers next,
    Optional<Instant> wakeAt) {
  /** The next numbers of permits, and of requests and verifications. */
  record Numbers(long permit, long ticket) {}

  /** When the last event was. */
  Instant asOf() {
    return quota.reads().asOf();
  }

  LoadBalancerQueue queue(LoadBalancerId id) {
    return queues.getOrDefault(id, LoadBalancerQueue.of(id));
  }

  /** All who wait. */
  Stream<Request> requests() {
    return queues.values().stream().flatMap(queue -> queue.requests().all());
  }

  /** When a gate opens. */
  Instant opens(Gate gate) {
    return gate.loadBalancer()
        .map(id -> queue(id).gate())
        .orElse(gate.write() ? gates.writesFrom() : gates.readsFrom());
  }

  /** The gates that were closed at the last event and are open now. */
  List<Gate> opened(Instant now) {
    Stream<Gate> balancers =
        queues.values().stream()
            .sorted(Comparator.comparing(LoadBalancerQueue::gate))
            .map(queue -> Gate.permits(queue.id()));
    return Stream.concat(Stream.of(false, true).map(Gate::subscription), balancers)
        .filter(gate -> opens(gate).isAfter(asOf()) && !opens(gate).isAfter(now))
        .toList();
  }

  /** The permits that were not given back in time, the oldest first. */
  List<Permit> lost(RateLimiterLimits limits, Instant now) {
    return queues.values().stream()
        .filter(queue -> !queue.deadline(limits.permitDeadline()).isAfter(now))
        .flatMap(queue -> queue.permit().stream())
        .sorted(Comparator.comparingLong(Permit::number))
        .toList();
  }

  /** The gates whose calls ARM accepted under a permit: those that were open when it began. */
  List<Gate> passed(Permit permit, boolean wrote) {
    Gate own = Gate.permits(permit.holder().loadBalancer());
    return Stream.of(Gate.subscription(false), Gate.subscription(true), own)
        .filter(gate -> wrote || !gate.write())
        .filter(gate -> !opens(gate).isAfter(permit.since()))
        .toList();
  }

  static RateLimiterState initial(RateLimiterLimits limits, Instant now) {
    return new RateLimiterState(
        HashTreePSet.empty(),
        TreePMap.empty(),
        Ageing.NONE,
        TreePMap.empty(),
        Set.of(),
        Quota.initial(limits, now),
        Gates.OPEN,
        Reported.NOTHING,
        LeaseGate.OFF,
        new Numbers(1, 1),
        Optional.empty());
  }
}
