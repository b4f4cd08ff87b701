package io.poolkeeper.arm.azure;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Until when ARM takes no calls, for readers and writers apart, of a whole subscription or of one
 * load balancer. A gate never shortens. Safe to share between threads.
 */
final class ThrottleGates {
  private static final Pattern BALANCER =
      Pattern.compile("(/subscriptions/[^/]+/.*/loadbalancers/[^/?]+).*");
  private static final Pattern PARTS =
      Pattern.compile(
          "/subscriptions/([^/]+)/resourcegroups/([^/]+)/providers/microsoft.network"
              + "/loadbalancers/([^/]+)");
  private static final Pattern SUBSCRIPTION = Pattern.compile("(/subscriptions/[^/?]+).*");

  /** More than load balancers in a region; beyond it expired gates are dropped. */
  private static final int MANY = 10_000;

  private final Map<Gate, Instant> until = new ConcurrentHashMap<>();

  /** Whose calls of which kind: a subscription's path or a load balancer's. */
  record Gate(String path, boolean writes) {
    /** The gate of the subscription that a request's path lies in. */
    static Gate ofSubscription(String path, boolean writes) {
      return new Gate(prefix(SUBSCRIPTION, path).orElse(""), writes);
    }

    /** The gate of the load balancer that a request's path lies in, if it lies in one. */
    static Optional<Gate> ofLoadBalancer(String path, boolean writes) {
      return prefix(BALANCER, path).map(found -> new Gate(found, writes));
    }

    /** The load balancer that it is of; empty if it is a subscription's. */
    Optional<LoadBalancerId> loadBalancer() {
      Matcher parts = PARTS.matcher(path);
      return parts.matches()
          ? Optional.of(new LoadBalancerId(parts.group(1), parts.group(2), parts.group(3)))
          : Optional.empty();
    }

    private static Optional<String> prefix(Pattern form, String path) {
      Matcher matcher = form.matcher(Names.fold(path));
      return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
  }

  /** Until when a gate is or was closed. */
  Optional<Instant> closedUntil(Gate gate) {
    return Optional.ofNullable(until.get(gate));
  }

  /** Closes a gate for longer, never for shorter; says until when it is closed. */
  Instant close(Gate gate, Instant wanted, Instant now) {
    if (until.size() >= MANY) {
      until.values().removeIf(end -> !end.isAfter(now));
    }
    return until.merge(gate, wanted, (old, fresh) -> old.isAfter(fresh) ? old : fresh);
  }
}
