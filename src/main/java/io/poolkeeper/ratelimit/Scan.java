package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * A summary of all load balancers, made in one pass.
 *
 * @param heads for each priority level the first request at any load balancer that is free: the one
 *     that the Lease lets go first, and of these the oldest
 * @param out how many permits are out
 * @param drains how many of them are out for drains
 * @param deadline when the first of them is lost; {@link Instant#MAX} if none is out
 * @param next when another load balancer is free for a priority level, or its gate opens
 * @param verification the load balancer that must be verified next
 * @param verifyFrom the time of that verification; {@link Instant#MAX} if none is due
 */
record Scan(
    Map<PriorityLevel, Request> heads,
    int out,
    int drains,
    Instant deadline,
    Instant next,
    Optional<LoadBalancerQueue> verification,
    Instant verifyFrom) {
  static Scan of(
      Collection<LoadBalancerQueue> queues, LeaseGate lease, Duration permitDeadline, Instant now) {
    Comparator<Request> byLease = Comparator.comparing(request -> lease.letsGoFrom(request, now));
    BinaryOperator<Request> sooner =
        BinaryOperator.minBy(byLease.thenComparingLong(Request::ticket));
    Map<PriorityLevel, Request> heads = new EnumMap<>(PriorityLevel.class);
    int out = 0;
    int drains = 0;
    Instant deadline = Instant.MAX;
    Instant next = Instant.MAX;
    Optional<LoadBalancerQueue> verification = Optional.empty();
    Instant verifyFrom = Instant.MAX;
    for (LoadBalancerQueue queue : queues) {
      if (queue.permit().isPresent()) {
        out++;
        drains += queue.permit().get().level().drains() ? 1 : 0;
        deadline = earlier(deadline, queue.deadline(permitDeadline));
      }
      next = queue.gate().isAfter(now) ? earlier(next, queue.gate()) : next;
      for (PriorityLevel level : queue.requests().levels().keySet()) {
        Instant free = queue.freeFrom(level);
        if (free.isAfter(now)) {
          next = earlier(next, free);
        } else {
          Line line = queue.requests().line(level);
          heads.merge(level, line.oldest(), sooner);
          // Of drains that wait for the Lease, only one that has read in vain may go sooner.
          lease
              .permits()
              .inVain(queue.id(), line)
              .forEach(drain -> heads.merge(level, drain, sooner));
        }
      }
      if (queue.unresolved().isPresent() && queue.verifyFrom(now).isBefore(verifyFrom)) {
        verification = Optional.of(queue);
        verifyFrom = queue.verifyFrom(now);
      }
    }
    return new Scan(heads, out, drains, deadline, next, verification, verifyFrom);
  }

  private static Instant earlier(Instant first, Instant second) {
    return first.isBefore(second) ? first : second;
  }
}
