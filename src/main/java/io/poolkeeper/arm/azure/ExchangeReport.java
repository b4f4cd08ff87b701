package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * The policy next to the wire: reports each exchange to the observer, once, however it ends. A
 * write that was refused at its connection was none.
 */
final class ExchangeReport implements HttpPipelinePolicy {
  private final ArmObserver observer;
  private final LongSupplier nanos;

  ExchangeReport(ArmObserver observer, LongSupplier nanos) {
    this.observer = observer;
    this.nanos = nanos;
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    String call = ArmCalls.kind(context);
    return Mono.defer(
        () -> {
          long start = nanos.getAsLong();
          AtomicInteger status = new AtomicInteger();
          // Before the caller continues. A cancel after the end is ignored.
          AtomicBoolean reported = new AtomicBoolean();
          Runnable report =
              () -> {
                if (reported.compareAndSet(false, true)) {
                  observer.answered(
                      call, status.get(), Duration.ofNanos(nanos.getAsLong() - start));
                  if (call.equals(ArmCalls.PUT) && status.get() / 100 == 2) {
                    ArmCalls.loadBalancer(context).ifPresent(observer::accepted);
                  }
                }
              };
          return next.process()
              .doOnNext(response -> status.set(response.getStatusCode()))
              // Nothing below throws it but a refusal.
              .doOnError(ArmException.class, refused -> reported.set(true))
              .doOnTerminate(report)
              .doOnCancel(report);
        });
  }
}
