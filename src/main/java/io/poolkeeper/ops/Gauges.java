package io.poolkeeper.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.poolkeeper.admission.AdmissionChecks;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.Bucket;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.shadow.ShadowComparison;
import io.poolkeeper.status.Snapshot;
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
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongBiFunction;

/**
 * The gauges, and the counters of shadow mode, computed from the status on each scrape, as most of
 * them change with time alone. An unknown value is {@code NaN}.
 */
final class Gauges {
  private static final double NANOS = 1e9;

  private record Reading(Snapshot snapshot, PoolTotals pools, Instant now) {}

  private final AtomicReference<Optional<Reading>> reading =
      new AtomicReference<>(Optional.empty());
  private final MeterRegistry registry;
  private final AdmissionChecks admission;
  private final Set<String> named;
  private final MultiGauge checks;

  Gauges(MeterRegistry registry, AdmissionLimits limits, List<String> checks) {
    this.registry = registry;
    admission = new AdmissionChecks(limits, checks);
    named = Set.copyOf(checks);
    permitsAndLevels();
    limits();
    pools();
    knowledge();
    nodes();
    leftovers();
    rateLimiter(
        Metric.LOCK_HELD_BY_OTHER,
        (view, now) -> heldByOther(view).map(since -> seconds(since, now)).orElse(0.0));
    rateLimiter(
        Metric.LOCK_UNREACHABLE,
        (view, now) ->
            view.lease().filter(LeaseStanding.Unreachable.class::isInstance).isPresent() ? 1 : 0);
    admission();
    shadow();
    this.checks =
        MultiGauge.builder(Metric.ADMISSION_CHECKS.toString())
            .description(Metric.ADMISSION_CHECKS.help())
            .register(registry);
  }

  private void admission() {
    gauge(Metric.PAUSED, now -> now.snapshot().pause().pause().isPresent() ? 1.0 : 0.0);
    age(Metric.ADMISSION_HOLD, now -> now.snapshot().bindings().heldSince(admission, now.now()));
    gauge(
        Metric.ADMISSION_DELAY,
        now ->
            now.snapshot()
                .bindings()
                .delayedUntil(admission, now.now())
                .map(until -> seconds(now.now(), until))
                .orElse(0.0));
  }

  /** The counters of shadow mode; 0 in write mode. */
  private void shadow() {
    for (ShadowComparison.Kind kind : ShadowComparison.Kind.values()) {
      shadow(Metric.WOULD_WRITE, kind.toString(), (comparison, now) -> comparison.count(kind));
    }
    shadow(Metric.SHADOW_DECISIONS, "met", (comparison, now) -> comparison.outcomes().count());
    shadow(
        Metric.SHADOW_DECISIONS,
        "superseded",
        (comparison, now) -> comparison.outcomes().superseded());
    shadow(Metric.SHADOW_DECISIONS, "not-met", ShadowComparison::notMet);
  }

  private void shadow(
      Metric metric, String label, ToLongBiFunction<ShadowComparison, Instant> number) {
    gauge(
        metric,
        now -> now.snapshot().comparison().map(of -> number.applyAsLong(of, now.now())).orElse(0L),
        label);
  }

  void show(Snapshot snapshot, Instant now) {
    reading.set(Optional.of(new Reading(snapshot, PoolTotals.of(snapshot, now), now)));
    checks.register(checks(snapshot.bindings()), true);
  }

  /** The series of checks, all of them from the start. */
  private List<MultiGauge.Row<?>> checks(BindingsView bindings) {
    Map<String, Map<Check.State, Integer>> answers = bindings.checks(named);
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    Set<String> all = new TreeSet<>(named);
    all.add(BindingsView.OTHER);
    for (String check : all) {
      Map<Check.State, Integer> of = answers.getOrDefault(check, Map.of());
      for (Check.State state : Check.State.values()) {
        Tags tags = Metric.ADMISSION_CHECKS.tags(check, state.toString());
        rows.add(MultiGauge.Row.of(tags, of.getOrDefault(state, 0)));
      }
    }
    return rows;
  }

  private void permitsAndLevels() {
    rateLimiter(Metric.INFLIGHT_REQUESTS, (view, now) -> view.permitsOut());
    rateLimiter(
        Metric.WORKER_UTILIZATION,
        (view, now) -> (double) view.permitsOut() / view.limits().maxInFlight());
    for (PriorityLevel level : PriorityLevel.values()) {
      rateLimiter(Metric.QUEUE_DEPTH, (view, now) -> depth(view, level), Labels.of(level));
    }
  }

  private static int depth(RateLimiterView view, PriorityLevel level) {
    return view.levels().stream()
        .filter(queue -> queue.level() == level)
        .mapToInt(RateLimiterView.Queue::waiting)
        .sum();
  }

  private void limits() {
    rateLimiter(Metric.RETRY_BUDGET_BALANCE, (view, now) -> view.retryBudget(now));
    for (Bucket bucket : Bucket.values()) {
      rateLimiter(
          Metric.TOKENS, (view, now) -> view.tokens(bucket, now).tokens(), Labels.of(bucket));
    }
    gate("read", false);
    gate("write", true);
    quota("read", CallsLeft::reads);
    quota("write", CallsLeft::writes);
    rateLimiter(Metric.THROTTLED_LOAD_BALANCERS, (view, now) -> view.throttled(now).size());
  }

  private void quota(String kind, Function<CallsLeft, Optional<Long>> of) {
    gauge(
        Metric.ARM_REMAINING,
        now -> of.apply(now.snapshot().quota()).map(Long::doubleValue).orElse(Double.NaN),
        kind);
  }

