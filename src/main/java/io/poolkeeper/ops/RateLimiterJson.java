package io.poolkeeper.ops;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.ratelimit.Bucket;
import io.poolkeeper.ratelimit.Priority;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.ratelimit.TokenBucket;
import io.poolkeeper.ratelimit.UnresolvedWrite;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The answer of {@code /api/v1/turnstile}. Fractions are truncated to thousandths. */
final class RateLimiterJson {
  private static final Optional<?> NONE = Optional.empty();

  private RateLimiterJson() {}

  static JsonObject of(RateLimiterView view, Instant now) {
    return JsonObject.of("now", now)
        .and("gates", gates(view, now))
        .and("buckets", buckets("bucket", view, now))
        .and("lanes", view.levels(), RateLimiterJson::queue)
        .and(
            "retryBudget",
            JsonObject.of("balance", thousandths(view.retryBudget(now)))
                .and("cap", view.limits().budget().cap()))
        .and("maxInFlight", view.limits().maxInFlight())
        .and("turns", view.permits(), RateLimiterJson::permit)
        .and("waiting", view.waiting(now), RateLimiterJson::waiter)
        .and("settling", view.unresolved(), RateLimiterJson::unresolved)
        .and("lease", view.lease().map(RateLimiterJson::lease))
        .and("listingWaits", view.listingWaits());
  }

  private static JsonObject gates(RateLimiterView view, Instant now) {
    return JsonObject.of("readsUntil", view.gate(false, now))
        .and("writesUntil", view.gate(true, now))
        .and("loadBalancers", view.throttled(now), RateLimiterJson::closed);
  }

  private static JsonObject closed(RateLimiterView.Closed closed) {
    return JsonObject.of("loadBalancer", closed.loadBalancer())
        .and("resourceGroup", closed.loadBalancer().resourceGroup())
        .and("until", closed.until());
  }

  /** All buckets, each by a member of that name. */
  static List<JsonObject> buckets(String name, RateLimiterView view, Instant now) {
    return Arrays.stream(Bucket.values())
        .map(bucket -> bucket(JsonObject.of(name, bucket), view.tokens(bucket, now)))
        .toList();
  }

  private static JsonObject bucket(JsonObject named, TokenBucket bucket) {
    return named
        .and("tokens", thousandths(bucket.tokens()))
        .and("burst", bucket.rate().burst())
        .and("perSecond", bucket.rate().milliPerSecond() / 1_000.0);
  }

  private static JsonObject queue(RateLimiterView.Queue queue) {
    return JsonObject.of("lane", queue.level())
        .and("waiting", queue.waiting())
        .and("passedOver", queue.passedOver());
  }

  private static JsonObject permit(RateLimiterView.Holder holder) {
    return JsonObject.of("turn", holder.permit())
        .and(holder.pool())
        .and("lane", holder.level())
        .and("since", holder.since())
        .and("deadline", holder.deadline());
  }

  /**
   * A waiting request. The share of a drain is the part of entries that are to become Down. The
   * namespace is the one whose permit it would be at the priority level, unless it is of none
   * alone.
   */
  private static JsonObject waiter(RateLimiterView.Waiting waiting) {
    Optional<Priority> drain =
        Optional.of(waiting.priority()).filter(priority -> priority.level().drains());
    return JsonObject.of(waiting.pool())
        .and("lane", waiting.priority().level())
        .and("share", drain.map(priority -> thousandths(priority.share().fraction())))
        .and(
            "namespace",
            Optional.of(waiting.priority().namespace()).filter(name -> !name.isEmpty()))
        .and("since", waiting.since())
        .and("why", waiting.text())
        .and("until", waiting.until());
  }

  private static JsonObject unresolved(UnresolvedWrite write) {
    return JsonObject.of(write.pool()).and("next", write.next()).and("until", write.until());
  }

  /** The shared Lease. Permits for members end at {@code until}. */
  private static JsonObject lease(LeaseStanding standing) {
    JsonObject lease = holder(standing).and("until", NONE).and("error", NONE);
    return switch (standing) {
      case LeaseStanding.Held held -> lease.and("until", held.until());
      case LeaseStanding.Busy busy -> lease.and("until", busy.expires());
      case LeaseStanding.Free free -> lease;
      case LeaseStanding.Unreachable unreachable -> lease.and("error", unreachable.error());
    };
  }

  /** The state of the shared Lease, and who else holds it. */
  static JsonObject holder(LeaseStanding standing) {
    return switch (standing) {
      case LeaseStanding.Held held -> state("held");
      case LeaseStanding.Busy busy ->
          state("busy").and("holder", busy.holder()).and("since", busy.since());
      case LeaseStanding.Free free -> state("free");
      case LeaseStanding.Unreachable unreachable -> state("unreachable");
    };
  }

  static JsonObject state(String state) {
    return JsonObject.of("state", state).and("holder", NONE).and("since", NONE);
  }

  static double thousandths(double number) {
    return Math.floor(number * 1_000) / 1_000;
  }
}
