package io.poolkeeper.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.config.Build;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.status.Snapshot;
import io.prometheus.metrics.core.metrics.Info;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is counted and measured when it happens, and all of it as text. An update of a pool is
 * counted when it is reported on the Service; an attempt that wrote nothing is not an update.
 * Invariant: each series of {@link Metric} whose labels are known exists from the start.
 *
 * <p>Some metrics have the cloud provider's names, labels and buckets, so that dashboards and
 * alerts made for it show Poolkeeper, too (spec 2, Observability and Telemetry).
 */
public final class Metrics implements AutoCloseable {
  /** The outcomes of attempts that are counted. */
  enum Outcome {
    UPDATED,
    FAILED
  }

  /** Counters that are read when they are shown. */
  private static final Set<Metric> COMPUTED =
      EnumSet.of(
          Metric.EVENTS_DROPPED, Metric.WOULD_WRITE, Metric.SHADOW_DECISIONS, Metric.PROCESS_CPU);

  private static final Set<Metric> CLOUD_PROVIDER_COUNTERS =
      EnumSet.of(
          Metric.CLOUD_PROVIDER_FAILURES,
          Metric.CLOUD_PROVIDER_THROTTLED,
          Metric.CLOUD_PROVIDER_RATE_LIMITED);

  /** The registry adds a suffix to each counter's name, which the cloud provider's lack. */
  private static final Pattern SUFFIXED =
      Pattern.compile(
          CLOUD_PROVIDER_COUNTERS.stream()
              .map(Metric::toString)
              .collect(Collectors.joining("|", "(", ")_total")));

  private static final String PERMIT = "load_balancer_turn";
  private static final String LEASE = "shared_lease";

  /** ARM gives calls back all the time, so that an older number says nothing. */
  private static final Duration CALLS_LEFT = Duration.ofMinutes(5);

  /** A number of calls that are left, and when ARM said it. */
  private record Remaining(long calls, Instant at) {}

  private final AtomicReference<Optional<Remaining>> reads =
      new AtomicReference<>(Optional.empty());
  private final AtomicReference<Optional<Remaining>> writes =
      new AtomicReference<>(Optional.empty());
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final Gauges gauges;
  private final Map<Metric, AtomicReference<Double>> times = new EnumMap<>(Metric.class);
  private final InstantSource clock;

  /**
   * Metrics that begin at 0.
   *
   * @param checks the admission checks with a name of their own
   * @param clock of the times that are shown
   */
  public Metrics(AdmissionLimits limits, List<String> checks, InstantSource clock) {
    this.clock = clock;
    gauges = new Gauges(registry, limits, checks);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    gc.bindTo(registry);
    ProcessFigures.bindTo(registry);
    Build build = Build.read();
    // The registry would take the suffix for its own.
    Info.builder()
        .name(Metric.BUILD_INFO.toString())
        .help(Metric.BUILD_INFO.help())
        .labelNames("version", "commit")
        .register(registry.getPrometheusRegistry())
        .addLabelValues(build.version(), build.commit());
    time(Metric.LAST_LISTING);
    time(Metric.LAST_TOKEN);
    EnumSet.allOf(Metric.class).stream()
        .filter(metric -> !COMPUTED.contains(metric))
        .forEach(metric -> metric.series().forEach(values -> begin(metric, values)));
  }

  private void begin(Metric metric, String... values) {
    switch (metric.type()) {
      case COUNTER -> counter(metric, values);
      case HISTOGRAM -> timer(metric, values);
      case GAUGE -> {}
    }
  }

  private void time(Metric metric) {
    AtomicReference<Double> last = new AtomicReference<>(Double.NaN);
    times.put(metric, last);
    show(registry, metric, last, AtomicReference::get);
  }

  /** Shows a number that is computed when somebody looks. */
  static <T> void show(
      MeterRegistry registry,
      Metric metric,
      T source,
      ToDoubleFunction<T> number,
      String... values) {
    if (metric.type() == Metric.Type.COUNTER) {
      FunctionCounter.builder(metric.toString(), source, number)
          .description(metric.help())
          .tags(metric.tags(values))
          .register(registry);
    } else {
      Gauge.builder(metric.toString(), source, number)
          .description(metric.help())
          .tags(metric.tags(values))
          .strongReference(true)
          .register(registry);
    }
  }

  /**
   * Shows whether watches are connected.
   *
   * @param connected by kind; those that are not there are not watched
   */
  public void watches(Supplier<Map<String, Boolean>> connected) {
    for (String[] kind : Metric.WATCH_CONNECTED.series()) {
      show(
          registry,
          Metric.WATCH_CONNECTED,
          connected,
          watches -> connected(watches.get().get(kind[0])),
          kind);
    }
  }

  private static double connected(@Nullable Boolean connected) {
    return connected == null ? Double.NaN : connected ? 1 : 0;
  }

  /** Shows how many events were dropped, a number that only grows. */
  public void eventsDropped(LongSupplier dropped) {
    show(registry, Metric.EVENTS_DROPPED, dropped, LongSupplier::getAsLong);
  }

