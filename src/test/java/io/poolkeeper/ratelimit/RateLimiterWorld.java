package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import io.poolkeeper.ratelimit.RateLimiterEffect.Verify;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A rate limiter among an onlooker that keeps books of its own, written without looking at the rate
 * limiter's, and throws as soon as a grant breaks a rule (architecture, The rate limiter).
 */
final class RateLimiterWorld {
  private final RateLimiterLimits limits;
  private final RateLimiterDriver rateLimiter;
  private Optional<Instant> wakeAt = Optional.empty();

  private final Map<Requester, PriorityLevel> waiting = new LinkedHashMap<>();
  private final Map<Requester, Integer> passedOver = new HashMap<>();
  private final Map<LoadBalancerId, Grant> out = new HashMap<>();
  private final Map<LoadBalancerId, Instant> balancerGate = new HashMap<>();
  private final Map<LoadBalancerId, Settled> unresolved = new HashMap<>();
  private final Map<LoadBalancerId, Verify> verifications = new HashMap<>();

  /** Who waits, and may write over what was waited for long enough. */
  private final Set<Requester> overdue = new HashSet<>();

  private Instant gate = Instant.EPOCH;
  private Instant readGate = Instant.EPOCH;
  private int sinceOpen;
  private double writes;
  private Instant writesAsOf = RateLimiterDriver.T0;
  private final Deque<Instant> successes = new ArrayDeque<>();
  private final Deque<Instant> retries = new ArrayDeque<>();
  private final TreeMap<PriorityLevel, Integer> grants = new TreeMap<>();

  /** What is waited for at a load balancer, and for how long at most. */
  private record Settled(PoolId pool, Instant until) {}

  RateLimiterWorld(RateLimiterLimits limits) {
    this(limits, new RateLimiterDriver(limits));
  }

  private RateLimiterWorld(RateLimiterLimits limits, RateLimiterDriver rateLimiter) {
    this.limits = limits;
    this.rateLimiter = rateLimiter;
    this.writes = limits.initialWrites();
  }

  RateLimiterWorld copy() {
    RateLimiterWorld copy = new RateLimiterWorld(limits, rateLimiter.copy());
    copy.wakeAt = wakeAt;
    copy.waiting.putAll(waiting);
    copy.passedOver.putAll(passedOver);
    copy.out.putAll(out);
    copy.balancerGate.putAll(balancerGate);
    copy.unresolved.putAll(unresolved);
    copy.verifications.putAll(verifications);
    copy.overdue.addAll(overdue);
    copy.gate = gate;
    copy.readGate = readGate;
    copy.sinceOpen = sinceOpen;
    copy.writes = writes;
    copy.writesAsOf = writesAsOf;
    copy.successes.addAll(successes);
    copy.retries.addAll(retries);
    copy.grants.putAll(grants);
    return copy;
  }

  /** Whether nothing happened since the other was copied. */
  boolean sameAs(RateLimiterWorld other) {
    return now().equals(other.now()) && state().equals(other.state());
  }

  /** All that the future depends on: worlds in which it is the same go on alike. */
  List<Object> essence() {
    return List.of(
        now(),
        state(),
        List.copyOf(waiting.keySet()),
        Map.copyOf(waiting),
        Map.copyOf(passedOver),
        Map.copyOf(out),
        Map.copyOf(balancerGate),
        gate,
        sinceOpen,
        writes,
        writesAsOf,
        List.of(List.copyOf(successes), List.copyOf(retries)),
        // Its own numbers are no part of what comes.
        List.of(Map.copyOf(unresolved), Map.copyOf(verifications), Set.copyOf(overdue), readGate));
  }

  Instant now() {
    return rateLimiter.now();
  }

  /** What it knows, of which nothing is looked at but whether it is the same. */
  private Object state() {
    return rateLimiter.state();
  }

  RateLimiterView view() {
    return rateLimiter.view();
  }

  Optional<Instant> wakeAt() {
    return wakeAt;
  }

  Map<Requester, PriorityLevel> waiting() {
    return waiting;
  }

  List<Grant> held() {
    return List.copyOf(out.values());
  }

  int grants(PriorityLevel level) {
    return grants.getOrDefault(level, 0);
  }

  /** The time passes, and the timer fires whenever it was set to. */
  void pass(Duration time) {
    Instant end = now().plus(time);
    for (int steps = 0; wakeAt.isPresent() && !wakeAt.get().isAfter(end); steps++) {
      check(steps < 10_000, "the timer does not come to rest");
      passUntil(wakeAt.get());
      send(new RateLimiterEvent.TimerDue());
    }
    passUntil(end);
  }

