package io.poolkeeper.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.poolkeeper.pool.Outcome;
import java.time.Duration;
import java.util.Locale;

/**
 * All metrics of the process, by name. Only outcomes that people are told of count as updates of a
 * pool: an attempt that wrote nothing is none.
 */
public final class Metrics implements AutoCloseable {
  /** Counter, label {@code result}: updated, failed. */
  public static final String POOL_UPDATES = "poolkeeper_pool_updates";

  /** Histogram, seconds from the granted turn to the end of the operation. */
  public static final String POOL_UPDATE_DURATION = "poolkeeper_pool_update_duration";

  /** Histogram, labels {@code call}: get, put, list, poll and {@code status}: 0 is no answer. */
  public static final String ARM_REQUESTS = "poolkeeper_arm_request_duration";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();

  public Metrics() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    gc.bindTo(registry);
    for (Outcome outcome : Outcome.values()) {
      updates(outcome);
    }
  }

  void poolFinished(Outcome outcome, Duration took) {
    updates(outcome).increment();
    Timer.builder(POOL_UPDATE_DURATION)
        .description("From the granted turn to the end of the operation")
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(took);
  }

  /** One exchange with ARM; status 0 is no answer. */
  public void armAnswered(String call, int status, Duration took) {
    Timer.builder(ARM_REQUESTS)
        .description("HTTP exchanges with ARM, retries and polls included")
        .tag("call", call)
        .tag("status", Integer.toString(status))
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(took);
  }

  private Counter updates(Outcome outcome) {
    return Counter.builder(POOL_UPDATES)
        .description("Attempts at a pool that wrote something or failed")
        .tag("result", outcome.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofSeconds(60)
  };

  /** In the text format of Prometheus. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
