package io.poolkeeper.arm.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.http.policy.BearerTokenAuthenticationPolicy;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.util.Configuration;
import io.netty.handler.ssl.SslContextBuilder;
import io.poolkeeper.arm.ArmObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import reactor.netty.resources.ConnectionProvider;

/**
 * The HTTP client and the pipeline on it: User-Agent, retry, throttle, token, report, in this
 * order, so that each repetition meets the gates, carries a valid token and is reported.
 */
final class ArmClient {
  private static final int CONNECTIONS = 64;
  private static final int WAITING = 4_096;

  /** Shorter than any middle box forgets a silent connection. */
  private static final Duration IDLE = Duration.ofSeconds(45);

  private final ArmEndpoint endpoint;
  private final Optional<TrustManagerFactory> trust;
  private final Limits limits;
  private final ConnectionProvider connections;

  ArmClient(
      ArmEndpoint endpoint,
      Optional<TrustManagerFactory> trust,
      Limits limits,
      ConnectionProvider connections) {
    this.endpoint = endpoint;
    this.trust = trust;
    this.limits = limits;
    this.connections = connections;
  }

  static ConnectionProvider connections(Limits limits) {
    return ConnectionProvider.builder("arm")
        .maxConnections(CONNECTIONS)
        .pendingAcquireMaxCount(WAITING)
        .pendingAcquireTimeout(limits.silence())
        .maxIdleTime(IDLE)
        .build();
  }

  /** Takes most of a second the first time, for the classes it loads. */
  HttpPipeline pipeline(
      Function<HttpClient, Optional<TokenCredential>> credential,
      ArmObserver observer,
      Duration maxRetryAfter,
      Clocks clocks)
      throws SSLException {
    HttpClient http = http();
    return pipeline(
        http,
        endpoint,
        credential.apply(http),
        limits,
        observer,
        maxRetryAfter,
        clocks,
        Threads.ofMachine());
  }

  private HttpClient http() throws SSLException {
    var netty = reactor.netty.http.client.HttpClient.create(connections);
    if (trust.isPresent()) {
      var context = SslContextBuilder.forClient().trustManager(trust.get()).build();
      netty = netty.secure(spec -> spec.sslContext(context));
    }
    var builder =
        new NettyAsyncHttpClientBuilder(netty)
            .connectTimeout(limits.connect())
            .writeTimeout(limits.silence())
            .responseTimeout(limits.silence())
            .readTimeout(limits.silence());
    // What is on this machine is not reached through a proxy.
    return endpoint.loopback()
        ? builder.configuration(Configuration.NONE).build()
        : builder.build();
  }

  /** The policies over any client. */
  static HttpPipeline pipeline(
      HttpClient http,
      ArmEndpoint endpoint,
      Optional<TokenCredential> credential,
      Limits limits,
      ArmObserver observer,
      Duration maxRetryAfter,
      Clocks clocks,
      Threads threads) {
    List<HttpPipelinePolicy> policies = new ArrayList<>();
    policies.add(new UserAgentPolicy("poolkeeper/" + version()));
    policies.add(new CallRetry(limits, clocks, threads));
    policies.add(new ThrottlePolicy(maxRetryAfter, observer, clocks));
    credential
        .map(found -> new BearerTokenAuthenticationPolicy(found, endpoint.scope()))
        .ifPresent(policies::add);
    policies.add(new ExchangeReport(observer, clocks.nanos()));
    return new HttpPipelineBuilder()
        .httpClient(http)
        .policies(policies.toArray(HttpPipelinePolicy[]::new))
        .build();
  }

  private static String version() {
    return Optional.ofNullable(ArmClient.class.getPackage().getImplementationVersion())
        .orElse("dev");
  }
}