  private void gate(String kind, boolean write) {
    rateLimiter(
        Metric.THROTTLE_GATE,
        (view, now) -> view.gate(write, now).map(until -> seconds(now, until)).orElse(0.0),
        kind);
  }

  /** A leader without a listing of its own follows no pool yet. */
  private static boolean seesPools(Knowledge of) {
    return of.leads() && of.listed() && !of.starts();
  }

  private void pools() {
    for (State state : State.values()) {
      gauge(Metric.POOLS, now -> now.pools().states().getOrDefault(state, 0), Labels.of(state));
    }
    for (String[] cause : Metric.POOLS_BEHIND.series()) {
      gauge(Metric.POOLS_BEHIND, now -> now.pools().behind().getOrDefault(cause[0], 0), cause);
    }
    for (String[] cause : Metric.OLDEST_DIVERGENCE.series()) {
      age(
          Metric.OLDEST_DIVERGENCE,
          now -> Optional.ofNullable(now.pools().since().get(cause[0])),
          cause);
    }
    gauge(Metric.WITHOUT_POOL, now -> now.snapshot().knowledge().withoutPool(now.now()).size());
    gauge(
        Metric.WITHOUT_BACKEND,
        now -> seesPools(now.snapshot().knowledge()) ? now.pools().without() : Double.NaN);
    gauge(Metric.ADDRESSES_MISSING, now -> now.pools().missing());
    gauge(Metric.ADDRESSES_SURPLUS, now -> now.pools().surplus());
    gauge(Metric.ENTRIES_DOWN, now -> entries(now.snapshot(), AdminState.DOWN));
    gauge(Metric.ENTRIES_UP, now -> entries(now.snapshot(), AdminState.UP));
    age(
        Metric.OLDEST_PENDING,
        now ->
            now.snapshot().pools().stream()
                .flatMap(pool -> pool.activity().pendingSince().stream())
                .min(Comparator.naturalOrder()));
  }

  private static int entries(Snapshot snapshot, AdminState state) {
    return snapshot.pools().stream().mapToInt(pool -> pool.picture().count(state)).sum();
  }

  private void knowledge() {
    gauge(Metric.LEADER, now -> now.snapshot().knowledge().leads() ? 1 : 0);
    gauge(Metric.GROUPS_UNREAD, now -> now.snapshot().knowledge().unread().size());
    gauge(
        Metric.LEADER_SINCE,
        now ->
            now.snapshot()
                .leadsSince()
                .map(since -> seconds(Instant.EPOCH, since))
                .orElse(Double.NaN));
    for (boolean used : List.of(true, false)) {
      gauge(
          Metric.UNREADABLE,
          now ->
              now.snapshot().knowledge().unreadable().values().stream()
                  .filter(of -> of.used() == used)
                  .count(),
          String.valueOf(used));
    }
    for (CacheKind kind : CacheKind.values()) {
      gauge(
          Metric.WATCH_LOST,
          now -> now.snapshot().knowledge().lost().contains(kind) ? 1 : 0,
          Labels.of(kind));
    }
  }

  private void leftovers() {
    for (Leftover.Kind kind : Leftover.Kind.values()) {
      String label = Labels.of(kind);
      gauge(Metric.LEFTOVERS, now -> now.snapshot().leftovers(kind, any -> true).count(), label);
      age(
          Metric.LEFTOVER_AGE,
          now -> now.snapshot().leftovers(kind, any -> true).min(Comparator.naturalOrder()),
          label);
    }
  }

  private void nodes() {
    age(
        Metric.OLDEST_DRAIN,
        now ->
            now.snapshot()
                .nodes()
                .drainingSince()
                .filter(any -> now.snapshot().knowledge().leads())
                .filter(any -> now.snapshot().comparison().isEmpty()));
    gauge(Metric.PREEMPTIONS_PAUSED, now -> now.snapshot().nodes().paused().size());
    gauge(Metric.PREEMPTIONS_WAITING, now -> now.snapshot().nodes().waiting().size());
    for (Reason reason : Reason.values()) {
      gauge(
          Metric.NODES_OUT_OF_SERVICE,
          now -> leaving(now.snapshot().nodes().outOfService(), reason),
          Labels.of(reason));
    }
  }

  private static long leaving(OutOfService nodes, Reason reason) {
    return nodes.leaving().values().stream().filter(of -> of.reasons().contains(reason)).count();
  }

  /** The age of a time; 0 without one. */
  private void age(Metric metric, Function<Reading, Optional<Instant>> since, String... label) {
    gauge(metric, now -> since.apply(now).map(at -> seconds(at, now.now())).orElse(0.0), label);
  }

  /** Since when another client has the shared Lease, as it says, or as it was first met. */
  private static Optional<Instant> heldByOther(RateLimiterView view) {
    return view.lease()
        .filter(LeaseStanding.Busy.class::isInstance)
        .map(LeaseStanding.Busy.class::cast)
        .map(busy -> busy.since().orElse(busy.met()));
  }

  private void rateLimiter(
      Metric metric, ToDoubleBiFunction<RateLimiterView, Instant> number, String... label) {
    gauge(
        metric,
        now ->
            now.snapshot()
                .rateLimiter()
                .map(view -> number.applyAsDouble(view, now.now()))
                .orElse(Double.NaN),
        label);
  }

  private void gauge(Metric metric, ToDoubleFunction<Reading> number, String... label) {
    Metrics.show(
        registry,
        metric,
        reading,
        last -> last.get().map(number::applyAsDouble).orElse(Double.NaN),
        label);
  }

  /** Tenants may write times of thousands of years ago, which overflow nanoseconds. */
  private static double seconds(Instant from, Instant to) {
    Duration time = Duration.between(from, to);
    return Math.max(0, time.toSeconds() + time.toNanosPart() / NANOS);
  }
}
