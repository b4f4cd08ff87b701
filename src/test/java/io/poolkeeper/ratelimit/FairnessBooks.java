package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
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
 * order of first requests; the oldest of a lane whose load balancer is free is its lane's head.
 */
final class FairnessBooks {
  /** A lane's own passes, and one for each of the other three lanes that may starve with it. */
  static final int MOST = RateLimiterLimits.MOST_PASSED_OVER + 3;

  private final RateLimiterDriver rateLimiter;
  private final Map<Requester, Lane> waiting = new LinkedHashMap<>();
  private final Map<LoadBalancerId, Grant> out = new HashMap<>();
  private final Map<Lane, Requester> heads = new EnumMap<>(Lane.class);
  private final Map<Lane, Integer> headPasses = new EnumMap<>(Lane.class);
  private final Map<Requester, Integer> linePasses = new HashMap<>();
  private final Set<Lane> served = new HashSet<>();
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

  Set<Lane> served() {
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

  void request(Requester requester, Lane lane) {
    waiting.put(requester, lane);
    rateLimiter.request(requester, lane).grants().forEach(this::onGrant);
  }

  void giveBack(LoadBalancerId id) {
    Grant grant = Optional.ofNullable(out.remove(id)).orElseThrow();
    rateLimiter
        .giveBack(grant.requester(), grant.answer().turn(), TurnResult.SUCCEEDED)
        .grants()
        .forEach(this::onGrant);
  }

  private void onGrant(Grant grant) {
    LoadBalancerId id = grant.requester().loadBalancer();
    boolean counts = grant.lane() != Lane.DRAIN;
    for (Lane lane : Lane.values()) {
      Optional<Requester> head =
          waiters(lane).filter(v -> !out.containsKey(v.loadBalancer())).findFirst();
      Requester before = heads.get(lane);
      boolean itsOwn = head.map(requester -> requester.loadBalancer().equals(id)).orElse(true);
      if (itsOwn || !head.equals(Optional.ofNullable(before))) {
        headPasses.put(lane, 0);
      }
      heads.remove(lane);
      head.ifPresent(requester -> heads.put(lane, requester));
      if (counts && lane.ages() && !itsOwn) {
        mostHeadPasses = Math.max(mostHeadPasses, headPasses.merge(lane, 1, Integer::sum));
      }
      Optional<Requester> inLine =
          waiters(lane).filter(v -> v.loadBalancer().equals(id)).findFirst();
      if (counts && lane.ages() && inLine.isPresent() && lane != grant.lane()) {
        mostLinePasses = Math.max(mostLinePasses, linePasses.merge(inLine.get(), 1, Integer::sum));
      }
      if (lane == grant.lane() && !inLine.equals(Optional.of(grant.requester()))) {
        throw new AssertionError(grant + " before " + inLine + ", who came first");
      }
    }
    served.add(grant.lane());
    waiting.remove(grant.requester());
    linePasses.remove(grant.requester());
    out.put(id, grant);
  }

  private Stream<Requester> waiters(Lane lane) {
    return waiting.entrySet().stream()
        .filter(entry -> entry.getValue() == lane)
        .map(Map.Entry::getKey);
  }
}
