package io.poolkeeper.ratelimit;

import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.model.Gate;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What comes out of a rate limiter, in short: the seconds since its start, and then what came at
 * that time. {@code 0 a c, 3 b!} says that a and c had a permit at once and b after 3 s, as its
 * load balancer was waited for long enough. What is done, and what is only told, are kept apart.
 *
 * <p>The Lease is {@code want}ed by members, by a {@code drain} or by {@code none}; the number is
 * that of the last session that has ended.
 */
final class RateLimiterTrace {
  private final Map<Instant, List<String>> done = new TreeMap<>();
  private final Map<Instant, List<String>> told = new TreeMap<>();

  void add(Instant at, RateLimiterEffect effect) {
    switch (effect) {
      case RateLimiterEffect.Grant grant ->
          done(at, name(grant.requester()) + (grant.answer().evenIfUpdating() ? "!" : ""));
      case RateLimiterEffect.Verify verification -> done(at, "look-" + verification.pool().name());
      case RateLimiterEffect.GrantRead read ->
          done(at, read.reader().toString().toLowerCase(Locale.ROOT));
      case RateLimiterEffect.PermitLost lost -> done(at, "lost-" + name(lost.requester()));
      case RateLimiterEffect.Recall recall -> done(at, "recall-" + name(recall.requester()));
      case RateLimiterEffect.LeaseBypassed bypassed -> done(at, "bypass-" + bypassed.pool().name());
      case RateLimiterEffect.DemandLease lease -> done(at, text(lease.demand()));
      case RateLimiterEffect.WritesUntil writes ->
          told(at, "writes-" + writes.loadBalancer() + until(writes.until()));
      case RateLimiterEffect.RetryHeldBack held -> told(at, "held-back");
      case RateLimiterEffect.GateClosed closed ->
          told(at, "closed-" + name(closed.gate()) + until(closed.until()));
      case RateLimiterEffect.GateOpened opened -> told(at, "open-" + name(opened.gate()));
      case RateLimiterEffect.UnresolvedWriteBegun begun ->
          told(at, "settling-" + begun.pool().name() + until(begun.until()));
      case RateLimiterEffect.UnresolvedWriteSlowest slowest ->
          told(at, "slowest-" + slowest.loadBalancer() + "=" + slowest.pause().toSeconds());
      case RateLimiterEffect.UnresolvedWriteEnded ended ->
          told(at, "settled-" + ended.loadBalancer());
      case RateLimiterEffect.BudgetEmptied emptied -> told(at, "empty");
      case RateLimiterEffect.BudgetRefilled refilled -> told(at, "refilled");
    }
  }

  /** What was done since this was asked last. */
  String done() {
    return take(done);
  }

  /** What was told since this was asked last. */
  String told() {
    return take(told);
  }

  /** Seconds since the start. */
  static String seconds(Instant time) {
    Duration since = Duration.between(RateLimiterDriver.T0, time);
    return BigDecimal.valueOf(since.toNanos(), 9).stripTrailingZeros().toPlainString();
  }

  private void done(Instant at, String what) {
    done.computeIfAbsent(at, none -> new ArrayList<>()).add(what);
  }

  private void told(Instant at, String what) {
    told.computeIfAbsent(at, none -> new ArrayList<>()).add(what);
  }

  private static String take(Map<Instant, List<String>> from) {
    String all =
        from.entrySet().stream()
            .map(entry -> seconds(entry.getKey()) + " " + String.join(" ", entry.getValue()))
            .collect(Collectors.joining(", "));
    from.clear();
    return all;
  }

  private static String text(LeaseDemand demand) {
    String who = demand.drain() ? "drain" : "want";
    return (demand.wanted() ? who : "none") + "/" + demand.ended();
  }

  private static String name(Requester requester) {
    return requester.pool().name();
  }

  private static String name(Gate gate) {
    return gate.loadBalancer().map(Object::toString).orElse(gate.write() ? "writes" : "reads");
  }

  private static String until(Instant time) {
    return "<" + seconds(time);
  }
}
