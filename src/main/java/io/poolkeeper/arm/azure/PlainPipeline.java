package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RequestIdPolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import io.poolkeeper.arm.Azure;
import java.util.ArrayList;
import java.util.List;
import reactor.netty.resources.ConnectionProvider;

/**
 * The pipeline of calls that examine ARM itself. They are signed in as the controller is, go to its
 * endpoint alone and within its bounds, and are neither repeated, held back nor fenced.
 */
public final class PlainPipeline implements AutoCloseable {
  private final ConnectionProvider connections;
  private final ArmEndpoint endpoint;
  private final HttpPipeline pipeline;

  private PlainPipeline(
      ConnectionProvider connections, ArmEndpoint endpoint, HttpPipeline pipeline) {
    this.connections = connections;
    this.endpoint = endpoint;
    this.pipeline = pipeline;
  }

  /**
   * Builds the pipeline; the first call connects.
   *
   * @param observer is called with each whole answer
   * @throws IllegalArgumentException if the settings make no usable client; the message names the
   *     setting
   */
  public static PlainPipeline connect(Azure azure, HttpPipelinePolicy observer) {
    ArmEndpoint endpoint = ArmEndpoint.of(azure);
    Limits limits = Limits.DEFAULT;
    Threads threads = Threads.ofMachine();
    ConnectionProvider connections = NettyClient.connections(limits);
    NettyClient http = NettyClient.over(connections, azure, limits);
    List<HttpPipelinePolicy> policies = new ArrayList<>();
    policies.add(new UserAgentPolicy("poolkeeper-verify/" + ArmClient.version()));
    policies.add(endpoint::refuseOtherOrigins);
    policies.add(observer);
    policies.add(new ArmClient.WholeAnswer(limits, threads));
    policies.add(new RequestIdPolicy());
    Credentials.of(azure, http.reads())
        .map(
            signIn -> new TokenPolicy(signIn, endpoint.scope(), limits.silence(), threads.delays()))
        .ifPresent(policies::add);
    return new PlainPipeline(
        connections,
        endpoint,
        new HttpPipelineBuilder()
            .httpClient(http)
            .clientOptions(CallTracing.OFF.options())
            .policies(policies.toArray(HttpPipelinePolicy[]::new))
            .build());
  }

  public HttpPipeline pipeline() {
    return pipeline;
  }

  /** Where ARM is, without a trailing slash. */
  public String endpoint() {
    return endpoint.base().toString();
  }

  /** The URL of a path, escaped. */
  public String url(String path, String version) {
    return endpoint.url(path, version);
  }

  @Override
  public void close() {
    connections.dispose();
  }
}
