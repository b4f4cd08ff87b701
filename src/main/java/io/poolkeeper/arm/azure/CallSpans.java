package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.HttpPolicyProviders;
import com.azure.core.tracing.opentelemetry.OpenTelemetryTracingOptions;
import com.azure.core.util.ClientOptions;
import com.azure.core.util.Context;
import com.azure.core.util.tracing.Tracer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.RequestIds;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Makes a span for each call, with its repeats, below the span that was current when the call
 * began. The Azure SDK adds a span for each try. The ids are those that Azure's support asks for.
 */
record CallSpans(OpenTelemetry telemetry) implements CallTracing, HttpPipelinePolicy {
  private static final String PARENT = Tracer.PARENT_TRACE_CONTEXT_KEY;

  @Override
  public Context parent() {
    return new Context(PARENT, io.opentelemetry.context.Context.current());
  }

  @Override
  public List<HttpPipelinePolicy> ofCall() {
    return List.of(this);
  }

  @Override
  public List<HttpPipelinePolicy> ofTry() {
    List<HttpPipelinePolicy> policies = new ArrayList<>();
    HttpPolicyProviders.addAfterRetryPolicies(policies);
    return policies;
  }

  @Override
  public ClientOptions options() {
    return new ClientOptions()
        .setTracingOptions(new OpenTelemetryTracingOptions().setOpenTelemetry(telemetry));
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext call, HttpPipelineNextPolicy next) {
    return Mono.defer(
        () -> {
          var parent =
              call.getData(PARENT)
                  .map(io.opentelemetry.context.Context.class::cast)
                  .orElseGet(io.opentelemetry.context.Context::root);
          Span span =
              telemetry
                  .getTracer("io.poolkeeper")
                  .spanBuilder("azure " + ArmCalls.kind(call))
                  .setParent(parent)
                  .startSpan();
          ArmCalls.loadBalancer(call)
              .ifPresent(id -> span.setAttribute("poolkeeper.load_balancer", id.name()));
          call.setData(PARENT, parent.with(span));
          return next.process()
              .doOnNext(response -> answered(span, Answer.of(response)))
              .doOnError(failed -> failed(span, Failures.of(failed).failure()))
              .doFinally(end -> span.end());
        });
  }

  private static void answered(Span span, Answer answer) {
    span.setAttribute("http.response.status_code", answer.status());
    setIds(span, answer.ids());
    if (answer.status() >= 400) {
      span.setStatus(StatusCode.ERROR);
    }
  }

  private static void failed(Span span, ArmFailure failure) {
    setIds(span, failure.ids());
    if (failure.status() > 0) {
      span.setAttribute("http.response.status_code", failure.status());
    }
    span.setStatus(StatusCode.ERROR, failure.toString());
  }

  private static void setIds(Span span, RequestIds ids) {
    span.setAttribute("az.correlation_request_id", ids.correlation());
    span.setAttribute("az.service_request_id", ids.request());
    span.setAttribute("az.client_request_id", ids.client());
  }
}
