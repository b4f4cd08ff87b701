package io.poolkeeper.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.service.ListingCause;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.LookResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * All metrics of the process, by name. An update of a pool is counted when it is reported on the
 * Service; an attempt that wrote nothing is not an update.
 */
public final class Metrics implements AutoCloseable {
  /** Counter, label {@code result}: updated, failed. */
  public static final String POOL_UPDATES = "poolkeeper_pool_updates";

  /** Histogram, seconds from the granted turn to the end of the operation. */
  public static final String POOL_UPDATE_DURATION = "poolkeeper_pool_update_duration";

  /**
   * Histogram, labels {@code call}: get, look, put, list, poll and {@code status}: 0 is no answer.
   */
  public static final String ARM_REQUESTS = "poolkeeper_arm_request_duration";

  /** Counter, label {@code reason}: see {@link RetryReason}. Retries and repairs that were made. */
  public static final String RETRIES = "poolkeeper_retries";

  /** Gauge. */
  public static final String RETRY_BUDGET_BALANCE = "poolkeeper_retry_budget_balance";

  /**
   * Counter: how often a turn had to wait for the retry budget, at most once per turn granted from
   * it.
   */
  public static final String RETRY_BUDGET_EXHAUSTED = "poolkeeper_retry_budget_exhausted";

  /** Gauge, label {@code lane}: see {@link Lane}. */
  public static final String QUEUE_DEPTH = "poolkeeper_queue_depth";

  /** Histogram, label {@code lane}: seconds from the request of a turn to its grant. */
  public static final String QUEUE_AGE = "poolkeeper_queue_age";

  /**
   * Histogram, label {@code lane}: the part of it in seconds in which the load balancer was free.
   */
  public static final String RATE_LIMITER_WAIT = "poolkeeper_rate_limiter_wait";

  /** Counter, label {@code result}: see {@link LookResult}. */
  public static final String LOOKS = "poolkeeper_settling_looks";

  /** Gauge: turns in flight. */
  public static final String INFLIGHT_REQUESTS = "poolkeeper_inflight_requests";

  /** Counter. */
  public static final String REPAIRS_POSTPONED = "poolkeeper_repairs_postponed";

  static final String REMOVALS_HELD = "poolkeeper_removals_held";

  /** Gauge, 0 to 1. */
  public static final String WORKER_UTILIZATION = "poolkeeper_worker_utilization";

  /** Gauge, label {@code bucket}: see {@link io.poolkeeper.turnstile.Bucket}. */
  public static final String TOKENS = "poolkeeper_tokens";

  /** Gauge, label {@code kind}: read, write. Seconds until the subscription's gate opens. */
  public static final String THROTTLE_GATE = "poolkeeper_throttle_gate_seconds";

  /** Gauge. */
  public static final String THROTTLED_LOAD_BALANCERS = "poolkeeper_throttled_load_balancers";

  /** Counter. */
  public static final String EVENTS_DROPPED = "poolkeeper_events_dropped";

  /** Gauge. */
  public static final String ENTRIES_DOWN = "poolkeeper_entries_down";

  /** Gauge. */
  public static final String ENTRIES_UP = "poolkeeper_entries_up";

  /** Gauge. */
  public static final String PARKED_POOLS = "poolkeeper_parked_pools";

  /** Counter, label {@code cause}: see {@link ListingCause}. */
  public static final String LISTINGS = "poolkeeper_listings";

  /** Gauge: 1 or 0. */
  public static final String LEADER = "poolkeeper_leader";

  /** Gauge, label {@code kind}: see {@link io.poolkeeper.service.CacheKind}. 1 or 0. */
  public static final String WATCH_LOST = "poolkeeper_watch_lost";

  /** Gauge: seconds. */
  public static final String OLDEST_PENDING = "poolkeeper_oldest_pending_seconds";

  /** Gauge, label {@code reason}: see {@link io.poolkeeper.model.OutOfService.Reason}. */
  public static final String NODES_OUT_OF_SERVICE = "poolkeeper_nodes_out_of_service";

