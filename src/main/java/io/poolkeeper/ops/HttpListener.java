package io.poolkeeper.ops;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.RemoteAddress;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.TLSClosing;
import org.apache.pekko.stream.TLSProtocol.SendBytes;
import org.apache.pekko.stream.TLSProtocol.SessionBytes;
import org.apache.pekko.stream.TLSProtocol.SslTlsInbound;
import org.apache.pekko.stream.TLSProtocol.SslTlsOutbound;
import org.apache.pekko.stream.javadsl.BidiFlow;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.TLS;
import org.apache.pekko.stream.javadsl.TLSPlacebo;
import org.apache.pekko.stream.javadsl.Tcp;
import org.apache.pekko.util.ByteString;

/**
 * Serves the port of the API within bounds, so that slow or many clients neither affect others nor
 * fill the heap. Nobody reads a body: no served request has one.
 */
final class HttpListener {
  /** The dispatcher of the actors that probes ask, whatever the others do. */
  static final String PROBES_DISPATCHER = "probes-dispatcher";

  // 256 x (3 heads of 24 KiB: one arrives, one is parsed, one is answered; 3 buffers of 32 KiB;
  // some 150 KiB of TLS) = 80 MiB at most, without answers; a token has up to 16 KiB.
  static final Bounds API = new Bounds(256, 24 << 10, Duration.ofSeconds(10));

  /**
   * What the port allows.
   *
   * @param connections at once; more wait to be accepted
   * @param head bytes of a request before its body
   * @param requests how long after its start a connection takes requests; the end cuts a head that
   *     comes byte by byte, but no answer that has begun
   */
  record Bounds(int connections, int head, Duration requests) {}

  /**
   * Settings below the user's own. An answer that nobody reads ends after {@code idle-timeout}; a
   * token has a few thousand bytes. A connection holds two buffers of {@code direct-buffer-size}
   * that it has read, and one that it writes.
   */
  static final Config SETTINGS =
      ConfigFactory.parseString(
          """
          pekko.http.server {
            idle-timeout = 30 s
            linger-timeout = 5 s
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
          pekko.io.tcp.direct-buffer-size = 32 KiB
          probes-dispatcher {
            executor = thread-pool-executor
            thread-pool-executor.fixed-pool-size = 2
          }
          """);

  /**
   * TLS sends its part of a handshake without waiting for the socket. It ends the connection of a
   * client whose next record comes while it waits (Pekko 1.7.0, "Stuck in unwrap loop").
   */
  private static final Attributes HANDSHAKE = Attributes.inputBuffer(8, 8);

  private final ActorSystem<?> system;
  private final String host;
  private final Materializer materializer;

  HttpListener(ActorSystem<?> system, String host) {
    this.system = system;
    this.host = host;
    materializer = SystemMaterializer.get(system).materializer();
  }

  /**
   * Serves until the system ends; port 0 takes any free one.
   *
   * @param answer does not fail
   * @param tls is asked at each new connection; empty for none
   * @return the address
   */
  CompletionStage<InetSocketAddress> bind(
      int port,
      Bounds bounds,
      Function<HttpRequest, CompletionStage<HttpResponse>> answer,
      Optional<Supplier<SSLContext>> tls) {
    // One for all, as it has learned much of headers.
    var http = Http.get(system).serverLayer();
    var bytes = tls(tls);
    return incoming(port)
        .mapAsyncUnordered(
            bounds.connections(), connection -> serve(connection, bounds, answer, bytes, http))
        .to(Sink.ignore())
        .run(materializer)
        .thenApply(Tcp.ServerBinding::localAddress);
  }

  /** Completes when the connection has ended, however it did. */
  private CompletionStage<Done> serve(
      Tcp.IncomingConnection connection,
      Bounds bounds,
      Function<HttpRequest, CompletionStage<HttpResponse>> answer,
      BidiFlow<ByteString, ByteString, ByteString, ByteString, NotUsed> tls,
      BidiFlow<HttpResponse, SslTlsOutbound, SslTlsInbound, HttpRequest, NotUsed> http) {
    var from = RemoteAddress.create(connection.remoteAddress().getAddress());
    SharedKillSwitch socket = KillSwitches.shared("connection");
    ConnectionFlow answers =
        new ConnectionFlow(
            bounds.requests(),
            () -> socket.abort(new TimeoutException("no request")),
            request -> {
              request.discardEntityBytes(materializer);
              return answer.apply(request.addAttribute(AttributeKeys.remoteAddress, from));
            });
    return Flow.<ByteString>create()
        .via(socket.flow())
        .addAttributes(HANDSHAKE)
        .viaMat(connection.flow().watchTermination(Keep.right()), Keep.right())
        .via(socket.flow())
        .join(tls.reversed())
        .via(new RequestHeads(bounds.head()))
        .join(TLSPlacebo.getInstance().reversed())
        .map(SslTlsInbound.class::cast)
        .join(http.reversed())
        .join(answers)
        // TLS would read ahead as many parts as fit.
        .addAttributes(Attributes.inputBuffer(1, 1))
        .run(materializer)
        .exceptionally(broken -> Done.getInstance());
  }

  private Source<Tcp.IncomingConnection, CompletionStage<Tcp.ServerBinding>> incoming(int port) {
    Config settings = system.settings().config().getConfig("pekko.http.server");
    return Tcp.get(system)
        .bind(
            host,
            port,
            settings.getInt("backlog"),
            List.of(),
            false,
            Optional.of(settings.getDuration("idle-timeout")));
  }

  /** Bytes outside, and bytes inside, of TLS; the same without it. */
  private static BidiFlow<ByteString, ByteString, ByteString, ByteString, NotUsed> tls(
      Optional<Supplier<SSLContext>> tls) {
    return tls.map(
            context ->
                BidiFlow.<ByteString, SslTlsOutbound, SslTlsInbound, ByteString>fromFunctions(
                        SendBytes::new,
                        part ->
                            part instanceof SessionBytes plain
                                ? plain.bytes()
                                : ByteString.emptyByteString())
                    .atop(TLS.create(() -> engine(context.get()), TLSClosing.eagerClose())))
        .orElseGet(() -> BidiFlow.fromFunctions(sent -> sent, received -> received));
  }

  private static SSLEngine engine(SSLContext context) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    return engine;
  }
}
