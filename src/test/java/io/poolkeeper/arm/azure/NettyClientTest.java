package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.failure;
import static io.poolkeeper.arm.azure.Outcome.value;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL_BODY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.armsim.Authority;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to requests while their connection is made, over real TLS. */
class NettyClientTest {
  private static final ArmFailure WITHHELD =
      new ArmFailure(Kind.WITHHELD, 0, "", "the Lease went back");
  private static final ArmFailure STANDBY =
      new ArmFailure(Kind.SHUTDOWN, 0, "", "this replica does not lead");
  private static final PoolEdit EDIT =
      PoolEdit.of(Set.of(), Map.of(Address.of("10.0.0.9"), "node-9"));

  /** A record with a fatal alert. */
  private static final byte[] PROTOCOL_VERSION = {21, 3, 3, 0, 2, 2, 70};

  @TempDir private static Path dir;
  private static Path trusted;
  private static SSLContext tls;

  private final ScriptedArm server = new ScriptedArm();
  private final Front front = new Front();
  private final List<String> heard = new CopyOnWriteArrayList<>();

  /** To the next questions whether a write may begin; to further ones, it may. */
  private final Queue<Optional<ArmFailure>> refusals = new ConcurrentLinkedQueue<>();

  private AzureArm arm;
  private PoolDocument document;

  @BeforeAll
  static void certify() throws IOException {
    Authority authority = Authority.create(InstantSource.system());
    trusted = Files.writeString(dir.resolve("ca.pem"), authority.pem());
    tls = authority.server().context();
  }

  /** The client under test has no connection yet. */
  @BeforeEach
  void read() {
    server.answers(200, POOL_BODY);
    try (AzureArm reader = client(front.base())) {
      document = value(reader.get(POOL, Instant.MAX));
    }
    server.requests().clear();
    front.connections.clear();
    heard.clear();
    arm = client(front.base());
  }

  private AzureArm client(String base) {
    Azure plain = ScriptedArm.settings(URI.create(base));
    return AzureArm.create(
        new Azure(
            plain.subscriptionId(),
            plain.resourceGroup(),
            plain.loadBalancerResourceGroup(),
            plain.vnetId(),
            plain.loadBalancers(),
            plain.cloud(),
            plain.endpoint(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(trusted),
            plain.credential(),
            plain.apiVersion()),
        ScriptedArm.PATIENCE,
        ScriptedArm.LONGEST,
        new ArmObserver() {
          @Override
          public void answered(String call, int status, Duration took) {
            heard.add(call + " " + status);
          }

          @Override
          public void accepted(LoadBalancerId loadBalancer) {
            heard.add("accepted");
          }
        },
        at -> Optional.ofNullable(refusals.poll()).flatMap(refusal -> refusal),
        ScriptedArm.CLOCKS,
        Optional.empty());
  }

  @AfterEach
  void stop() throws IOException {
    arm.close();
    front.close();
    server.close();
  }

  @Test
  @SuppressWarnings("deprecation")
  void proxied_proxyOfTheEnvironment_needsNoSwitch_andIsNotForTheTokensOfTheMachine() {
    Configuration environment =
        Configuration.getGlobalConfiguration()
            .clone()
            .put("HTTPS_PROXY", "http://proxy.example:3128")
            .put("NO_PROXY", "direct.example");

    ProxyOptions proxy = ProxyOptions.fromConfiguration(NettyClient.withProxy(environment), true);

    assertThat(proxy.getAddress()).hasToString("proxy.example/<unresolved>:3128");
    for (String direct : List.of("direct.example", "169.254.169.254")) {
      assertThat(direct).matches(proxy.getNonProxyHosts());
    }
    assertThat("management.azure.com").doesNotMatch(proxy.getNonProxyHosts());
  }

  @Test
  void put_mayNotBeginAnyMoreWhenItsConnectionIsThere_isNotSentAndIsNoExchange() {
    // Between the first question and the handshake.
    front.finishes = any -> refusals.add(Optional.of(WITHHELD));

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure).isEqualTo(WITHHELD);
    assertThat(failure.unsent()).isTrue();
    assertThat(front.connections).hasSize(1);
    assertThat(server.methods()).isEmpty();
    assertThat(heard).isEmpty();
  }

