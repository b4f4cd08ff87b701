package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.poolkeeper.lock.LeaseAnswer;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.LeaseView.Whose;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the answers of an API server mean, whose Lease can be read, and written as a test says. */
class KubeLeasesTest {
  private static final String LEASE =
      "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\", \"metadata\": {\"name\":"
          + " \"lock\", \"namespace\": \"kube-system\", \"resourceVersion\": \"7\"}, \"spec\":"
          + " {\"holderIdentity\": \"\"}}";
  private static final String LIST =
      "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"LeaseList\", \"metadata\":"
          + " {\"resourceVersion\": \"9\"}, \"items\": []}";
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private KubernetesClient client;
  private KubeLeases leases;
  private volatile int readStatus = 200;
  private volatile int writeStatus = 403;
  private volatile String version = "7";

  /** The items of a list; empty if it is refused. */
  private volatile Optional<String> listed = Optional.empty();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withHttp2Disable(true)
                    .withWatchReconnectInterval(50)
                    .build())
            .build();
    leases = leases(view -> {});
  }

  private KubeLeases leases(Consumer<LeaseView> seen) {
    return new KubeLeases(
        client,
        new KubeLeases.Terms(
            "kube-system", "lock", "poolkeeper", Duration.ofMinutes(15), Optional.empty()),
        InstantSource.system(),
        InstantSource.system(),
        seen);
  }

  @AfterEach
  void stop() {
    leases.close();
    client.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    boolean list = exchange.getRequestURI().getPath().endsWith("/leases");
    boolean reads = method.equals("GET");
    if (!reads) {
      writes.add(method);
    }
    boolean watch = String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true");
    // A watch that is refused lists again.
    int readOrListed = list ? (listed.isEmpty() || watch ? 404 : 200) : readStatus;
    int status = reads ? readOrListed : writeStatus;
    String found =
        list ? LIST.replace("[]", "[" + listed.orElse("") + "]") : LEASE.replace("7", version);
    String json =
        status >= 300
            ? "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": %d}".formatted(status)
            : reads ? found : body;
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private LeaseView read() {
    return ((LeaseAnswer.Is) leases.read().toCompletableFuture().join()).view();
  }

  private LeaseAnswer take() {
    LeaseView before = read();
    return leases.take(before).toCompletableFuture().join();
  }

  @ParameterizedTest
  @CsvSource({"409, true", "404, true", "403, false", "500, false", "503, false"})
  void take_refused_isAConflictIfTheLeaseHasChanged_andIsNotRepeated(int status, boolean conflict) {
    writeStatus = status;

    assertThat(take() instanceof LeaseAnswer.Conflict).isEqualTo(conflict);

    assertThat(writes).containsExactly("PUT");
  }

  @ParameterizedTest
  @CsvSource({"409, true", "404, false", "403, false"})
  void take_thereIsNone_missingNamespaceIsAFailure(int status, boolean conflict) {
    readStatus = 404;
    writeStatus = status;

    LeaseAnswer answer = take();

    assertThat(answer instanceof LeaseAnswer.Conflict).isEqualTo(conflict);
    assertThat(answer instanceof LeaseAnswer.Failed).isEqualTo(!conflict);
    assertThat(writes).containsExactly("POST");
  }

  @Test
  void take_afterARestoreToLowerVersions_isOfTheVersionReadLast() {
    writeStatus = 200;
    for (int later = 1_000; later < 1_020; later++) {
      version = Integer.toString(later);
      read();
    }
    version = "7";

    assertThat(take()).isInstanceOf(LeaseAnswer.Is.class);

    assertThat(writes).containsExactly("PUT");
  }

  @Test
  void giveBack_ofALeaseWhoseForerunnerIsSeenToBeDeletedLate_isWritten() throws Exception {
    writeStatus = 200;
    listed = Optional.of(LEASE.replace("7", "5").replace("\"\"", "\"other\""));
    CountDownLatch found = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    try (KubeLeases watching =
        leases(view -> (view.holder().isPresent() ? found : gone).countDown())) {
      assertThat(found.await(10, TimeUnit.SECONDS)).isTrue();
      LeaseView next = ((LeaseAnswer.Is) watching.read().toCompletableFuture().join()).view();

      listed = Optional.of("");
      assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();

      assertThat(watching.giveBack(next).toCompletableFuture().join())
          .isInstanceOf(LeaseAnswer.Is.class);
    }
    assertThat(writes).containsExactly("PUT");
  }

  @Test
  void take_laterThanAnotherOne_isOurs() {
    writeStatus = 200;
    LeaseAnswer first = take();
    LeaseAnswer second = take();

    assertThat(List.of(first, second))
        .extracting(
            answer -> ((LeaseAnswer.Is) answer).view().holder().map(LeaseView.Holder::whose))
        .containsOnly(Optional.of(Whose.OURS));
  }
}
