package io.poolkeeper.arm.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.http.policy.BearerTokenAuthenticationPolicy;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.util.Configuration;
import com.azure.resourcemanager.network.fluent.LoadBalancersClient;
import com.azure.resourcemanager.network.implementation.NetworkManagementClientBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import reactor.core.publisher.Mono;
import reactor.netty.resources.ConnectionProvider;

/**
 * What calls are made with: the pipeline, and over it the library's typed client. Both take most of
 * a second to build the first time, for the classes they load.
 */
record ArmClient(
    ArmEndpoint endpoint,
    ArmCalls calls,
    LoadBalancersClient loadBalancers,
    Limits limits,
    Threads threads,
    Runnable disconnect) {
  private static final int CONNECTIONS = 64;
  private static final int WAITING = 4_096;

  /** Shorter than any middle box forgets a silent connection. */
  private static final Duration IDLE = Duration.ofSeconds(45);

  /**
   * What the policies of a pipeline are made with, apart from the settings of Azure.
   *
   * @param fence asked before each try of a write
   */
  record Policies(
      Limits limits,
      ArmObserver observer,
      WriteFence fence,
      Duration maxRetryAfter,
      Clocks clocks) {}

  /**
   * Over HTTP.
   *
   * @throws IllegalArgumentException if the settings make no usable client; the message names the
   *     setting
   */
  static ArmClient connect(
      Settings.Azure azure,
      Policies policies,
      Function<HttpClient, Optional<TokenCredential>> credential) {
    Limits limits = policies.limits();
    ConnectionProvider connections =
        ConnectionProvider.builder("arm")
            .maxConnections(CONNECTIONS)
            .pendingAcquireMaxCount(WAITING)
            .pendingAcquireTimeout(limits.silence())
            .maxIdleTime(IDLE)
            .build();
    HttpClient http = http(azure, limits, connections);
    return over(
        http, azure, policies, credential.apply(http), Threads.ofMachine(), connections::dispose);
  }

  private static HttpClient http(
      Settings.Azure azure, Limits limits, ConnectionProvider connections) {
    var netty = reactor.netty.http.client.HttpClient.create(connections);
    if (azure.trustCaFile().isPresent()) {
      try {
        var trust = TrustedCertificates.with(azure.trustCaFile().get());
        var context = SslContextBuilder.forClient().trustManager(trust).build();
        netty = netty.secure(spec -> spec.sslContext(context));
      } catch (SSLException e) {
        throw new IllegalStateException("no TLS: " + e.getMessage(), e);
      }
    }
    var builder =
        new NettyAsyncHttpClientBuilder(netty)
            .connectTimeout(limits.connect())
            .writeTimeout(limits.silence())
            .responseTimeout(limits.silence())
            .readTimeout(limits.silence());
    // What is on this machine is not reached through a proxy.
    return ArmEndpoint.of(azure).loopback()
        ? builder.configuration(Configuration.NONE).build()
        : builder.build();
  }

  /** Over any HTTP client of the SDK. */
  static ArmClient over(
      HttpClient http,
      Settings.Azure azure,
      Policies policies,
      Optional<TokenCredential> credential,
      Threads threads,
      Runnable disconnect) {
    ArmEndpoint endpoint = ArmEndpoint.of(azure);
    HttpPipeline pipeline = pipeline(http, endpoint, policies, credential, threads);
    LoadBalancersClient loadBalancers =
        new NetworkManagementClientBuilder()
            .pipeline(pipeline)
            .environment(AzureEnvironment.AZURE)
            .endpoint(endpoint.base().toString())
            .subscriptionId(azure.subscriptionId())
            .buildClient()
            .getLoadBalancers();
    return new ArmClient(
        endpoint,
        new ArmCalls(pipeline, policies.maxRetryAfter(), policies.clocks()),
        loadBalancers,
        policies.limits(),
        threads,
        disconnect);
  }

  /**
   * In this order: what is refused or changed before it is sent, and the whole answer, come once
   * per call; below the retry, each try meets the gates, carries a valid token and is reported.
   */
  private static HttpPipeline pipeline(
      HttpClient http,
      ArmEndpoint endpoint,
      Policies with,
      Optional<TokenCredential> credential,
      Threads threads) {
    List<HttpPipelinePolicy> policies = new ArrayList<>();
    policies.add(new UserAgentPolicy("poolkeeper/" + version()));
    policies.add(endpoint::keepAtHome);
    policies.add(endpoint::setApiVersion);
    policies.add(LoadBalancerListing::check);
    policies.add(new WholeAnswer(with.limits(), threads));
    policies.add(new CallRetry(with.limits(), with.clocks(), threads));
    policies.add(new ThrottlePolicy(with.maxRetryAfter(), with.observer(), with.clocks()));
    credential
        .map(found -> new BearerTokenAuthenticationPolicy(found, endpoint.scope()))
        .ifPresent(policies::add);
    policies.add(
        (call, next) ->
            refusal(with, call).<Mono<HttpResponse>>map(Mono::error).orElseGet(next::process));
    policies.add(new ExchangeReport(with.observer(), with.clocks().nanos()));
    return new HttpPipelineBuilder()
        .httpClient(http)
        .policies(policies.toArray(HttpPipelinePolicy[]::new))
        .build();
  }

  /** The last moment at which a try of a write can be withheld. */
  private static Optional<ArmException> refusal(Policies with, HttpPipelineCallContext call) {
    Optional<LoadBalancerId> written =
        ArmCalls.loadBalancer(call)
            .filter(any -> call.getHttpRequest().getHttpMethod() == HttpMethod.PUT);
    Optional<ArmException> refused = written.flatMap(with.fence()::refusal).map(ArmException::new);
    written.filter(any -> refused.isEmpty()).ifPresent(with.observer()::writes);
    return refused;
  }

  private static String version() {
    return Optional.ofNullable(ArmClient.class.getPackage().getImplementationVersion())
        .orElse("dev");
  }
}
