package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.Configuration;
import com.azure.core.util.Context;
import io.netty.handler.ssl.SslContextBuilder;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.tls.TrustedCertificates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.resources.ConnectionProvider;

/**
 * The SDK's HTTP client over sockets: one for reads and one for writes, both derived from one
 * client of netty's. Netty repeats a request by itself if the connection is lost before the request
 * is sent; only reads may do that.
 *
 * <p>Invariants: a try of a write is sent once at most. The write fence is asked when the try has
 * its connection; nothing is waited for between that answer and the first byte.
 *
 * @param reads for calls that may be repeated. The client of tokens uses it, too, past {@link
 *     #send(HttpRequest)}, which takes each POST for a write
 */
record NettyClient(HttpClient reads, HttpClient writes) implements HttpClient {
  /**
   * The most connections to one host. Both clients share them; behind a proxy, each client has so
   * many of its own.
   */
  private static final int MAX_CONNECTIONS = 64;

  private static final int MAX_WAITING = 4_096;

  /** The address of the identity endpoint of a machine. */
  private static final String IDENTITY_ENDPOINT = "169.254.169.254";

  /** Shorter than the time after which any middle box forgets a silent connection. */
  private static final Duration MAX_IDLE = Duration.ofSeconds(45);

  /** The key in reactor's context of what a write asks when it has its connection. */
  private static final String REFUSAL = "poolkeeper-refusal";

  static ConnectionProvider connections(Limits limits) {
    return ConnectionProvider.builder("arm")
        .maxConnections(MAX_CONNECTIONS)
        .pendingAcquireMaxCount(MAX_WAITING)
        .pendingAcquireTimeout(limits.silence())
        .maxIdleTime(MAX_IDLE)
        .build();
  }

  static NettyClient over(ConnectionProvider connections, Azure azure, Limits limits) {
    var netty = reactor.netty.http.client.HttpClient.create(connections);
    if (azure.trustCaFile().isPresent()) {
      try {
        var trust = trust(azure.trustCaFile().get());
        var context = SslContextBuilder.forClient().trustManager(trust).build();
        netty = netty.secure(spec -> spec.sslContext(context));
      } catch (SSLException e) {
        throw new IllegalStateException("no TLS: " + e.getMessage(), e);
      }
    }
    var writes =
        netty.disableRetry(true).doOnRequest((request, connection) -> throwIfRefused(request));
    return new NettyClient(client(netty, azure, limits), client(writes, azure, limits));
  }

  private static TrustedCertificates trust(Path file) {
    try {
      return TrustedCertificates.ofJdkAnd(file);
    } catch (IllegalArgumentException unusable) {
      throw new IllegalArgumentException(
          "azure.trust-ca-file: %s; allowed is a file of PEM certificates"
              .formatted(unusable.getMessage()),
          unusable);
    }
  }

  private static HttpClient client(
      reactor.netty.http.client.HttpClient netty, Azure azure, Limits limits) {
    // Addresses of this machine are not reached through a proxy.
    Configuration configuration =
        ArmEndpoint.of(azure).isLoopback()
            ? Configuration.NONE
            : withProxy(Configuration.getGlobalConfiguration());
    return new NettyAsyncHttpClientBuilder(netty)
        .connectTimeout(limits.connect())
        .writeTimeout(limits.silence())
        .responseTimeout(limits.silence())
        .readTimeout(limits.silence())
        .configuration(configuration)
        .build();
  }

  /**
   * {@code HTTPS_PROXY} and {@code NO_PROXY} count without the library's further switch; nobody
   * else can fetch tokens from the machine's own endpoint.
   */
  @SuppressWarnings("deprecation") // What is in their place does not reach the environment.
  static Configuration withProxy(Configuration environment) {
    String direct = environment.get("NO_PROXY", "");
    return environment
        .clone()
        .put("java.net.useSystemProxies", "true")
        .put("NO_PROXY", direct.isBlank() ? IDENTITY_ENDPOINT : direct + "," + IDENTITY_ENDPOINT);
  }

  /** The same write, which is also refused if it may not begin once it has its connection. */
  static Mono<HttpResponse> withRefusal(
      Mono<HttpResponse> write, Supplier<Optional<ArmException>> refusal) {
    return write.contextWrite(context -> context.put(REFUSAL, refusal));
  }

  /** An exception here closes the connection before a byte of the request is sent. */
  private static void throwIfRefused(HttpClientRequest request) {
    request
        .currentContextView()
        .<Supplier<Optional<ArmException>>>getOrEmpty(REFUSAL)
        .flatMap(Supplier::get)
        .ifPresent(
            refused -> {
              throw refused;
            });
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request) {
    return send(request, Context.NONE);
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request, Context context) {
    boolean read = request.getHttpMethod() == HttpMethod.GET;
    return (read ? reads : writes).send(request, context);
  }
}
