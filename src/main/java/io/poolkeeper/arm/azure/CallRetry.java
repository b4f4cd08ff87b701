package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Repeats a request inside its call after a status that may pass: never after 429, never without an
 * answer, and never for longer than {@link Limits} allows, because the load balancer is held
 * meanwhile. The budget of all calls is asked last (spec 3), so that a retry that another rule
 * forbids costs nothing.
 *
 * <p>The SDK's own {@code RetryPolicy} is not used: its strategies do not know how long the call
 * has taken, a {@code Retry-After: 0} makes it repeat without a pause, it logs each refused
 * connection as an error with a stack trace, and its jitter of 5 % is too small.
 */
final class CallRetry implements HttpPipelinePolicy {
  private final Limits limits;
  private final Backoff backoff;
  private final InCallRetryBudget budget;
  private final LongSupplier nanos;
  private final Supplier<RandomGenerator> randoms;
  private final Threads threads;

  CallRetry(Limits limits, Clocks clocks, Threads threads) {
    this.limits = limits;
    this.budget = new InCallRetryBudget(clocks.monotonic());
    this.backoff = new Backoff(limits.retryBase(), limits.retryDelay(), Jitter.EQUAL);
    this.nanos = clocks.nanos();
    this.randoms = clocks.randoms();
    this.threads = threads;
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    HttpRequest request = context.getHttpRequest();
    return Mono.defer(() -> attempt(context, next, request, 0, nanos.getAsLong()));
  }

  private Mono<HttpResponse> attempt(
      HttpPipelineCallContext context,
      HttpPipelineNextPolicy next,
      HttpRequest request,
      int retries,
      long start) {
    // Policies further down add headers, which must not pile up.
    context.setHttpRequest(request.copy());
    Mono<HttpResponse> again =
        Mono.defer(() -> attempt(context, next, request, retries + 1, start));
    return next.clone()
        .process()
        .flatMap(
            response -> {
              Optional<Duration> pause = pause(response, retries, start);
              if (pause.isEmpty()) {
                return Mono.just(response);
              }
              response.close();
              ArmCalls.noteRepeat(context);
              return Mono.delay(pause.get(), threads.delays()).then(again);
            });
  }

  private Optional<Duration> pause(HttpResponse response, int retries, long start) {
    if (!ArmFailure.REPEATED.contains(response.getStatusCode())) {
      budget.deposit();
      return Optional.empty();
    }
    if (retries >= limits.retries()) {
      return Optional.empty();
    }
    Duration elapsed = Duration.ofNanos(nanos.getAsLong() - start);
    return delay(response.getHeaderValue(HttpHeaderName.RETRY_AFTER), retries)
        .filter(pause -> pause.compareTo(limits.retryDelay()) <= 0)
        .filter(pause -> elapsed.plus(pause).compareTo(limits.retryTotal()) <= 0)
        .filter(pause -> budget.withdraw());
  }

  /**
   * The pause that the answer asks for, or else the backoff's. Empty if it asks for a date: there
   * is no wall clock here, and a date is rarely near.
   */
  private Optional<Duration> delay(@Nullable String retryAfter, int retries) {
    Duration ownDelay = backoff.delay(retries + 1, randoms.get());
    return retryAfter == null
        ? Optional.of(ownDelay)
        : Answer.seconds(retryAfter).map(asked -> asked.isZero() ? ownDelay : asked);
  }
}
