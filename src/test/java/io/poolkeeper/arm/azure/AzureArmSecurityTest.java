package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.failure;
import static io.poolkeeper.arm.azure.Outcome.value;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL_BODY;
import static io.poolkeeper.arm.azure.ScriptedArm.QUICK;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.Azure.Credential;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.tls.TrustedCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Certificates and tokens, against a server with a certificate that the JDK does not know. */
class AzureArmSecurityTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final List<String> TOKENS = new CopyOnWriteArrayList<>();

  @TempDir private static Path dir;
  private static HttpsServer server;
  private static Path certificate;

  @BeforeAll
  static void start() throws Exception {
    new ScriptedArm().close();
    Path store = dir.resolve("server.p12");
    certificate = dir.resolve("ca.pem");
    String common = " -keystore " + store + " -storepass changeit -alias s";
    keytool("-genkeypair -keyalg EC -dname CN=arm -ext san=ip:127.0.0.1 -validity 2" + common);
    keytool("-exportcert -rfc -file " + certificate + common);
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            TOKENS.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            byte[] body = POOL_BODY.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
  }

  private static void keytool(String arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments.split(" ")));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  private static Azure settings(Optional<Path> trust, Credential credential, String host) {
    URI endpoint = URI.create("https://" + host + ":" + server.getAddress().getPort());
    return ScriptedArm.settings(endpoint, Optional.empty(), trust, credential);
  }

  /** Hears whether tokens were given. */
  private static final class SignIns implements ArmObserver {
    private final List<Boolean> given = new CopyOnWriteArrayList<>();

    @Override
    public void answered(String call, int status, Duration took) {}

    @Override
    public void signedIn(boolean token) {
      given.add(token);
    }
  }

  private final SignIns signIns = new SignIns();

  private AzureArm arm(Azure azure, Optional<SignIn> credential) {
    return AzureArm.create(
        azure,
        ScriptedArm.PATIENCE,
        ScriptedArm.LONGEST,
        signIns,
        ScriptedArm.CLOCKS,
        QUICK,
        client -> credential);
  }

  private static Azure trusting() {
    return settings(Optional.of(certificate), new Credential.Default(), "127.0.0.1");
  }

  @Test
  void get_certificateInTheTrustFile_sendsTheTokenOfTheEndpointsScope() {
    TOKENS.clear();
    TokenCredential credential =
        request ->
            Mono.just(
                new AccessToken(
                    String.join(",", request.getScopes()),
                    OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)));
    try (AzureArm arm = arm(trusting(), Optional.of(new SignIn(credential, Optional::empty, "")))) {
      assertThat(value(arm.get(POOL, Instant.MAX)).view().id()).isEqualTo(POOL);
      assertThat(TOKENS)
          .containsExactly(
              "Bearer https://127.0.0.1:%d/.default".formatted(server.getAddress().getPort()));
      assertThat(signIns.given).containsExactly(true);
    }
  }

  @Test
  void get_certificateThatNobodyKnows_isUntrusted() {
    Azure azure = settings(Optional.empty(), new Credential.None(), "127.0.0.1");
    try (AzureArm arm = arm(azure, Optional.empty())) {
      assertThat(failure(arm.get(POOL, Instant.MAX)).kind()).isEqualTo(Kind.UNTRUSTED);
    }
  }

  @Test
  void get_trustedCertificateOfAnotherHost_isUntrusted() {
    Azure azure = settings(Optional.of(certificate), new Credential.None(), "localhost");
    try (AzureArm arm = arm(azure, Optional.empty())) {
      assertThat(failure(arm.get(POOL, Instant.MAX)).kind()).isEqualTo(Kind.UNTRUSTED);
    }
  }

  @Test
  void get_tokenRefused_isAnAuthenticationFailureAndNothingIsSent() {
    TOKENS.clear();
    SignIn credential =
        new SignIn(
            request -> Mono.error(new IllegalStateException("AADSTS7000215")), Optional::empty, "");
    try (AzureArm arm = arm(trusting(), Optional.of(credential))) {
      assertThat(failure(arm.get(POOL, Instant.MAX)).toString())
          .contains("no token", "AADSTS7000215");
      assertThat(failure(arm.get(POOL, Instant.MAX)).kind()).isEqualTo(Kind.AUTHENTICATION);
      assertThat(TOKENS).isEmpty();
      assertThat(signIns.given).isNotEmpty().containsOnly(false);
    }
  }

  @Test
  void get_workloadIdentityWithoutItsEnvironment_isAnAuthenticationFailure() {
    Azure azure =
        settings(
            Optional.of(certificate),
            new Credential.WorkloadIdentity(Optional.empty(), Optional.empty()),
            "127.0.0.1");
    try (AzureArm arm =
        AzureArm.create(
            azure,
            ScriptedArm.PATIENCE,
            ScriptedArm.LONGEST,
            ArmObserver.NONE,
            WriteFence.OPEN,
            ScriptedArm.CLOCKS,
            Optional.empty())) {
      assertThat(failure(arm.get(POOL, Instant.MAX)).kind()).isEqualTo(Kind.AUTHENTICATION);
    }
  }

  @Test
  void get_afterTheTrustFileHasChanged_trustsWhatIsInItNow_orWhatWasIfThatIsUnusable()
      throws Exception {
    Path other = dir.resolve("other.pem");
    String common = " -keystore " + dir.resolve("other.p12") + " -storepass changeit -alias s";
    keytool("-genkeypair -keyalg EC -dname CN=other -validity 2" + common);
    keytool("-exportcert -rfc -file " + other + common);
    Azure azure = settings(Optional.of(other), new Credential.None(), "127.0.0.1");
    try (AzureArm arm = arm(azure, Optional.empty())) {
      assertThat(failure(arm.get(POOL, Instant.MAX)).kind()).isEqualTo(Kind.UNTRUSTED);

      changed(other, Files.readString(certificate), 1);

      assertThat(value(arm.get(POOL, Instant.MAX)).view().id()).isEqualTo(POOL);
    }
    TrustedCertificates trust = TrustedCertificates.ofJdkAnd(other);
    int known = trust.getAcceptedIssuers().length;
    changed(other, "no certificate", 2);
    assertThat(trust.getAcceptedIssuers()).hasSize(known);
  }

  private static void changed(Path file, String text, int second) throws IOException {
    Files.setLastModifiedTime(
        Files.writeString(file, text), FileTime.from(Instant.EPOCH.plusSeconds(second)));
  }

  @Test
  void ready_unusableTrustFile_isRefusedNamingIt() throws IOException {
    Path missing = dir.resolve("missing.pem");
    Path empty = Files.writeString(dir.resolve("empty.pem"), "");
    Path garbage = Files.writeString(dir.resolve("garbage.pem"), "-----BEGIN CERTIFICATE-----\nx");
    for (Path file : List.of(missing, empty, garbage)) {
      Azure azure = settings(Optional.of(file), new Credential.None(), "127.0.0.1");
      try (AzureArm arm = arm(azure, Optional.empty())) {
        assertThat(arm.ready())
            .failsWithin(Duration.ofSeconds(10))
            .withThrowableThat()
            .havingCause()
            .isInstanceOf(IllegalArgumentException.class)
            .withMessageContainingAll("azure.trust-ca-file", file.toString(), "PEM");
        assertThat(failure(arm.get(POOL, Instant.MAX)).message()).contains("azure.trust-ca-file");
      }
    }
  }
}
