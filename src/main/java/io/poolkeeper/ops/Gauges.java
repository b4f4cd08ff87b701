package io.poolkeeper.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.poolkeeper.admission.AdmissionChecks;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.AdminState;
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
import java.util.function.BiFunction;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongBiFunction;

/**
 * The gauges, and the counters of shadow mode, computed from the status on each scrape, as most of
 * them change with time alone. An unknown value is {@code NaN}.
 */
final class Gauges {
  private static final double NANOS = 1e9;

  /** What all gauges of a scrape are computed from. */
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
    rateLimiter(Metric.LOCK_HELD_BY_OTHER, (view, now) -> age(heldByOther(view), now));
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
    snapshot(Metric.PAUSED, snapshot -> snapshot.pause().pause().isPresent() ? 1 : 0);
    age(Metric.ADMISSION_HOLD, (snapshot, now) -> snapshot.bindings().heldSince(admission, now));
    gauge(
        Metric.ADMISSION_DELAY,
        reading -> {
          BindingsView bindings = reading.snapshot().bindings();
          return secondsUntil(bindings.delayedUntil(admission, reading.now()), reading.now());
        });
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
        reading -> {
          Optional<ShadowComparison> shadow = reading.snapshot().comparison();
          return shadow.map(found -> number.applyAsLong(found, reading.now())).orElse(0L);
        },
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
    Set<String> names = new TreeSet<>(named);
    names.add(BindingsView.OTHER);
    for (String check : names) {
      Map<Check.State, Integer> counts = answers.getOrDefault(check, Map.of());
      for (Check.State state : Check.State.values()) {
        Tags tags = Metric.ADMISSION_CHECKS.tags(check, state.toString());
        rows.add(MultiGauge.Row.of(tags, counts.getOrDefault(state, 0)));
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
      rateLimiter(Metric.QUEUE_DEPTH, (view, now) -> depth(view, level), Label.textOf(level));
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
          Metric.TOKENS, (view, now) -> view.tokens(bucket, now).tokens(), Label.textOf(bucket));
    }
    gate("read", false);
    gate("write", true);
    snapshot(Metric.ARM_REMAINING, snapshot -> orUnknown(snapshot.quota().reads()), "read");
    snapshot(Metric.ARM_REMAINING, snapshot -> orUnknown(snapshot.quota().writes()), "write");
    rateLimiter(Metric.THROTTLED_LOAD_BALANCERS, (view, now) -> view.throttled(now).size());
  }

  private static double orUnknown(Optional<Long> calls) {
    return calls.map(Long::doubleValue).orElse(Double.NaN);
  }

  private void gate(String kind, boolean write) {
    rateLimiter(
        Metric.THROTTLE_GATE, (view, now) -> secondsUntil(view.gate(write, now), now), kind);
  }

  private void pools() {
    for (State state : State.values()) {
      pools(Metric.POOLS, pools -> pools.states().getOrDefault(state, 0), Label.textOf(state));
    }
    for (String[] cause : Metric.POOLS_BEHIND.series()) {
      pools(Metric.POOLS_BEHIND, pools -> pools.behind().getOrDefault(cause[0], 0), cause);
    }
    for (String[] cause : Metric.OLDEST_DIVERGENCE.series()) {
      gauge(
          Metric.OLDEST_DIVERGENCE,
          reading -> age(Optional.ofNullable(reading.pools().since().get(cause[0])), reading.now()),
          cause);
    }
    gauge(
        Metric.WITHOUT_POOL,
        reading -> reading.snapshot().knowledge().withoutPool(reading.now()).size());
    gauge(
        Metric.WITHOUT_BACKEND,
        reading ->
            seesPools(reading.snapshot().knowledge()) ? reading.pools().without() : Double.NaN);
    pools(Metric.ADDRESSES_MISSING, PoolTotals::missing);
    pools(Metric.ADDRESSES_SURPLUS, PoolTotals::surplus);
    snapshot(Metric.ENTRIES_DOWN, snapshot -> entries(snapshot, AdminState.DOWN));
    snapshot(Metric.ENTRIES_UP, snapshot -> entries(snapshot, AdminState.UP));
    age(
        Metric.OLDEST_PENDING,
        (snapshot, now) ->
            snapshot.pools().stream()
                .flatMap(pool -> pool.activity().pendingSince().stream())
                .min(Comparator.naturalOrder()));
  }

  /** A leader without a listing of its own follows no pool yet. */
  private static boolean seesPools(Knowledge knowledge) {
    return knowledge.leads() && knowledge.listed() && !knowledge.starts();
  }

  private static int entries(Snapshot snapshot, AdminState state) {
    return snapshot.pools().stream().mapToInt(pool -> pool.picture().count(state)).sum();
  }

  private void knowledge() {
    snapshot(Metric.LEADER, snapshot -> snapshot.knowledge().leads() ? 1 : 0);
    snapshot(Metric.GROUPS_UNREAD, snapshot -> snapshot.knowledge().unread().size());
    snapshot(
        Metric.LEADER_SINCE,
        snapshot -> {
          Optional<Instant> since = snapshot.leadsSince();
          return since.map(start -> seconds(Instant.EPOCH, start)).orElse(Double.NaN);
        });
    for (boolean used : List.of(true, false)) {
      snapshot(
          Metric.UNREADABLE,
          snapshot ->
              snapshot.knowledge().unreadable().values().stream()
                  .filter(pools -> pools.used() == used)
                  .count(),
          String.valueOf(used));
    }
    for (CacheKind kind : CacheKind.values()) {
      snapshot(
          Metric.WATCH_LOST,
          snapshot -> snapshot.knowledge().lost().contains(kind) ? 1 : 0,
          Label.textOf(kind));
    }
  }

  private void leftovers() {
    for (Leftover.Kind kind : Leftover.Kind.values()) {
      String label = Label.textOf(kind);
      snapshot(Metric.LEFTOVERS, snapshot -> snapshot.leftovers(kind, pool -> true).count(), label);
      age(
          Metric.LEFTOVER_AGE,
          (snapshot, now) -> snapshot.leftovers(kind, pool -> true).min(Comparator.naturalOrder()),
          label);
    }
  }

  private void nodes() {
    age(
        Metric.OLDEST_DRAIN,
        (snapshot, now) -> {
          boolean drains = snapshot.knowledge().leads() && snapshot.comparison().isEmpty();
          return drains ? snapshot.nodes().drainingSince() : Optional.empty();
        });
    snapshot(Metric.PREEMPTIONS_PAUSED, snapshot -> snapshot.nodes().paused().size());
    snapshot(Metric.PREEMPTIONS_WAITING, snapshot -> snapshot.nodes().waiting().size());
    for (Reason reason : Reason.values()) {
      snapshot(
          Metric.NODES_OUT_OF_SERVICE,
          snapshot ->
              snapshot.nodes().outOfService().leaving().values().stream()
                  .filter(node -> node.reasons().contains(reason))
                  .count(),
          Label.textOf(reason));
    }
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
        reading -> {
          Optional<RateLimiterView> view = reading.snapshot().rateLimiter();
          return view.map(found -> number.applyAsDouble(found, reading.now())).orElse(Double.NaN);
        },
        label);
  }

  private void pools(Metric metric, ToDoubleFunction<PoolTotals> number, String... label) {
    gauge(metric, reading -> number.applyAsDouble(reading.pools()), label);
  }

  private void snapshot(Metric metric, ToDoubleFunction<Snapshot> number, String... label) {
    gauge(metric, reading -> number.applyAsDouble(reading.snapshot()), label);
  }

  private void age(
      Metric metric, BiFunction<Snapshot, Instant, Optional<Instant>> since, String... label) {
    gauge(
        metric,
        reading -> age(since.apply(reading.snapshot(), reading.now()), reading.now()),
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

  /** The seconds since a time; 0 without one. */
  private static double age(Optional<Instant> since, Instant now) {
    return since.map(start -> seconds(start, now)).orElse(0.0);
  }

  private static double secondsUntil(Optional<Instant> until, Instant now) {
    return until.map(end -> seconds(now, end)).orElse(0.0);
  }

  /** Tenants may write times of thousands of years ago, which overflow nanoseconds. */
  private static double seconds(Instant from, Instant to) {
    Duration time = Duration.between(from, to);
    return Math.max(0, time.toSeconds() + time.toNanosPart() / NANOS);
  }
}
