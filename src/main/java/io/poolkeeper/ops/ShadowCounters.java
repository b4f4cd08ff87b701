package io.poolkeeper.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.shadow.Proof;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;

/** The counters of shadow mode, computed from its proof on each scrape; 0 in write mode. */
final class ShadowCounters {
  private record Reading(Proof proof, Instant now) {}

  private final AtomicReference<Optional<Reading>> reading =
      new AtomicReference<>(Optional.empty());
  private final MeterRegistry registry;

  ShadowCounters(MeterRegistry registry) {
    this.registry = registry;
    for (Proof.Kind kind : Proof.Kind.values()) {
      counter(Metric.WOULD_WRITE, kind.toString(), of -> of.proof().count(kind));
    }
    outcome("met", of -> of.proof().outcomes().count());
    outcome("superseded", of -> of.proof().outcomes().superseded());
    outcome("not-met", of -> of.proof().notMet(of.now()));
  }

  void show(Snapshot snapshot, Instant now) {
    reading.set(snapshot.proof().map(proof -> new Reading(proof, now)));
  }

  private void outcome(String outcome, ToLongFunction<Reading> value) {
    counter(Metric.SHADOW_DECISIONS, outcome, value);
  }

  private void counter(Metric metric, String label, ToLongFunction<Reading> value) {
    FunctionCounter.builder(
            metric.toString(), reading, last -> last.get().map(value::applyAsLong).orElse(0L))
        .description(metric.help())
        .tags(metric.tags(label))
        .register(registry);
  }
}