  private void passUntil(Instant time) {
    rateLimiter.after(Duration.between(now(), time));
  }

  /** At the start, and anew when it has died. */
  void register(Requester requester) {
    rateLimiter.register(requester);
  }

  void request(Requester requester, PriorityLevel level) {
    if (!holds(requester)) {
      waiting.put(requester, level);
      register(requester);
      send(new RateLimiterEvent.Requested(requester, Priority.of(level)));
    }
  }

  void cancel(Requester requester) {
    waiting.remove(requester);
    passedOver.remove(requester);
    overdue.remove(requester);
    send(new RateLimiterEvent.Cancelled(requester));
  }

  void giveBack(Grant grant, PermitResult result) {
    if (grant.equals(out.get(grant.requester().loadBalancer()))) {
      out.remove(grant.requester().loadBalancer());
      switch (result) {
        case SUCCEEDED -> successes.addLast(now());
        case UNCHANGED, UNUSED, UNREAD, FAILED, CONFLICT -> {}
        case SUPERSEDED, OTHER_WRITER, UNRESOLVED -> settle(grant);
      }
      switch (result) {
        case UNCHANGED, UNUSED, OTHER_WRITER -> refund(grant);
        case SUCCEEDED, UNREAD, FAILED, CONFLICT, SUPERSEDED, UNRESOLVED -> {}
      }
    }
    send(new RateLimiterEvent.Returned(grant.requester(), grant.answer().permit(), result));
  }

  void die(Requester requester) {
    waiting.remove(requester);
    overdue.remove(requester);
    passedOver.remove(requester);
    Grant held = out.get(requester.loadBalancer());
    if (held != null && held.requester().equals(requester)) {
      out.remove(requester.loadBalancer());
      settle(held);
    }
    send(new RateLimiterEvent.HolderGone(requester));
    register(requester);
  }

  void sent(boolean write) {
    refill();
    writes -= write ? 1 : 0;
    send(new RateLimiterEvent.Sent(write));
  }

  void throttle(Optional<LoadBalancerId> balancer, boolean write, Instant until) {
    if (balancer.isPresent()) {
      balancerGate.merge(balancer.get(), until, RateLimiterWorld::later);
    } else if (until.isAfter(gate)) {
      gate = until;
      sinceOpen = 0;
    }
    readGate = balancer.isEmpty() && !write ? later(readGate, until) : readGate;
    send(new RateLimiterEvent.Throttled(balancer, write, until));
  }

  /** The withdrawal of that permit does not count. */
  private void refund(Grant grant) {
    if (grant.level().costsBudget()) {
      retries.removeFirstOccurrence(grant.answer().deadline().minus(limits.permitDeadline()));
    }
  }

  private void settle(Grant grant) {
    LoadBalancerId id = grant.requester().loadBalancer();
    unresolved.put(id, new Settled(grant.requester().pool(), now().plus(limits.settleLimit())));
  }

  /** The looks in flight. */
  List<Verify> verifications() {
    return List.copyOf(verifications.values());
  }

  void verified(Verify verification, VerificationResult result) {
    LoadBalancerId id = verification.pool().loadBalancer();
    verifications.remove(id);
    if (result == VerificationResult.SETTLED) {
      unresolved.remove(id);
    }
    send(new RateLimiterEvent.Verified(verification.verification(), result));
  }

  boolean holds(Requester requester) {
    Grant grant = out.get(requester.loadBalancer());
    return grant != null && grant.requester().equals(requester);
  }

  private void send(RateLimiterEvent event) {
    refill();
    wakeAt = rateLimiter.send(event).wakeAt();
    for (RateLimiterEffect effect : rateLimiter.effects()) {
      switch (effect) {
        case Grant grant -> onGrant(grant);
        case RateLimiterEffect.GrantRead read ->
            check(!now().isBefore(gate), "a read while the gate is closed");
        case Verify verification -> onVerify(verification);
        case RateLimiterEffect.PermitLost lost -> {
          Grant grant = out.remove(lost.requester().loadBalancer());
          check(
              grant != null && grant.answer().permit() == lost.permit(),
              "lost a permit that was not out");
          settle(grant);
        }
        case RateLimiterEffect.RetryHeldBack held -> {}
        case RateLimiterEffect.Transition transition -> {}
        case RateLimiterEffect.Recall none -> check(false, "a permit is recalled without a Lease");
        case RateLimiterEffect.LeaseBypassed none -> check(false, "no Lease is bypassed here");
        case RateLimiterEffect.DemandLease none -> check(false, "a Lease that nobody needs");
        case RateLimiterEffect.WritesUntil none -> check(false, "a Lease that nobody needs");
      }
    }
    check(out.size() <= limits.maxInFlight(), "more permits out than allowed");
    check(wakeAt.map(at -> at.isAfter(now())).orElse(true), "the timer is due at once");
  }