  @Test
  void put_refusedOverAConnectionThatIsInUse_isNotSentAndTheNextCallIs() {
    server.answers(200, POOL_BODY).answers(200, POOL_BODY);
    value(arm.get(POOL, Instant.MAX));
    refusals.addAll(List.of(Optional.empty(), Optional.of(STANDBY)));

    assertThat(failure(arm.put(document, EDIT, Instant.MAX))).isEqualTo(STANDBY);

    value(arm.get(POOL, Instant.MAX));
    assertThat(server.methods()).containsExactly("GET", "GET");
    assertThat(heard).containsExactly("get 200", "get 200");
  }

  @Test
  void put_connectionBreaksOffInTheHandshake_isNotRepeated() {
    front.finishes = number -> number > 1;
    server.answers(200, POOL_BODY);

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.TRANSPORT);
    assertThat(front.connections).hasSize(1);
    assertThat(server.methods()).isEmpty();
    assertThat(heard).containsExactly("put 0");
  }

  /** Nobody listens at the port, and nobody else can: it is bound as long as the test runs. */
  @Test
  void put_connectionRefused_leavesNoWriteInDoubt() throws IOException {
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      arm.close();
      arm = client("https://127.0.0.1:" + bound.getLocalPort());

      ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

      assertThat(failure.kind()).isEqualTo(Kind.UNCONNECTED);
      assertThat(failure.permitResult(true).settles()).isFalse();
    }
  }

  /** As a server does whose oldest protocol is newer than the client's newest. */
  @Test
  void put_protocolRefused_isTerminalAndLeavesNoWriteInDoubt() {
    front.instead = Optional.of(PROTOCOL_VERSION);

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.verdict()).isEqualTo(Verdict.TERMINAL);
    assertThat(failure.permitResult(true).settles()).isFalse();
    assertThat(server.methods()).isEmpty();
  }

  @Test
  void get_peerSpeaksNoTls_isTerminal() {
    front.instead = Optional.of("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));

    ArmFailure failure = failure(arm.get(POOL, Instant.MAX));

    assertThat(failure.verdict()).isEqualTo(Verdict.TERMINAL);
    assertThat(failure.message()).startsWith("no TLS with Azure Resource Manager: ");
  }

  @Test
  void get_connectionBreaksOffInTheHandshake_isSentOverAnother() {
    front.finishes = number -> number > 1;
    server.answers(200, POOL_BODY);

    value(arm.get(POOL, Instant.MAX));

    assertThat(front.connections).hasSize(2);
    assertThat(heard).containsExactly("get 200");
  }

  /** TLS in front of the server. */
  private final class Front implements AutoCloseable {
    private final ServerSocket listening;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();

    /** By the number of a connection, from 1: whether its handshake is finished or broken off. */
    private volatile IntPredicate finishes = any -> true;

    /** What every connection is told in place of a handshake. */
    private volatile Optional<byte[]> instead = Optional.empty();

    Front() {
      try {
        listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Thread.ofVirtual().start(this::accept);
    }

    String base() {
      return "https://127.0.0.1:" + listening.getLocalPort();
    }

    private void accept() {
      try {
        while (true) {
          Socket one = listening.accept();
          connections.add(one);
          boolean finished = finishes.test(connections.size());
          Thread.ofVirtual().start(() -> serve(one, finished));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void serve(Socket one, boolean finished) {
      URI behind = URI.create(server.base());
      try (one;
          Socket plain = new Socket(behind.getHost(), behind.getPort())) {
        if (instead.isPresent()) {
          assertThat(one.getInputStream().read(new byte[1 << 14])).isPositive();
          one.getOutputStream().write(instead.get());
          return;
        }
        if (!finished) {
          assertThat(one.getInputStream().read(new byte[1 << 14])).isPositive();
          return;
        }
        var secure = (SSLSocket) tls.getSocketFactory().createSocket(one, null, 0, true);
        secure.setUseClientMode(false);
        Thread.ofVirtual().start(() -> pass(plain, secure));
        secure.getInputStream().transferTo(plain.getOutputStream());
      } catch (IOException closed) {
        // So is the other side.
      }
    }

    private static void pass(Socket from, Socket to) {
      try (to) {
        from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException closed) {
        // So is the other side.
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
      for (Socket one : connections) {
        one.close();
      }
    }
  }
}
