package io.poolkeeper.ops;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.ServerBuilder;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Flow;

/**
 * Serves ports of one host, each within its bounds, so that slow or many clients of one port affect
 * neither it nor another. Nobody reads a body: no served request has one.
 */
final class HttpListener {
  static final Bounds API = new Bounds(512, Duration.ofSeconds(10));

  static final Bounds PROBES = new Bounds(1_024, Duration.ofSeconds(2));

  /**
   * What a port allows.
   *
   * @param connections at once; more wait to be accepted
   * @param requests how long after its start a connection takes requests: so a head that comes byte
   *     by byte ends with it, and an answer that has begun does not
   */
  record Bounds(int connections, Duration requests) {}

  /**
   * Settings below the user's own. An answer that nobody reads ends after {@code idle-timeout}; a
   * token has a few thousand bytes.
   */
  static final Config SETTINGS =
      ConfigFactory.parseString(
          """
          pekko.http.server {
            idle-timeout = 30 s
            server-header = ""
            parsing {
              max-content-length = 4 KiB
              max-uri-length = 2 KiB
              max-header-count = 64
              max-header-value-length = 16 KiB
              illegal-header-warnings = off
              error-logging-verbosity = off
            }
          }
          """);

  private final ActorSystem<?> system;
  private final String host;

  HttpListener(ActorSystem<?> system, String host) {
    this.system = system;
    this.host = host;
  }

  /**
   * Serves until the system ends; port 0 takes any free one.
   *
   * @param tls is asked at each new connection; empty for none
   */
  CompletionStage<ServerBinding> bind(
      int port, Bounds bounds, Route route, Optional<Supplier<SSLContext>> tls) {
    ServerSettings settings =
        ServerSettings.create(system.settings().config())
            .withRemoteAddressAttribute(true)
            .withMaxConnections(bounds.connections());
    ServerBuilder plain = Http.get(system).newServerAt(host, port).withSettings(settings);
    return tls.map(of -> plain.enableHttps(ConnectionContext.httpsServer(() -> engine(of.get()))))
        .orElse(plain)
        .bindFlow(flow(bounds, route));
  }

  private static SSLEngine engine(SSLContext of) {
    SSLEngine engine = of.createSSLEngine();
    engine.setUseClientMode(false);
    return engine;
  }

  private Flow<HttpRequest, HttpResponse, NotUsed> flow(Bounds bounds, Route route) {
    var answer = route.function(system);
    var materializer = SystemMaterializer.get(system).materializer();
    return Flow.fromGraph(
        new ConnectionFlow(
            bounds.requests(),
            request -> {
              request.discardEntityBytes(materializer);
              return answer.apply(request);
            }));
  }
}