  /** Sets the time of a metric to now. */
  void happened(Metric metric) {
    Objects.requireNonNull(times.get(metric)).set(clock.instant().toEpochMilli() / 1e3);
  }

  /** The time of a change until ARM has accepted its write, or until that write has ended. */
  public void propagated(boolean effective, Duration took) {
    timer(Metric.PROPAGATION, effective ? "effective" : "accepted").record(took);
  }

  void gateClosed(Gate gate) {
    String kind =
        gate.loadBalancer().isPresent() ? "load-balancer" : gate.write() ? "write" : "read";
    counter(Metric.GATE_CLOSINGS, kind).increment();
  }

  /** Counts once, with these values of the labels. */
  void count(Metric metric, Enum<?>... labels) {
    count(1, metric, labels);
  }

  void count(int more, Metric metric, Enum<?>... labels) {
    counter(metric, names(labels)).increment(more);
  }

  void time(Metric metric, Duration took, Enum<?>... labels) {
    timer(metric, names(labels)).record(took);
  }

  void permitGranted(PriorityLevel level, Duration waited, Duration limited) {
    time(Metric.QUEUE_AGE, waited, level);
    time(Metric.RATE_LIMITER_WAIT, limited, level);
    cloudProviderLock(PERMIT, level.drains(), waited);
  }

  void leaseTaken(Duration waited, boolean drain) {
    cloudProviderLock(LEASE, drain, waited);
  }

  private void cloudProviderLock(String lock, boolean drain, Duration waited) {
    timer(Metric.CLOUD_PROVIDER_LOCK_WAIT, lock, drain ? "admin_state" : "updater").record(waited);
  }

  /** Counts an exchange with ARM; status 0 is no answer. */
  public void armAnswered(String call, int status, Duration took) {
    timer(Metric.ARM_REQUESTS, call, Integer.toString(status)).record(took);
  }

  /** Counts an attempt that wrote admin states or members of a pool, or failed to. */
  void operation(LoadBalancerId at, boolean drain, Outcome outcome, Duration took) {
    String[] operation = operation(at, drain);
    timer(Metric.CLOUD_PROVIDER_OPERATIONS, operation).record(took);
    counter(Metric.CLOUD_PROVIDER_FAILURES, operation).increment(outcome == Outcome.FAILED ? 1 : 0);
  }

  /** Counts an operation that a 429 refused, or one that a gate or bucket of ours held. */
  void throttled(LoadBalancerId at, boolean drain, boolean byArm) {
    counter(
            byArm ? Metric.CLOUD_PROVIDER_THROTTLED : Metric.CLOUD_PROVIDER_RATE_LIMITED,
            operation(at, drain))
        .increment();
  }

  /** The four labels; all counters of an operation are there from its first report. */
  private String[] operation(LoadBalancerId at, boolean drain) {
    String[] labels = {
      drain ? "loadbalancer_adminstate_update" : "services_local_update_backend_pool",
      at.resourceGroup().toLowerCase(Locale.ROOT),
      at.subscription(),
      drain ? "admin_state_controller" : "local_service_backend_pool_updater"
    };
    CLOUD_PROVIDER_COUNTERS.forEach(metric -> counter(metric, labels));
    return labels;
  }

  private static String[] names(Enum<?>... labels) {
    return Arrays.stream(labels).map(Label::textOf).toArray(String[]::new);
  }

  private Counter counter(Metric metric, String... values) {
    return Counter.builder(metric.toString())
        .description(metric.help())
        .tags(metric.tags(values))
        .register(registry);
  }

  /** The registry appends the unit. */
  private Timer timer(Metric metric, String... values) {
    return Timer.builder(metric.toString().replaceFirst("_seconds$", ""))
        .description(metric.help())
        .tags(metric.tags(values))
        .serviceLevelObjectives(metric.buckets())
        .register(registry);
  }

  /** The metrics in the text format of Prometheus, the gauges at that time; monotonic. */
  public String scrape(Snapshot status, Instant now) {
    gauges.show(status, now);
    return SUFFIXED.matcher(registry.scrape()).replaceAll("$1");
  }

  /** What ARM says is left of the subscription's quota. */
  void left(CallsLeft calls) {
    Instant now = clock.instant();
    calls.reads().ifPresent(left -> reads.set(Optional.of(new Remaining(left, now))));
    calls.writes().ifPresent(left -> writes.set(Optional.of(new Remaining(left, now))));
  }

  /** The last numbers that are not older than 5 minutes. */
  public CallsLeft left() {
    Instant oldest = clock.instant().minus(CALLS_LEFT);
    return new CallsLeft(since(reads, oldest), since(writes, oldest));
  }

  private static Optional<Long> since(AtomicReference<Optional<Remaining>> last, Instant oldest) {
    return last.get().filter(remaining -> !remaining.at().isBefore(oldest)).map(Remaining::calls);
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
