package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.CallsLeft;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * The policy next to the wire: reports each exchange to the observer, once, however it ends. A
 * write that the fence withholds once it has a connection is not reported.
 */
final class ExchangeReport implements HttpPipelinePolicy {
  private static final HttpHeaderName READS =
      HttpHeaderName.fromString("x-ms-ratelimit-remaining-subscription-reads");
  private static final HttpHeaderName WRITES =
      HttpHeaderName.fromString("x-ms-ratelimit-remaining-subscription-writes");

  private final ArmObserver observer;
  private final LongSupplier nanos;

  ExchangeReport(ArmObserver observer, LongSupplier nanos) {
    this.observer = observer;
    this.nanos = nanos;
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    String kind = ArmCalls.kind(context);
    return Mono.defer(
        () -> {
          long start = nanos.getAsLong();
          AtomicInteger status = new AtomicInteger();
          // The report is made before the caller continues. A cancel after the end is ignored.
          AtomicBoolean reported = new AtomicBoolean();
          Runnable report =
              () -> {
                if (reported.compareAndSet(false, true)) {
                  observer.answered(
                      kind, status.get(), Duration.ofNanos(nanos.getAsLong() - start));
                  if (kind.equals(ArmCalls.PUT) && status.get() / 100 == 2) {
                    ArmCalls.loadBalancer(context).ifPresent(observer::accepted);
                  }
                }
              };
          return next.process()
              .doOnNext(
                  response -> {
                    status.set(response.getStatusCode());
                    callsLeft(response).ifPresent(observer::left);
                  })
              // Below this policy only a refusal of the fence is an ArmException.
              .doOnError(ArmException.class, refused -> reported.set(true))
              .doOnTerminate(report)
              .doOnCancel(report);
        });
  }

  /** What the answer says about the quota; empty if it has no such header with a number. */
  private static Optional<CallsLeft> callsLeft(HttpResponse response) {
    return Optional.of(new CallsLeft(number(response, READS), number(response, WRITES)))
        .filter(left -> !left.equals(CallsLeft.UNKNOWN));
  }

  private static Optional<Long> number(HttpResponse response, HttpHeaderName header) {
    return Optional.ofNullable(response.getHeaderValue(header))
        .filter(value -> value.matches("\\d{1,9}"))
        .map(Long::valueOf);
  }
}