  /** Histogram, seconds from a node's signal to the last pool that shows it. */
  public static final String ADMIN_STATE_PROPAGATION = "poolkeeper_admin_state_propagation";

  /** Counter. */
  public static final String ADMIN_STATE_HELD = "poolkeeper_admin_state_held";

  /** Counter. */
  public static final String PREEMPT_EVENTS_IGNORED = "poolkeeper_preempt_events_ignored";

  /** Gauge, labels {@code check} and {@code state}: Pending, Ready, Retry, Rejected. */
  public static final String ADMISSION_CHECKS = "poolkeeper_admission_checks";

  /** Gauge. */
  public static final String ADMISSION_HOLD = "poolkeeper_admission_hold_seconds";

  /** Gauge. */
  public static final String ADMISSION_DELAY = "poolkeeper_admission_delay_seconds";

  /** Counter. */
  public static final String ADMISSION_RESETS = "poolkeeper_admission_resets";

  /** Counter. */
  public static final String LOCK_BYPASSED = "poolkeeper_lock_bypassed";

  /** Gauge, 0 or 1. */
  public static final String LOCK_UNREACHABLE = "poolkeeper_lock_unreachable";

  /** Counter, label {@code kind}: see {@link Leftover.Kind}. */
  public static final String LEFTOVERS_FOUND = "poolkeeper_leftovers_found";

  /** Gauge, label {@code kind}: see {@link Leftover.Kind}. */
  public static final String LEFTOVERS = "poolkeeper_leftovers";

  /** Gauge, seconds, label {@code kind}: see {@link Leftover.Kind}. */
  public static final String LEFTOVER_AGE = "poolkeeper_leftover_age_seconds";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final Gauges gauges;
  private final PeerMetrics peer = new PeerMetrics(registry);

  /** All at 0. Of admission checks these are named; all others are one. */
  public Metrics(AdmissionLimits limits, List<String> checks) {
    gauges = new Gauges(registry, limits, checks);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    gc.bindTo(registry);
    for (Outcome outcome : Outcome.values()) {
      updates(outcome);
    }
    for (RetryReason reason : RetryReason.values()) {
      retries(reason);
    }
    for (Lane lane : Lane.values()) {
      queueAge(lane);
      rateLimiterWait(lane);
    }
    for (ListingCause cause : ListingCause.values()) {
      listings(cause);
    }
    for (LookResult result : LookResult.values()) {
      looks(result);
    }
    exhausted();
    bypassed();
    postponed();
    removalsHeld();
    for (Leftover.Kind kind : Leftover.Kind.values()) {
      leftovers(kind);
    }
    adminStatePropagation();
    held();
    preemptEventsIgnored();
    resets();
  }

  /** Shows how many events were dropped, a number that only grows. */
  public void eventsDropped(LongSupplier dropped) {
    FunctionCounter.builder(EVENTS_DROPPED, dropped, LongSupplier::getAsLong)
        .description("Kubernetes events that were not written")
        .register(registry);
  }

  void poolFinished(Outcome outcome, Duration took) {
    updates(outcome).increment();
    timer(POOL_UPDATE_DURATION, "From the granted turn to the end of the operation", Tags.empty())
        .record(took);
  }

  void retried(RetryReason reason) {
    retries(reason).increment();
  }

  void repairPostponed() {
    postponed().increment();
  }

  void retryHeldBack() {
    exhausted().increment();
  }

  void listing(ListingCause cause) {
    listings(cause).increment();
  }

  void looked(LookResult result) {
    looks(result).increment();
  }

  void turnGranted(Lane lane, Duration waited, Duration limited) {
    queueAge(lane).record(waited);
    rateLimiterWait(lane).record(limited);
    peer.turnGranted(lane, waited);
  }

  void leaseBypassed() {
    bypassed().increment();
  }

  void leaseTaken(Duration waited, boolean drain) {
    peer.leaseTaken(drain, waited);
  }

  /** One exchange with ARM; status 0 is no answer. */
  public void armAnswered(String call, int status, Duration took) {
    timer(
            ARM_REQUESTS,
            "HTTP exchanges with ARM, retries and polls included",
            Tags.of("call", call, "status", Integer.toString(status)))
        .record(took);
  }

