package io.poolkeeper.ops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.poolkeeper.admission.AdmissionChecks;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.admission.CheckState;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.turnstile.Bucket;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.TurnstileView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The gauges, computed from the status on each scrape, as most of them change with time alone. An
 * unknown value is {@code NaN}. Names: {@link Metrics}.
 */
final class Gauges {
  private static final double NANOS = 1e9;

  private record Reading(Snapshot snapshot, Instant now) {}

  private interface OfTurnstile {
    double value(TurnstileView view, Instant now);
  }

  private final AtomicReference<Optional<Reading>> reading =
      new AtomicReference<>(Optional.empty());
  private final MeterRegistry registry;
  private final AdmissionChecks admission;
  private final Set<String> named;
  private final MultiGauge checks;

  /** Gauge: 1 while all replicas are paused. */
  static final String PAUSED = "poolkeeper_paused";

  /** Gauge, label {@code kind}: read, write. */
  static final String ARM_REMAINING = "poolkeeper_arm_remaining_calls";

  private final ShadowCounters shadow;

  Gauges(MeterRegistry registry, AdmissionLimits limits, List<String> checks) {
    this.registry = registry;
    shadow = new ShadowCounters(registry);
    admission = new AdmissionChecks(limits, checks);
    named = Set.copyOf(checks);
    turnsAndLanes();
    limits();
    pools();
    watches();
    nodes();
    leftovers();
    turnstile(
        Metrics.LOCK_UNREACHABLE,
        "Whether the shared Lease can be neither read nor written",
        Tags.empty(),
        (view, now) ->
            view.lease().filter(LeaseStanding.Unreachable.class::isInstance).isPresent() ? 1 : 0);
    admission();
    this.checks =
        MultiGauge.builder(Metrics.ADMISSION_CHECKS)
            .description("Bindings that an admission check has answered so")
            .register(registry);
  }

  private void admission() {
    gauge(
        PAUSED,
        "Whether all replicas are paused",
        Tags.empty(),
        now -> now.snapshot().pause().pause().isPresent() ? 1.0 : 0.0);
    gauge(
        Metrics.ADMISSION_HOLD,
        "Age of the oldest open check among those that hold a pool, 0 if none does",
        Tags.empty(),
        now ->
            now.snapshot()
                .bindings()
                .heldSince(admission, now.now())
                .map(since -> seconds(since, now.now()))
                .orElse(0.0));
    gauge(
        Metrics.ADMISSION_DELAY,
        "How long the longest delay that a check has asked for still lasts, 0 if there is none",
        Tags.empty(),
        now ->
            now.snapshot()
                .bindings()
                .delayedUntil(admission, now.now())
                .map(until -> seconds(now.now(), until))
                .orElse(0.0));
  }

  /** Sets the status that the gauges show. */
  void show(Snapshot snapshot, Instant now) {
    reading.set(Optional.of(new Reading(snapshot, now)));
    shadow.show(snapshot, now);
    checks.register(checks(snapshot.bindings()), true);
  }

  /** All are there from the start. */
  private List<MultiGauge.Row<?>> checks(BindingsView bindings) {
    Map<String, Map<CheckState, Integer>> answers = bindings.checks(named);
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    Set<String> all = new TreeSet<>(named);
    all.add(BindingsView.OTHER);
    for (String check : all) {
      Map<CheckState, Integer> of = answers.getOrDefault(check, Map.of());
      for (CheckState state : CheckState.values()) {
        Tags tags = Tags.of("check", check, "state", state.toString());
        rows.add(MultiGauge.Row.of(tags, of.getOrDefault(state, 0)));
      }
    }
    return rows;
  }

  private void turnsAndLanes() {
    turnstile(
        Metrics.INFLIGHT_REQUESTS,
        "Turns that are out, each of which makes one call to ARM at a time",
        Tags.empty(),
        (view, now) -> view.turnsOut());
    turnstile(
        Metrics.WORKER_UTILIZATION,
        "Turns that are out, as a part of the most there may be",
        Tags.empty(),
        (view, now) -> (double) view.turnsOut() / view.limits().maxInFlight());
    for (Lane lane : Lane.values()) {
      turnstile(
          Metrics.QUEUE_DEPTH,
          "Pools that wait for a turn",
          Tags.of("lane", Labels.of(lane)),
          (view, now) -> depth(view, lane));
    }
  }

  private static int depth(TurnstileView view, Lane lane) {
    return view.lanes().stream()
        .filter(queue -> queue.lane() == lane)
        .mapToInt(TurnstileView.Queue::depth)
        .sum();
  }

  private void limits() {
    turnstile(
        Metrics.RETRY_BUDGET_BALANCE,
        "Retries and repairs that could be made now",
        Tags.empty(),
        (view, now) -> view.retryBudget(now));
    for (Bucket bucket : Bucket.values()) {
      turnstile(
          Metrics.TOKENS,
          "Calls to ARM that could be made now, less than 0 if overdrawn",
          Tags.of("bucket", Labels.of(bucket)),
          (view, now) -> view.tokens(bucket, now).tokens());
    }
    gate("read", false);
    gate("write", true);
    quota("read", CallsLeft::reads);
    quota("write", CallsLeft::writes);
    turnstile(
        Metrics.THROTTLED_LOAD_BALANCERS,
        "Load balancers for which ARM has said that it takes no calls now",
        Tags.empty(),
        (view, now) -> view.throttled(now).size());
  }

