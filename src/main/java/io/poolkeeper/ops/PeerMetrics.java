package io.poolkeeper.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.turnstile.Lane;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The metrics that have the cloud provider's names, labels and buckets, so that dashboards and
 * alerts made for it show Poolkeeper, too (spec 2, Observability and Telemetry). Its counters of
 * throttled and rate-limited calls are none of them: they count calls, which here are in {@link
 * Metrics#ARM_REQUESTS} by their status, and not operations.
 */
final class PeerMetrics {
  /**
   * Histogram, labels {@code lock}: load_balancer_turn, shared_lease and {@code caller}: updater,
   * admin_state. Seconds.
   */
  static final String LOCK_WAIT = "cloudprovider_azure_lock_wait_duration";

  /** Histogram, seconds of an operation, whatever came of it. */
  static final String OPERATION_DURATION = "cloudprovider_azure_op_duration";

  /** Counter: the operations that failed. */
  static final String OPERATION_FAILURES = "cloudprovider_azure_op_failure_count";

  private static final String TURN = "load_balancer_turn";
  private static final String LEASE = "shared_lease";

  /** ExponentialBuckets(0.001, 2, 14). */
  private static final Duration[] LOCK_WAIT_BUCKETS =
      IntStream.range(0, 14).mapToObj(i -> Duration.ofMillis(1L << i)).toArray(Duration[]::new);

  private static final Duration[] OPERATION_BUCKETS =
      Stream.of(
              100, 200, 500, 1_000, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 60_000,
              100_000, 200_000, 300_000, 600_000, 1_200_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;

  PeerMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (String lock : List.of(TURN, LEASE)) {
      lockWait(lock, false);
      lockWait(lock, true);
    }
  }

  /** A turn at a load balancer was waited for: the lock of its pools. */
  void turnGranted(Lane lane, Duration waited) {
    lockWait(TURN, lane.drains()).record(waited);
  }

  /** The shared Lease was waited for. */
  void leaseTaken(boolean drain, Duration waited) {
    lockWait(LEASE, drain).record(waited);
  }

  /** An attempt to set admin states in a pool of the load balancer has ended. */
  void adminStatesSet(LoadBalancerId at, Outcome outcome, Duration took) {
    Tags operation =
        Tags.of(
            "request",
            "loadbalancer_adminstate_update",
            "resource_group",
            at.resourceGroup().toLowerCase(Locale.ROOT),
            "subscription_id",
            at.subscription(),
            "source",
            "admin_state_controller");
    Timer.builder(OPERATION_DURATION)
        .description("Operations on Azure, whatever came of them")
        .tags(operation)
        .serviceLevelObjectives(OPERATION_BUCKETS)
        .register(registry)
        .record(took);
    Counter.builder(OPERATION_FAILURES)
        .description("Operations on Azure that failed")
        .tags(operation)
        .register(registry)
        .increment(outcome == Outcome.FAILED ? 1 : 0);
  }

  /** Micrometer adds a suffix to the name of every counter, which the cloud provider has not. */
  static String withPeerNames(String scrape) {
    return scrape.replace(OPERATION_FAILURES + "_total", OPERATION_FAILURES);
  }

  private Timer lockWait(String lock, boolean drain) {
    return Timer.builder(LOCK_WAIT)
        .description("From the request of a lock to its grant")
        .tags("lock", lock, "caller", drain ? "admin_state" : "updater")
        .serviceLevelObjectives(LOCK_WAIT_BUCKETS)
        .register(registry);
  }
}
