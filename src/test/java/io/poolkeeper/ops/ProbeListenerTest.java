package io.poolkeeper.ops;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.poolkeeper.access.AccessPolicy;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.config.Settings;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port of probes on loopback, under floods and while the rest of the process hangs. */
class ProbeListenerTest {
  private final ActorSystem<Void> system =
      ActorSystem.create(
          Behaviors.empty(),
          "probes",
          ConfigFactory.parseString(
                  """
                  pekko.actor.default-dispatcher {
                    executor = thread-pool-executor
                    thread-pool-executor.fixed-pool-size = 1
                  }
                  """)
              .withFallback(HttpApi.settings())
              .withFallback(ConfigFactory.load()));
  private final List<Closeable> clients = new ArrayList<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile Instant now = Instant.EPOCH;
  private InetSocketAddress probes;

  @BeforeEach
  void serve() throws Exception {
    try (ServerSocket free = new ServerSocket(0)) {
      probes = new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
    }
    Metrics metrics = new Metrics(AdmissionLimits.SHIPPED, List.of(), () -> now);
    ActorRef<StatusActor.Command> status =
        system.systemActorOf(
            StatusActor.create(false, () -> now, metrics::propagated, () -> CallsLeft.UNKNOWN),
            "status",
            HttpApi.probes());
    ActorRef<LivenessActor.Command> liveness =
        system.systemActorOf(
            LivenessActor.create(
                Map.of("core", ping -> system.executionContext().execute(ping)), () -> now),
            "liveness",
            HttpApi.probes());
    new HttpApi(
            system,
            status,
            liveness,
            metrics,
            new Moment.Source(Scene.SELF, Optional::empty, LinkedHashMap::new, () -> now),
            List.of(),
            known -> new CompletableFuture<>(),
            (token, area) -> new CompletableFuture<>())
        .bind(
            new Settings.Http(
                "127.0.0.1",
                0,
                Optional.of(probes.getPort()),
                AccessPolicy.OPEN,
                Optional.empty(),
                new Settings.Tls.None()),
            Optional.empty())
        .toCompletableFuture()
        .join();
  }

  @AfterEach
  void stop() throws Exception {
    released.countDown();
    for (Closeable client : clients) {
      client.close();
    }
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
  }

  /** More connections than there are places, and more before each probe; none says anything. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(ints = {1, 200})
  void probe_whileOthersFloodThePort_isAnsweredWithinASecond(int addresses) throws Exception {
    flood(1_500, addresses);

    for (int i = 0; i < 20; i++) {
      flood(100, addresses);
      assertThat(get("/healthz")).startsWith("HTTP/1.1 200").endsWith("ok\n");
    }
  }

  private void flood(int connections, int addresses) throws IOException {
    for (int i = 0; i < connections; i++) {
      SocketChannel client = SocketChannel.open();
      clients.add(client);
      client.configureBlocking(false);
      client.bind(
          new InetSocketAddress(
              InetAddress.getByName("127.0.1." + (1 + clients.size() % addresses)), 0));
      client.connect(probes);
    }
  }

  /** So that the kubelet is served where a neighbour has its address. */
  @Test
  void ninthConnectionOfAnAddress_endsTheOldestOne_andIsServed() throws Exception {
    Socket first = client("127.0.1.1");
    Socket second = client("127.0.1.1");
    clients.addAll(List.of(first, second));
    for (int i = 2; i < 8; i++) {
      clients.add(client("127.0.1.1"));
    }

    try (Socket ninth = client("127.0.1.1")) {
      first.setSoTimeout(1_000);
      assertThat(first.getInputStream().read()).isEqualTo(-1);
      assertThat(answer(ninth, "/healthz")).startsWith("HTTP/1.1 200");
    }
    assertThat(answer(second, "/healthz")).startsWith("HTTP/1.1 200");
  }

  /** Each would cost a verification of all pools. */
  @Test
  void requestsThatComeWithTheFirst_areNotAnswered() throws Exception {
    try (Socket client = client("127.0.1.1")) {
      String more = "GET /healthz HTTP/1.1\r\n\r\n".repeat(100);

      assertThat(answer(client, "/healthz HTTP/1.1\r\n\r\n" + more + "GET /healthz"))
          .containsOnlyOnce("HTTP/1.1");
    }
  }

  @Test
  void otherPaths_andHeadsThatAreTooLong_areRefused() throws Exception {
    assertThat(get("/metrics")).startsWith("HTTP/1.1 404");
    assertThat(get("/" + "x".repeat(3_000))).startsWith("HTTP/1.1 400");
    assertThat(get("/healthz?verbose")).startsWith("HTTP/1.1 200");
  }

  @Test
  void probes_whileTheCoresHang_areAnswered_andSaySoInTime() throws Exception {
    // Given
    assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
    CountDownLatch hangs = new CountDownLatch(1);
    system.executionContext().execute(() -> hang(hangs));
    hangs.await();

    // When
    String soon = get("/healthz");
    String ready = get("/readyz");
    now = now.plus(Duration.ofSeconds(31));
    String late = get("/healthz");

    // Then
    assertThat(soon).startsWith("HTTP/1.1 200");
    assertThat(ready).contains("load balancers were not listed yet");
    assertThat(late).startsWith("HTTP/1.1 503").contains("core has not answered for 31 s");
  }

  private void hang(CountDownLatch begun) {
    begun.countDown();
    try {
      released.await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket client(String from) throws IOException {
    Socket client = new Socket();
    client.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    client.connect(probes, 1_000);
    return client;
  }

  private String get(String path) throws IOException {
    try (Socket client = client("127.0.0.1")) {
      return answer(client, path);
    }
  }

  /** Waits at most a second. */
  private static String answer(Socket client, String path) throws IOException {
    client.setSoTimeout(1_000);
    client
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                .formatted(path)
                .getBytes(US_ASCII));
    return new String(client.getInputStream().readAllBytes(), US_ASCII);
  }
}