  private void quota(String kind, Function<CallsLeft, Optional<Long>> of) {
    gauge(
        ARM_REMAINING,
        "What ARM says is left of the subscription's quota for this identity",
        Tags.of("kind", kind),
        now -> of.apply(now.snapshot().quota()).map(Long::doubleValue).orElse(Double.NaN));
  }

  private void gate(String kind, boolean write) {
    turnstile(
        Metrics.THROTTLE_GATE,
        "How long the subscription's gate stays closed for such calls",
        Tags.of("kind", kind),
        (view, now) -> view.gate(write, now).map(until -> seconds(now, until)).orElse(0.0));
  }

  private void pools() {
    gauge(
        Metrics.PARKED_POOLS,
        "Pools that wait for the end of a Retry-After",
        Tags.empty(),
        now -> now.snapshot().pools().stream().filter(PoolStatus::parked).count());
    gauge(
        Metrics.ENTRIES_DOWN,
        "Entries of followed pools whose admin state is Down",
        Tags.empty(),
        now -> now.snapshot().pools().stream().mapToInt(PoolStatus::entriesDown).sum());
    gauge(
        Metrics.ENTRIES_UP,
        "Entries of followed pools whose admin state is Up, so that their probe is ignored",
        Tags.empty(),
        now -> now.snapshot().pools().stream().mapToInt(PoolStatus::entriesUp).sum());
    gauge(
        Metrics.OLDEST_PENDING,
        "Age of the oldest change that is not yet in ARM, 0 if there is none",
        Tags.empty(),
        Gauges::oldestPending);
  }

  private void watches() {
    gauge(
        Metrics.LEADER,
        "1 while this replica leads, 0 while it is on standby",
        Tags.empty(),
        now -> now.snapshot().knowledge().leads() ? 1 : 0);
    for (CacheKind kind : CacheKind.values()) {
      gauge(
          Metrics.WATCH_LOST,
          "1 while objects of that kind may have changed unseen",
          Tags.of("kind", Labels.of(kind)),
          now -> now.snapshot().knowledge().lost().contains(kind) ? 1 : 0);
    }
  }

  private void leftovers() {
    for (Leftover.Kind kind : Leftover.Kind.values()) {
      Tags tags = Tags.of("kind", Labels.of(kind));
      gauge(
          Metrics.LEFTOVERS,
          "Entries that are not as they should be",
          tags,
          now -> leftovers(now, kind).count());
      gauge(
          Metrics.LEFTOVER_AGE,
          "Since when the oldest of them is known, 0 if there is none",
          tags,
          now ->
              leftovers(now, kind)
                  .min(Comparator.naturalOrder())
                  .map(since -> seconds(since, now.now()))
                  .orElse(0.0));
    }
  }

  private static Stream<Instant> leftovers(Reading now, Leftover.Kind kind) {
    return now.snapshot().pools().stream()
        .flatMap(pool -> pool.leftovers().entrySet().stream())
        .filter(leftover -> leftover.getKey().kind() == kind)
        .map(Map.Entry::getValue);
  }

  private void nodes() {
    for (Reason reason : Reason.values()) {
      gauge(
          Metrics.NODES_OUT_OF_SERVICE,
          "Nodes that new connections must not reach",
          Tags.of("reason", Labels.of(reason)),
          now -> leaving(now.snapshot().nodes().outOfService(), reason));
    }
  }

  private static long leaving(OutOfService nodes, Reason reason) {
    return nodes.leaving().values().stream().filter(of -> of.reasons().contains(reason)).count();
  }

  private static double oldestPending(Reading reading) {
    return reading.snapshot().pools().stream()
        .flatMap(pool -> pool.pendingSince().stream())
        .min(Comparator.naturalOrder())
        .map(since -> seconds(since, reading.now()))
        .orElse(0.0);
  }

  private void turnstile(String name, String description, Tags tags, OfTurnstile value) {
    ToDoubleFunction<Reading> ofReading =
        now ->
            now.snapshot().turnstile().map(view -> value.value(view, now.now())).orElse(Double.NaN);
    gauge(name, description, tags, ofReading);
  }

  private void gauge(String name, String description, Tags tags, ToDoubleFunction<Reading> value) {
    Gauge.builder(name, reading, last -> last.get().map(value::applyAsDouble).orElse(Double.NaN))
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  /** What tenants write may be thousands of years ago: more nanoseconds than a long can hold. */
  private static double seconds(Instant from, Instant to) {
    Duration time = Duration.between(from, to);
    return Math.max(0, time.toSeconds() + time.toNanosPart() / NANOS);
  }
}
