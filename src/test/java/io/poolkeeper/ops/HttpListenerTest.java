package io.poolkeeper.ops;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.poolkeeper.tls.SelfMade;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Directives;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What slow and many clients of a port can do to it and to the other one. */
class HttpListenerTest {
  private static final int MANY = 2_000;
  private static final String HEAD = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  private static final HttpListener.Bounds SHORT =
      new HttpListener.Bounds(
          HttpListener.API.connections(), HttpListener.API.head(), Duration.ofMillis(300));
  private static final HttpListener.Bounds LONG =
      new HttpListener.Bounds(
          HttpListener.API.connections(), HttpListener.API.head(), Duration.ofHours(1));

  private final ActorSystem<Void> system =
      ActorSystem.create(
          Behaviors.empty(),
          "listener",
          ConfigFactory.parseString("pekko.http.server.linger-timeout = 300 ms")
              .withFallback(HttpApi.settings())
              .withFallback(ConfigFactory.load()));
  private final HttpListener listener = new HttpListener(system, "127.0.0.1");
  private final List<SocketChannel> clients = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (SocketChannel client : clients) {
      client.close();
    }
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(15, TimeUnit.SECONDS);
  }

  @Test
  void manySlowClients_ofThePortOfTheApi_delayNoProbe() throws Exception {
    // Given
    InetSocketAddress api = bind(HttpListener.API, Directives.complete("api"));
    InetSocketAddress probes =
        new ProbeListener(
                Map.of(
                    "/",
                    () ->
                        CompletableFuture.completedFuture(
                            new ProbeListener.Answer(200, "text/plain", "ok"))),
                ProbeListener.CONNECTIONS)
            .bind(system, "127.0.0.1", 0)
            .toCompletableFuture()
            .get(15, TimeUnit.SECONDS);
    openSlow(api, MANY);
    await(() -> connected() > HttpListener.API.connections());

    // When
    String answer = get(probes);

    // Then
    assertThat(answer).startsWith("HTTP/1.1 200 OK").endsWith("ok");
  }

  @Test
  void manySlowClients_endByThemselves_andTheNextIsServed() throws Exception {
    // Given
    InetSocketAddress api = bind(SHORT, Directives.complete("api"));
    openSlow(api, MANY);
    await(() -> connected() > SHORT.connections());

    // Then
    await(() -> clients.stream().filter(HttpListenerTest::ended).count() >= SHORT.connections());
    clients.forEach(HttpListenerTest::close);
    await(() -> get(api).endsWith("api"));
  }

  @Test
  void answer_thatHasBegun_outlivesTheTimeForRequests() throws Exception {
    // Given
    Source<ByteString, ?> lines =
        Source.tick(Duration.ZERO, SHORT.requests(), ByteString.fromString("line\n"));
    Route endless =
        Directives.complete(
            HttpResponse.create()
                .withEntity(
                    HttpEntities.createChunked(ContentTypes.TEXT_PLAIN_UTF8, lines.take(12))));

    // When
    String answer = get(bind(SHORT, endless));

    // Then
    assertThat(answer.lines().filter("line"::equals)).hasSize(12);
  }

  @Test
  void answer_thatIsLate_isSentAfterTheTimeForRequests() throws Exception {
    long late = 2 * SHORT.requests().toMillis();
    Route route =
        Directives.extract(
            request ->
                CompletableFuture.supplyAsync(
                    () -> "late", CompletableFuture.delayedExecutor(late, TimeUnit.MILLISECONDS)),
            stage -> Directives.onSuccess(stage, Directives::complete));

    assertThat(send(bind(SHORT, route), HEAD + "\r\n")).endsWith("late");
  }

  @Test
  void body_thatIsTooLong_isRefusedUnread() throws Exception {
    InetSocketAddress api = bind(HttpListener.API, Directives.complete("api"));

    assertThat(send(api, HEAD + "Content-Length: 1000000000\r\n\r\nbegin"))
        .startsWith("HTTP/1.1 200 OK");
    assertThat(send(api, HEAD + "X-Long: " + "x".repeat(20_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431");
  }

  @Test
  void headsThatAreTooLong_endTheirConnections_howeverLongTheyLast() throws Exception {
    // Given
    InetSocketAddress api = bind(LONG, Directives.complete("api"));
    String header = "X-Long: " + "x".repeat(16_000) + "\r\n";
    openSlow(api, LONG.connections());

    // When
    await(() -> connected() == LONG.connections());
    clients.forEach(client -> send(client, header.repeat(2)));

    // Then: sooner than by the idle-timeout
    Awaitility.await()
        .atMost(Duration.ofSeconds(15))
        .until(() -> clients.stream().allMatch(HttpListenerTest::ended));
    assertThat(get(api)).endsWith("api");
  }

  @Test
  void longToken_thatComesByteByByte_isServed() throws Exception {
    InetSocketAddress api = bind(LONG, Directives.complete("api"));
    String head = HEAD + "Authorization: Bearer " + "x".repeat(16_000) + "\r\n";

    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(api, 1_000);
      for (byte one : head.getBytes(US_ASCII)) {
        socket.getOutputStream().write(one);
      }
      assertThat(answer(socket, "Connection: close\r\n\r\n")).endsWith("api");
    }
  }

  @Test
  void requestsThatComeAtOnce_areAnsweredInTurn() throws Exception {
    InetSocketAddress api = bind(LONG, Directives.complete("api"));

    // The first answer of a process may take more than a second on a busy machine.
    try (Socket client = new Socket(api.getAddress(), api.getPort())) {
      client.setSoTimeout(15_000);
      String requests = HEAD + "\r\n" + HEAD + "\n" + HEAD + "Connection: close\r\n\r\n";

      assertThat(answer(client, requests).split("api", -1)).hasSize(4);
    }
  }

  /** A command tries the other scheme then. */
  @Test
  void clientThatBeginsTls_whereThereIsNone_endsAtOnce() throws Exception {
    InetSocketAddress api = bind(LONG, Directives.complete("api"));

    assertThat(send(api, "\u0016\u0003\u0001")).isEmpty();
  }

  @Test
  void clientThatNeverBeginsTls_endsByItself() throws Exception {
    SSLContext tls = SelfMade.create(Instant.EPOCH, 1).context();
    InetSocketAddress api = bind(SHORT, Directives.complete("api"), Optional.of(() -> tls));
    openSlow(api, 1);
    await(() -> connected(clients.getFirst()));

    await(() -> ended(clients.getFirst()));
  }

  /**
   * Each byte of a record that never ends would keep it open; so would a client that says nothing.
   */
  @Test
  void clientsThatNeverEndTheirTlsHandshake_loseTheirPlaces_andTheirSockets() throws Exception {
    SSLContext tls = SelfMade.create(Instant.EPOCH, 1).context();
    InetSocketAddress api =
        bind(
            new HttpListener.Bounds(2, 24 << 10, Duration.ofMillis(300)),
            Directives.complete("api"),
            Optional.of(() -> tls));
    for (int i = 0; i < 4; i++) {
      SocketChannel client = SocketChannel.open(api);
      client.write(ByteBuffer.wrap(new byte[] {22, 3, 1, 62, (byte) 128, 1}));
      client.configureBlocking(false);
      clients.add(client);
    }

    // Before the time in which nothing comes at all.
    Awaitility.await()
        .atMost(Duration.ofSeconds(15))
        .until(() -> clients.stream().allMatch(HttpListenerTest::ended));
  }

  /** As clients do in Java and Go: this record comes while the server's part has yet to be sent. */
  @Test
  void clientThatChangesTheCipherEarly_isSentTheWholeHandshake() throws Exception {
    SSLContext tls = SelfMade.create(Instant.EPOCH, 1).context();
    InetSocketAddress api = bind(LONG, Directives.complete("api"), Optional.of(() -> tls));
    ByteBuffer hello = ByteBuffer.allocate(32 << 10);
    SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", api.getPort());
    engine.setUseClientMode(true);
    engine.wrap(ByteBuffer.allocate(0), hello);
    hello.put(new byte[] {20, 3, 3, 0, 1, 1}).flip();
    try (SocketChannel client = SocketChannel.open(api)) {
      // When
      client.write(hello);

      // Then
      DataInputStream records = new DataInputStream(client.socket().getInputStream());
      assertThat(recordType(records)).as("server hello").isEqualTo(22);
      assertThat(recordType(records)).as("change of the cipher").isEqualTo(20);
      assertThat(recordType(records)).as("encrypted").isEqualTo(23);
    }
  }

  private static int recordType(DataInputStream records) throws IOException {
    int type = records.read();
    records.skipNBytes(2);
    records.skipNBytes(records.readUnsignedShort());
    return type;
  }

  private InetSocketAddress bind(HttpListener.Bounds bounds, Route route) throws Exception {
    return bind(bounds, route, Optional.empty());
  }

  private InetSocketAddress bind(
      HttpListener.Bounds bounds, Route route, Optional<Supplier<SSLContext>> tls)
      throws Exception {
    return listener
        .bind(0, bounds, route.function(system), tls)
        .toCompletableFuture()
        .get(15, TimeUnit.SECONDS);
  }

  /** Each sends a part of its head. */
  private void openSlow(InetSocketAddress to, int number) throws IOException {
    for (int i = 0; i < number; i++) {
      SocketChannel client = SocketChannel.open();
      client.configureBlocking(false);
      clients.add(client);
      client.connect(to);
    }
  }

  private long connected() {
    return clients.stream().filter(HttpListenerTest::connected).count();
  }

  private static boolean connected(SocketChannel client) {
    try {
      if (client.isConnected()) {
        return true;
      }
      if (!client.finishConnect()) {
        return false;
      }
      client.write(ByteBuffer.wrap(HEAD.getBytes(US_ASCII)));
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  private static boolean ended(SocketChannel client) {
    try {
      return client.isConnected() && client.read(ByteBuffer.allocate(1_000)) < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  private static void close(SocketChannel client) {
    try {
      client.close();
    } catch (IOException unusable) {
      throw new java.io.UncheckedIOException(unusable);
    }
  }

  private static String get(InetSocketAddress from) throws IOException {
    return send(from, HEAD + "Connection: close\r\n\r\n");
  }

  /** All that is answered; waits at most 1 s for each part of it. */
  private static String send(InetSocketAddress to, String request) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(1_000);
      socket.connect(to, 1_000);
      return answer(socket, request);
    }
  }

  private static String answer(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    return new String(socket.getInputStream().readAllBytes(), US_ASCII);
  }

  private static void send(SocketChannel client, String text) {
    try {
      client.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
    } catch (IOException ended) {
      // So it should be.
    }
  }

  private static void await(java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await()
        .ignoreExceptions()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(condition);
  }
}