  /** An attempt wrote admin states of a pool, or could not. */
  void adminStatesSet(PoolId pool, Outcome outcome, Duration took) {
    peer.adminStatesSet(pool.loadBalancer(), outcome, took);
  }

  void adminStatePropagated(Duration took) {
    adminStatePropagation().record(took);
  }

  void leftoversFound(Leftover.Kind kind, int entries) {
    leftovers(kind).increment(entries);
  }

  private Counter leftovers(Leftover.Kind kind) {
    return counter(
        LEFTOVERS_FOUND,
        "Entries that were found as they should not be, without a reason that is known",
        Tags.of("kind", Labels.of(kind)));
  }

  void checksReset() {
    resets().increment();
  }

  private Counter resets() {
    return counter(ADMISSION_RESETS, "Bindings all checks of which were asked again", Tags.empty());
  }

  void adminStatesHeld(int nodes) {
    held().increment(nodes);
  }

  private Counter held() {
    return counter(
        ADMIN_STATE_HELD,
        "Nodes out of service that a pool keeps in service, as too few entries would be left",
        Tags.empty());
  }

  void preemptEventIgnored() {
    preemptEventsIgnored().increment();
  }

  private Counter preemptEventsIgnored() {
    return counter(
        PREEMPT_EVENTS_IGNORED,
        "Events PreemptScheduled whose message announces no eviction",
        Tags.empty());
  }

  private Timer adminStatePropagation() {
    return timer(
        ADMIN_STATE_PROPAGATION,
        "From a signal on a node to the last pool that shows it",
        Tags.empty());
  }

  private Counter updates(Outcome outcome) {
    return counter(
        POOL_UPDATES,
        "Attempts at a pool that wrote something or failed",
        Tags.of("result", Labels.of(outcome)));
  }

  private Counter retries(RetryReason reason) {
    return counter(
        RETRIES,
        "Attempts at a pool without a fresh change, by reason",
        Tags.of("reason", Labels.of(reason)));
  }

  private Counter listings(ListingCause cause) {
    return counter(
        LISTINGS,
        "Listings of all load balancers that were begun, by cause",
        Tags.of("cause", Labels.of(cause)));
  }

  private Counter looks(LookResult result) {
    return counter(
        LOOKS,
        "Looks at pools whose last write has an unknown end, by what they showed",
        Tags.of("result", Labels.of(result)));
  }

  private Counter exhausted() {
    return counter(
        RETRY_BUDGET_EXHAUSTED, "How often a turn had to wait for the retry budget", Tags.empty());
  }

  private Counter bypassed() {
    return counter(
        LOCK_BYPASSED, "Turns without the shared Lease, which could not be had", Tags.empty());
  }

  private Counter postponed() {
    return counter(
        REPAIRS_POSTPONED,
        "Repairs that wait because another client damages the pool again and again",
        Tags.empty());
  }

  Counter removalsHeld() {
    return counter(REMOVALS_HELD, "Removals that the brake held", Tags.empty());
  }

  private Counter counter(String name, String description, Tags tags) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }

  private Timer queueAge(Lane lane) {
    return timer(
        QUEUE_AGE, "From the request of a turn to its grant", Tags.of("lane", Labels.of(lane)));
  }

  private Timer rateLimiterWait(Lane lane) {
    return timer(
        RATE_LIMITER_WAIT,
        "The part of the queue age in which only the subscription's limits were missing",
        Tags.of("lane", Labels.of(lane)));
  }

  private Timer timer(String name, String description, Tags tags) {
    return Timer.builder(name)
        .description(description)
        .tags(tags)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  private static final Duration[] BUCKETS =
      LongStream.of(10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  /**
   * The metrics in the text format of Prometheus.
   *
   * @param now monotonic; the time that the gauges are computed for
   */
  public String scrape(StatusActor.Snapshot status, Instant now) {
    gauges.show(status, now);
    return PeerMetrics.withPeerNames(registry.scrape());
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
