package io.poolkeeper.arm.azure;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.ClientOptions;
import com.azure.core.util.Context;
import com.azure.core.util.TracingOptions;
import java.util.List;

/**
 * The policies and options that make spans of calls.
 *
 * <p>When the Azure SDK builds its first pipeline, it asks OpenTelemetry for a global tracer, even
 * if nothing is traced. {@link ArmClient} sets an empty one before, or OpenTelemetry would search
 * its whole SDK.
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
