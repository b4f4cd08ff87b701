package io.poolkeeper.status;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.ratelimit.RateLimiterView.Waiting;
import io.poolkeeper.service.CacheKind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What all pools have in common at one time.
 *
 * @param gate until when ARM takes no calls of the subscription; empty if it does
 * @param waiting the pools that wait at the rate limiter, with their places in line
 * @param lease empty if permits need none, or before the rate limiter has started
 * @param recent what happened lately
 */
public record Surroundings(
    Instant now,
    Optional<Instant> gate,
    Map<PoolId, InLine> waiting,
    Optional<LeaseStanding> lease,
    Set<CacheKind> lost,
    Recent.View recent) {
  /**
   * A pool that waits at the rate limiter.
   *
   * @param place the place among the pools of its load balancer, from 1
   * @param placeAmongAll the place among all pools, from 1
   */
  public record InLine(Waiting waiting, int place, int placeAmongAll) {}

  public static Surroundings of(Snapshot snapshot, Instant now) {
    Optional<RateLimiterView> rateLimiter = snapshot.rateLimiter();
    Map<PoolId, InLine> inLine = new HashMap<>();
    Map<LoadBalancerId, Integer> places = new HashMap<>();
    List<Waiting> requests = rateLimiter.map(view -> view.waiting(now)).orElse(List.of());
    for (Waiting request : requests) {
      int place = places.merge(request.pool().loadBalancer(), 1, Integer::sum);
      inLine.put(request.pool(), new InLine(request, place, inLine.size() + 1));
    }
    return new Surroundings(
        now,
        rateLimiter.flatMap(view -> view.gate(true, now).or(() -> view.gate(false, now))),
        inLine,
        rateLimiter.flatMap(RateLimiterView::lease),
        snapshot.knowledge().lost(),
        snapshot.recent());
  }

  /** How long a write of the pool's load balancer takes; empty if none was made. */
  Optional<Duration> meanWrite(PoolId pool) {
    return Optional.ofNullable(recent.meanWrites().get(pool.loadBalancer()));
  }

  /** The place of a pool in line; empty if it does not wait for a permit. */
  public Optional<InLine> waiting(PoolStatus pool) {
    return pool.state() == PoolStatus.State.WAITING
        ? Optional.ofNullable(waiting.get(pool.id()))
        : Optional.empty();
  }

  /** Why the shared Lease is not ours. */
  Cause.LeaseHeld leaseHeld() {
    return switch (lease.orElseGet(LeaseStanding.Free::new)) {
      case LeaseStanding.Busy busy -> new Cause.LeaseHeld(busy.holder(), "");
      case LeaseStanding.Unreachable unreachable -> new Cause.LeaseHeld("", unreachable.error());
      case LeaseStanding.Held held -> new Cause.LeaseHeld("", "");
      case LeaseStanding.Free free -> new Cause.LeaseHeld("", "");
    };
  }
}
