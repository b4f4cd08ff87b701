package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A rate limiter where tokens, gates and the budget never matter, and an onlooker that counts who
 * is passed over by whom. Drains pass everybody and are not counted. Who waits has a place by the
 * order of first requests; the oldest of a priority level whose load balancer is free is its
 * priority level's head.
 */
final class FairnessBooks {
  /**
   * A priority level's own passes, and one for each of the other three priority levels that may
   * starve with it.
   */
  static final int MOST = RateLimiterLimits.MOST_PASSED_OVER + 3;

  private final RateLimiterDriver rateLimiter;
  private final Map<Requester, PriorityLevel> waiting = new LinkedHashMap<>();
  private final Map<LoadBalancerId, Grant> out = new HashMap<>();
  private final Map<PriorityLevel, Requester> heads = new EnumMap<>(PriorityLevel.class);
  private final Map<PriorityLevel, Integer> headPasses = new EnumMap<>(PriorityLevel.class);
  private final Map<Requester, Integer> linePasses = new HashMap<>();
  private final Set<PriorityLevel> served = new HashSet<>();
  private int mostHeadPasses;
  private int mostLinePasses;

  FairnessBooks(RateLimiterLimits limits) {
    rateLimiter = new RateLimiterDriver(limits);
  }

  int mostHeadPasses() {
    return mostHeadPasses;
  }

  int mostLinePasses() {
    return mostLinePasses;
  }

  /** What the last event brought. */
  List<Grant> last() {
    return rateLimiter.grants();
  }

  Set<PriorityLevel> served() {
    return served;
  }

  List<Grant> held() {
    return List.copyOf(out.values());
  }

  boolean waits(Requester requester) {
    return waiting.containsKey(requester);
  }

  boolean holds(Requester requester) {
    return out.values().stream().anyMatch(grant -> grant.requester().equals(requester));
  }

  void request(Requester requester, PriorityLevel level) {
    waiting.put(requester, level);
    rateLimiter.request(requester, level).grants().forEach(this::onGrant);
  }

  void giveBack(LoadBalancerId id) {
    Grant grant = Optional.ofNullable(out.remove(id)).orElseThrow();
    rateLimiter
        .giveBack(grant.requester(), grant.answer().permit(), PermitResult.SUCCEEDED)
        .grants()
        .forEach(this::onGrant);
  }

  private void onGrant(Grant grant) {
    LoadBalancerId id = grant.requester().loadBalancer();
    boolean counts = grant.level() != PriorityLevel.DRAIN;
    for (PriorityLevel level : PriorityLevel.values()) {
      Optional<Requester> head =
          waiters(level).filter(v -> !out.containsKey(v.loadBalancer())).findFirst();
      Requester before = heads.get(level);
      boolean itsOwn = head.map(requester -> requester.loadBalancer().equals(id)).orElse(true);
      if (itsOwn || !head.equals(Optional.ofNullable(before))) {
        headPasses.put(level, 0);
      }
      heads.remove(level);
      head.ifPresent(requester -> heads.put(level, requester));
      if (counts && level.ages() && !itsOwn) {
        mostHeadPasses = Math.max(mostHeadPasses, headPasses.merge(level, 1, Integer::sum));
      }
      Optional<Requester> inLine =
          waiters(level).filter(v -> v.loadBalancer().equals(id)).findFirst();
      if (counts && level.ages() && inLine.isPresent() && level != grant.level()) {
        mostLinePasses = Math.max(mostLinePasses, linePasses.merge(inLine.get(), 1, Integer::sum));
      }
      if (level == grant.level() && !inLine.equals(Optional.of(grant.requester()))) {
        throw new AssertionError(grant + " before " + inLine + ", who came first");
      }
    }
    served.add(grant.level());
    waiting.remove(grant.requester());
    linePasses.remove(grant.requester());
    out.put(id, grant);
  }

  private Stream<Requester> waiters(PriorityLevel level) {
    return waiting.entrySet().stream()
        .filter(entry -> entry.getValue() == level)
        .map(Map.Entry::getKey);
  }
}
