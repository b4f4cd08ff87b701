package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.poolkeeper.armsim.Authority;
import io.poolkeeper.tls.PemText;
import io.poolkeeper.tls.SelfMade;
import io.poolkeeper.tls.TlsIdentity;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which servers clients accept, and by what they show themselves, over real TLS. */
class ServerTrustTest {
  private static final InstantSource WALL = InstantSource.system();

  @TempDir Path directory;
  private final Authority authority = Authority.create(WALL);
  private Path pem;
  private TlsServer server;

  @BeforeEach
  void start() throws Exception {
    pem = Files.writeString(directory.resolve("ca.crt"), authority.pem());
    // Its certificate is for localhost, 127.0.0.1 and ::1.
    server = TlsServer.with(authority.server());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void certificateOfItsAuthority_forItsHost_isAccepted() throws IOException {
    assertAccepted("127.0.0.1", "certificate-authority: ca.crt");
    assertAccepted("localhost", "certificate-authority: ca.crt");
    String data =
        Base64.getEncoder().encodeToString(authority.pem().getBytes(StandardCharsets.US_ASCII));
    assertAccepted("127.0.0.1", "certificate-authority-data: " + data);
  }

  @Test
  void certificateForAnotherHost_isRefused() throws IOException {
    assertRefused("127.0.0.2", "certificate-authority: ca.crt");
  }

  @Test
  void certificateOfAnotherAuthority_isRefused() throws IOException {
    Files.writeString(pem, Authority.create(WALL).pem());

    assertRefused("127.0.0.1", "certificate-authority: ca.crt");
    assertRefused("127.0.0.1", "certificate-authority: ca.crt, tls-server-name: localhost");
    assertRefused("127.0.0.1", "tls-server-name: localhost");
  }

  @Test
  void certificateThatHasExpired_isRefused() throws Exception {
    Authority old = Authority.create(() -> WALL.instant().minus(Duration.ofDays(800)));
    Files.writeString(pem, old.pem());
    server.change(old.server());

    assertRefused("127.0.0.1", "certificate-authority: ca.crt");
    assertRefused("127.0.0.1", "certificate-authority: ca.crt, tls-server-name: localhost");
  }

  @Test
  void tlsServerName_isTheNameThatIsChecked_insteadOfTheHost() throws IOException {
    assertAccepted("127.0.0.2", "certificate-authority: ca.crt, tls-server-name: localhost");
    assertRefused(
        "127.0.0.1", "certificate-authority: ca.crt, tls-server-name: kubernetes.default");
    assertRefused("localhost", "certificate-authority: ca.crt, tls-server-name: 127.0.0.2");
  }

  @Test
  void authorityThatIsReplacedWhileClientsAreInUse_isTrustedByAllOfThem() throws Exception {
    try (KubernetesClient client = client("127.0.0.1", "certificate-authority: ca.crt", "{}");
        KubernetesClient once = KubeClients.once(client, Duration.ofSeconds(5));
        WatchClient watches = new WatchClient(client, WALL, WatchLiveness.Limits.SHIPPED)) {
      List<KubernetesClient> all = List.of(client, once, watches.client());
      assertThat(all).allMatch(each -> each.raw("/").equals("ok"));
      Authority next = Authority.create(WALL);
      server.change(next.server());
      assertThat(all).allSatisfy(ServerTrustTest::assertRefused);

      // When
      Files.writeString(pem, "half of a file");
      assertThat(all).allSatisfy(ServerTrustTest::assertRefused);
      Files.writeString(pem, next.pem());

      assertThat(all).allMatch(each -> each.raw("/").equals("ok"));
    }
  }

  @Test
  void clientsCertificate_isThatOfItsFiles_alsoOnceTheyHaveChanged() throws Exception {
    TlsIdentity first = identity(1);
    PemText.write(first, directory);
    String user = "{client-certificate: tls.crt, client-key: tls.key}";
    try (KubernetesClient client = client("127.0.0.1", "certificate-authority: ca.crt", user)) {
      client.raw("/");
      TlsIdentity second = identity(2);
      PemText.write(second, directory);
      server.change(authority.server());

      client.raw("/");

      assertThat(server.clients).containsExactly(leaf(first), leaf(second));
    }
  }

  private static TlsIdentity identity(int serial) {
    return SelfMade.create(Instant.parse("2026-11-26T18:00:00Z"), serial);
  }

  private static Certificate leaf(TlsIdentity of) {
    return of.chain().getFirst();
  }

  @Test
  void serverOfAPod_isTrustedByTheFileBesideTheToken() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "pod-token\n");
    Map<String, String> environment =
        Map.of(
            "KUBERNETES_SERVICE_HOST",
            "127.0.0.1",
            "KUBERNETES_SERVICE_PORT",
            String.valueOf(server.port()));
    server.accepted.add("pod-token");

    try (KubernetesClient client =
        KubeClients.client(
            KubeClients.configuration(
                Optional.empty(), Optional.empty(), environment, directory, token, WALL))) {
      assertThat(client.raw("/")).isEqualTo("ok");
      Files.writeString(pem, "");
      server.change(Authority.create(WALL).server());
      assertRefused(client);
    }
  }

  private void assertAccepted(String host, String trust) throws IOException {
    try (KubernetesClient client = client(host, trust, "{}")) {
      assertThat(client.raw("/")).isEqualTo("ok");
    }
    server.requests.clear();
  }

  private void assertRefused(String host, String trust) throws IOException {
    try (KubernetesClient client = client(host, trust, "{}")) {
      assertRefused(client);
    }
    assertThat(server.requests).as("nothing was sent").isEmpty();
  }

  private static void assertRefused(KubernetesClient client) {
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> client.raw("/"))
        .withStackTraceContaining("(certificate_");
  }

  private KubernetesClient client(String host, String trust, String user) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config"),
            """
            current-context: c
            contexts: [{name: c, context: {cluster: k, user: u}}]
            clusters: [{name: k, cluster: {server: "https://%s:%d", %s}}]
            users: [{name: u, user: %s}]
            """
                .formatted(host, server.port(), trust, user));
    return KubeClients.create(Optional.of(file), WALL);
  }
}
