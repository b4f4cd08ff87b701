package io.poolkeeper.ratelimit;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The rate limiter's state after one decision, for other threads. Immutable, and cheap to create:
 * all values are computed on request. Methods whose result depends on the time take a monotonic
 * time.
 */
public record RateLimiterView(RateLimiterLimits limits, RateLimiterState state) {
  private static final Comparator<LoadBalancerId> BY_PATH =
      Comparator.comparing(LoadBalancerId::path);

  private static final int MOST_LOOKED_AT = 100;

  /** Who holds a permit, which is taken for lost at the deadline. */
  public record Holder(
      PoolId pool, PriorityLevel level, long permit, Instant since, Instant deadline) {}

  /**
   * A request that waits.
   *
   * @param text the obstacle in words
   * @param until when the obstacle is out of the way if nothing else happens; empty if unknown
   */
  public record Waiting(
      PoolId pool,
      Priority priority,
      Instant since,
      Obstacle why,
      String text,
      Optional<Instant> until) {}

  /**
   * One priority level.
   *
   * @param waiting how many requests wait in it
   * @param passedOver how many permits in a row went to other priority levels
   */
  public record Queue(PriorityLevel level, int waiting, int passedOver) {}

  /** A load balancer whose gate is closed until then. */
  public record Closed(LoadBalancerId loadBalancer, Instant until) {}

  public int permitsOut() {
    return permits().size();
  }

  /** The permits that are out, the oldest first. */
  public List<Holder> permits() {
    return state.queues().values().stream()
        .flatMap(queue -> queue.permit().stream())
        .map(
            permit ->
                new Holder(
                    permit.holder().pool(),
                    permit.level(),
                    permit.number(),
                    permit.since(),
                    permit.since().plus(limits.permitDeadline())))
        .sorted(Comparator.comparingLong(Holder::permit))
        .toList();
  }

  /** Who waits and why: the oldest of each namespace, then the next of each, and so on. */
  public List<Waiting> waiting(Instant now) {
    PermitAdmission admission = PermitAdmission.of(limits, state, now);
    Map<String, Integer> lastRounds = new HashMap<>();
    SortedMap<Integer, List<Waiting>> rounds = new TreeMap<>();
    for (Request request :
        state.requests().sorted(Comparator.comparingLong(Request::ticket)).toList()) {
      int round = lastRounds.merge(request.priority().namespace(), 1, Integer::sum);
      rounds
          .computeIfAbsent(round, number -> new ArrayList<>())
          .add(waiting(request, admission.wait(request)));
    }
    return rounds.values().stream().flatMap(List::stream).toList();
  }

  /**
   * The first obstacle of a pool that waits. Empty if it does not, or if so many load balancers are
   * in use, or pools of its own wait before it, that the answer would cost too much.
   */
  public Optional<Obstacle> why(PoolId pool, Instant now) {
    if (state.queues().size() > MOST_LOOKED_AT) {
      return Optional.empty();
    }
    return state
        .queue(pool.loadBalancer())
        .requests()
        .all()
        .limit(MOST_LOOKED_AT)
        .filter(request -> request.isOf(pool))
        .findFirst()
        .map(request -> PermitAdmission.of(limits, state, now).wait(request).why());
  }

  private Waiting waiting(Request request, Wait wait) {
    Optional<String> problem =
        wait.why() == Obstacle.LEASE ? state.lease().problem() : Optional.empty();
    return new Waiting(
        request.requester().pool(),
        request.priority(),
        request.since(),
        wait.why(),
        problem.orElse(wait.why().text()),
        Optional.of(wait.until()).filter(Instant.MAX::isAfter));
  }

  /** All priority levels, the most urgent first. */
  public List<Queue> levels() {
    Map<PriorityLevel, Long> depths =
        state.requests().collect(Collectors.groupingBy(Request::level, Collectors.counting()));
    return PriorityLevel.ORDER.stream()
        .map(
            level ->
                new Queue(
                    level,
                    depths.getOrDefault(level, 0L).intValue(),
                    state.ageing().passedOver(level)))
        .toList();
  }

  public TokenBucket tokens(Bucket bucket, Instant now) {
    Quota quota = state.quota().at(now);
    return switch (bucket) {
      case WRITES -> quota.writes().common();
      case DRAIN_RESERVE -> quota.writes().reserve();
      case EARLY -> quota.early();
      case READS -> quota.reads();
    };
  }

  /** Until when the subscription's gate is closed; empty if it is open. */
  public Optional<Instant> gate(boolean write, Instant now) {
    Instant from = write ? state.gates().writesFrom() : state.gates().readsFrom();
    return Optional.of(from).filter(time -> time.isAfter(now));
  }

  /** The load balancers whose own gate is closed. */
  public List<Closed> throttled(Instant now) {
    return state.queues().values().stream()
        .filter(queue -> queue.gate().isAfter(now))
        .map(queue -> new Closed(queue.id(), queue.gate()))
        .sorted(Comparator.comparing(Closed::loadBalancer, BY_PATH))
        .toList();
  }

  /** The load balancers at which the end of a write is waited for. */
  public List<UnresolvedWrite> unresolved() {
    return state.queues().values().stream()
        .flatMap(queue -> queue.unresolved().stream())
        .sorted(Comparator.comparing(found -> found.pool().loadBalancer(), BY_PATH))
        .toList();
  }

  /** How many retries or repairs could be made now, with fractions. */
  public double retryBudget(Instant now) {
    return state.quota().budget().balance(now);
  }

  /** What is wrong with the shared Lease; empty if nothing is, or if there is none. */
  public Optional<String> leaseProblem() {
    return state.lease().problem();
  }

  /** The standing of the shared Lease; empty if permits need none. */
  public Optional<LeaseStanding> lease() {
    return state.lease().standing();
  }

  /** Whether a listing of load balancers waits to begin. */
  public boolean listingWaits() {
    return state.readers().contains(Reader.LISTING);
  }
}
