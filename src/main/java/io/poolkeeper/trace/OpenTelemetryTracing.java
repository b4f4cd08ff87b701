package io.poolkeeper.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.Obstacle;
import io.poolkeeper.ratelimit.RateLimiterView;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.MDC;

/**
 * Traces by OpenTelemetry: one for each attempt of a pool with the waits before it, one for each
 * node whose drain has ended, and one for each listing (docs/topics/tracing.md). Calls find their
 * parent in the thread's context.
 */
final class OpenTelemetryTracing implements Tracing {
  private final Tracer tracer;
  private final InstantSource wall;
  private final InstantSource monotonic;
  private final Runnable flush;
  private final Map<PoolId, PoolTrace> pools = new ConcurrentHashMap<>();

  /** What was in the way of pools when they asked for their permits. */
  private final Map<PoolId, Obstacle> obstacles = new ConcurrentHashMap<>();

  private final DrainLinks drains = new DrainLinks();

  OpenTelemetryTracing(
      OpenTelemetry telemetry, InstantSource wall, InstantSource monotonic, Runnable flush) {
    this.tracer = telemetry.getTracer("io.poolkeeper");
    this.wall = wall;
    this.monotonic = monotonic;
    this.flush = flush;
  }

  private PoolTrace trace(PoolId pool) {
    return pools.getOrDefault(pool, PoolTrace.NONE);
  }

  private void change(PoolId pool, UnaryOperator<PoolTrace> next) {
    pools.put(pool, next.apply(trace(pool)));
  }

  @Override
  public void around(PoolId pool, Runnable decision) {
    Optional<Span> attempt = trace(pool).attempt();
    if (attempt.isEmpty()) {
      decision.run();
      return;
    }
    MDC.put(LOG_KEY, attempt.get().getSpanContext().getTraceId());
    try {
      Context.root().with(attempt.get()).wrap(decision).run();
    } finally {
      MDC.remove(LOG_KEY);
    }
  }

  @Override
  public void ran(PoolId pool, PoolEffect effect) {
    switch (effect) {
      case PoolEffect.RequestPermit request ->
          change(pool, trace -> trace.asked(request.priority().level()));
      case PoolEffect.Write write -> trace(pool).writes(write.edit());
      case PoolEffect.Updated updated -> trace(pool).outcome("updated");
      case PoolEffect.Drained drained -> trace(pool).outcome("updated");
      case PoolEffect.LeaveAlone alone -> trace(pool).outcome("left-alone");
      case PoolEffect.Shadowed shadowed -> trace(pool).outcome("would-write");
      case PoolEffect.Requeue requeue -> failed(pool, "retrying", requeue.failure());
      case PoolEffect.Failed failed -> failed(pool, "failed", failed.failure());
      case PoolEffect.DrainFailed failed -> failed(pool, "retrying", failed.failure());
      case PoolEffect.RepairFailed failed -> failed(pool, "failed", failed.failure());
      case PoolEffect.Followed followed -> {
        PoolTrace before = trace(pool);
        drains.confirmed(
            before.confirmedBy(followed.report()),
            before.attempt().map(Span::getSpanContext).orElse(before.last()));
        change(pool, trace -> trace.pending(followed.report()));
      }
      default -> {}
    }
  }

  private void failed(PoolId pool, String outcome, ArmFailure failure) {
    change(pool, trace -> trace.failed(outcome, failure));
  }

  @Override
  public void changed(PoolStatus status) {
    Optional<Obstacle> obstacle = Optional.ofNullable(obstacles.remove(status.id()));
    change(status.id(), trace -> trace.next(tracer, status, obstacle));
  }

  @Override
  public void forgotten(PoolId pool) {
    obstacles.remove(pool);
    Optional.ofNullable(pools.remove(pool)).ifPresent(PoolTrace::end);
  }

  @Override
  public void requested(PoolId pool, RateLimiterView view) {
    view.why(pool, monotonic.instant()).ifPresent(why -> obstacles.put(pool, why));
  }

  /** The drain's span begins when the signal was seen, and is made at its end. */
  @Override
  public void ran(NodeEffect effect) {
    if (effect instanceof NodeEffect.Propagated done) {
      Span span =
          tracer
              .spanBuilder(done.down() ? "node drain" : "node return")
              .setNoParent()
              .setStartTimestamp(wall.instant().minus(done.took()))
              .setAttribute("k8s.node.name", done.node().name())
              .startSpan();
      for (SpanContext write : drains.taken(done.node())) {
        span.addLink(write);
      }
      span.end();
    }
  }

  @Override
  public CompletionStage<Listing> listing(Supplier<CompletionStage<Listing>> begin) {
    Span span = tracer.spanBuilder("listing").setNoParent().startSpan();
    return Context.root()
        .with(span)
        .wrapSupplier(begin)
        .get()
        .whenComplete((listing, never) -> end(span, listing));
  }

  private static void end(Span span, Listing listing) {
    span.setAttribute("poolkeeper.load_balancers", listing.loadBalancers().size());
    span.setAttribute("poolkeeper.pools", listing.pools().count());
    listing.unread().entrySet().stream()
        .findFirst()
        .ifPresent(
            first -> span.setStatus(StatusCode.ERROR, first.getKey() + ": " + first.getValue()));
    span.end();
  }

  @Override
  public Optional<String> id(PoolId pool) {
    return trace(pool).attempt().map(span -> span.getSpanContext().getTraceId());
  }

  @Override
  public void close() {
    pools.values().forEach(PoolTrace::end);
    flush.run();
  }
}
