package io.poolkeeper.arm.azure;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.ClientOptions;
import com.azure.core.util.Context;
import com.azure.core.util.TracingOptions;
import java.util.List;

/**
 * How calls become spans.
 *
 * <p>The Azure SDK asks OpenTelemetry for a global tracer when its first pipeline is built, whether
 * or not anything is traced. That there is none is said before, or OpenTelemetry would look for it
 * in the whole SDK.
 */
interface CallTracing {
  /** No spans, and nothing of OpenTelemetry's SDK is loaded. */
  CallTracing OFF = new CallTracing() {};

  /** What a call that begins on this thread belongs to. */
  default Context parent() {
    return Context.NONE;
  }

  /** Policies that run once per call. */
  default List<HttpPipelinePolicy> ofCall() {
    return List.of();
  }

  /** Policies that run once per try, when its id is known. */
  default List<HttpPipelinePolicy> ofTry() {
    return List.of();
  }

  default ClientOptions options() {
    return new ClientOptions().setTracingOptions(new TracingOptions().setEnabled(false));
  }
}