  private void onVerify(Verify verification) {
    LoadBalancerId id = verification.pool().loadBalancer();
    Settled settled = unresolved.get(id);
    check(
        settled != null && settled.pool().equals(verification.pool()), "a look at what has an end");
    check(!out.containsKey(id), "a look while the permit is out");
    check(!now().isBefore(readGate), "a look while the gate is closed");
    check(!now().isBefore(balancerGate.getOrDefault(id, Instant.EPOCH)), "through a closed gate");
    check(verifications.put(id, verification) == null, "two looks at one load balancer");
    check(verifications.size() <= limits.maxInFlight(), "more looks in flight than allowed");
  }

  private void onGrant(Grant grant) {
    LoadBalancerId id = grant.requester().loadBalancer();
    Settled settled = unresolved.remove(id);
    boolean over = settled != null && !settled.until().isAfter(now());
    check(settled == null || over, "a permit before the last write has an end");
    if (over) {
      waiting.keySet().stream()
          .filter(requester -> requester.pool().equals(settled.pool()))
          .forEach(overdue::add);
    }
    check(
        grant.answer().evenIfUpdating() == overdue.remove(grant.requester()),
        "who was waited for long enough writes all the same, and nobody else");
    verifications.remove(id);
    check(!out.containsKey(id), "two permits of one load balancer");
    check(
        waiting.get(grant.requester()) == grant.level(),
        "granted to nobody, or at another priority level");
    check(!now().isBefore(gate), "a grant while the gate is closed");
    check(!now().isBefore(balancerGate.getOrDefault(id, Instant.EPOCH)), "through a closed gate");
    long second = Duration.between(gate, now()).toSeconds();
    sinceOpen++;
    check(second >= 4 || sinceOpen <= (1 << (second + 1)) - 1, "too fast after the gate opened");
    check(grant.level().drains() || writes >= out.size() + 1 - 1e-6, "without a write token");
    if (grant.level().costsBudget()) {
      retries.addLast(now());
      checkBudget();
    }
    waiting.remove(grant.requester());
    passedOver.remove(grant.requester());
    checkPasses(grant);
    out.put(id, grant);
    grants.merge(grant.level(), 1, Integer::sum);
  }

  /** In any window no more retries than the reserve, the cap and what succeeded. */
  private void checkBudget() {
    Duration window = limits.budget().ttl();
    forget(retries, now().minus(window));
    forget(successes, now().minus(window.multipliedBy(2)));
    double reserve = limits.budget().perSecond() * window.toMillis() / 1e6;
    double most = limits.budget().cap() + reserve + successes.size();
    check(retries.size() <= most, "more retries than budget");
  }

  private static void forget(Deque<Instant> times, Instant until) {
    while (!times.isEmpty() && !times.getFirst().isAfter(until)) {
      times.removeFirst();
    }
  }

  /**
   * The first update whose load balancer was free could have gone instead. It may be passed over so
   * often by other priority levels, and never by its own.
   */
  private void checkPasses(Grant grant) {
    if (grant.level() == PriorityLevel.DRAIN) {
      return;
    }
    for (Map.Entry<Requester, PriorityLevel> entry : waiting.entrySet()) {
      Requester head = entry.getKey();
      if (entry.getValue() == PriorityLevel.UPDATE
          && !rateLimiter.granted().contains(head)
          && free(head.loadBalancer())) {
        int passes = passedOver.merge(head, 1, Integer::sum);
        check(
            passes <= RateLimiterLimits.MOST_PASSED_OVER + PriorityLevel.values().length,
            "passed over too often");
        return;
      }
    }
  }

  private boolean free(LoadBalancerId id) {
    Settled settled = unresolved.get(id);
    return !out.containsKey(id)
        && !balancerGate.getOrDefault(id, Instant.EPOCH).isAfter(now())
        && (settled == null || !settled.until().isAfter(now()));
  }

  private void refill() {
    double rate = limits.writes().milliPerSecond() / 1e12;
    writes =
        Math.min(
            limits.writes().burst(), writes + rate * Duration.between(writesAsOf, now()).toNanos());
    writesAsOf = now();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private void check(boolean holds, String rule) {
    if (!holds) {
      throw new AssertionError(rule + " at " + now() + " in " + state());
    }
  }
}
