package io.poolkeeper.ops;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.status.HalfHour.Throttle;
import io.poolkeeper.status.Recent;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The rate limiter in short; {@code /api/v1/turnstile} has all of it. */
final class LimiterJson {
  private LimiterJson() {}

  static JsonObject of(RateLimiterView view, Moment moment) {
    Snapshot snapshot = moment.snapshot();
    Instant now = moment.now();
    List<JsonObject> budgets = new ArrayList<>(RateLimiterJson.buckets("budget", view, now));
    budgets.add(
        JsonObject.of("budget", "retries")
            .and("tokens", RateLimiterJson.thousandths(view.retryBudget(now)))
            .and("burst", view.limits().budget().cap())
            .and("perSecond", 0.0));
    return JsonObject.of("gates", gates(view, snapshot.recent(), now))
        .and("budgets", budgets)
        .and(
            "lanes",
            view.levels(),
            level -> JsonObject.of("lane", level.level()).and("waiting", level.waiting()))
        .and("inFlight", view.permitsOut())
        .and("maxInFlight", view.limits().maxInFlight())
        .and("turns", view.permits(), permit -> permit(permit, snapshot))
        .and("azureReads", snapshot.quota().reads())
        .and("azureWrites", snapshot.quota().writes())
        .and("writes5m", snapshot.recent().writesLately())
        .and("loadBalancers", loadBalancers(view, snapshot.recent(), now));
  }

  /** The closed gates; of writes also since when, and how often within half an hour. */
  private static List<JsonObject> gates(RateLimiterView view, Recent.View recent, Instant now) {
    Optional<Throttle> last =
        recent.throttles().stream().max(Comparator.comparing(Throttle::until));
    List<JsonObject> gates = new ArrayList<>();
    view.gate(true, now)
        .map(until -> gate("writes", until).and("since", last.map(Throttle::from)))
        .ifPresent(gate -> gates.add(gate.and("times", recent.throttles().size())));
    view.gate(false, now).ifPresent(until -> gates.add(gate("reads", until)));
    for (RateLimiterView.Closed closed : view.throttled(now)) {
      gates.add(gate("all", closed.until()).and("loadBalancer", closed.loadBalancer()));
    }
    return gates;
  }

  /** A gate of the subscription. */
  private static JsonObject gate(String calls, Instant until) {
    return JsonObject.of("calls", calls)
        .and("loadBalancer", Optional.empty())
        .and("since", Optional.empty())
        .and("until", until)
        .and("times", 1);
  }

  private static JsonObject permit(RateLimiterView.Holder permit, Snapshot snapshot) {
    Optional<PoolStatus> pool =
        snapshot.pools().stream().filter(status -> status.id().equals(permit.pool())).findFirst();
    return JsonObject.of("pool", permit.pool())
        .and(
            "service",
            pool.flatMap(status -> status.services().keySet().stream().sorted().findFirst()))
        .and("since", permit.since())
        .and("phase", pool.map(PoolStatus::state));
  }

  /** The load balancers with requests or recent writes, and the mean time of a write. */
  private static List<JsonObject> loadBalancers(
      RateLimiterView view, Recent.View recent, Instant now) {
    Map<LoadBalancerId, Long> waiting = new HashMap<>();
    recent.meanWrites().keySet().forEach(id -> waiting.put(id, 0L));
    view.waiting(now)
        .forEach(request -> waiting.merge(request.pool().loadBalancer(), 1L, Long::sum));
    List<LoadBalancerId> ids = new ArrayList<>(waiting.keySet());
    ids.sort(Comparator.comparing(LoadBalancerId::path));
    List<JsonObject> items = new ArrayList<>();
    for (LoadBalancerId id : ids) {
      Optional<Duration> mean = Optional.ofNullable(recent.meanWrites().get(id));
      items.add(
          JsonObject.of("loadBalancer", id)
              .and("waiting", Objects.requireNonNull(waiting.get(id)))
              .and("meanWriteSeconds", mean.map(time -> time.toMillis() / 1e3)));
    }
    return items;
  }
}
