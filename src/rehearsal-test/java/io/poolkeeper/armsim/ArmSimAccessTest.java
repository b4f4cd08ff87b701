package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.poolkeeper.armsim.ArmSimSettings.Access;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulator with https, and with required tokens. */
class ArmSimAccessTest {
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg?api-version=2025-05-01";
  private static final String LB =
      "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/";
  private static final String VERSION = "?api-version=2025-05-01";
  private static final String LOCATION = "{\"location\":\"eastus\"}";

  private static ActorTestKit kit;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    kit = ActorTestKit.create();
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private static ArmSimSettings settings() {
    return ArmSimSettings.fast(System::nanoTime, InstantSource.system());
  }

  private static ArmSimSettings tls(Optional<Path> caFile) {
    return settings().withAccess(Access.OPEN.withTls(caFile));
  }

  private static <T> T done(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }

  private static HttpClient trusting(Path pem) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(pem)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static HttpResponse<String> send(
      HttpClient http, String method, URI uri, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(10))
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return new JsonMapper().readTree(response.body());
  }

  @Test
  void whoTrustsTheCaSpeaksHttpsAndGetsHttpsLinks() throws Exception {
    ArmSim sim = done(ArmSim.start(kit.system(), tls(Optional.empty()).withPageSize(1)));
    Path ca = sim.caCertificate().orElseThrow();
    try (HttpClient http = trusting(ca)) {
      URI base = sim.endpoint();
      assertThat(base.getScheme()).isEqualTo("https");

      send(http, "PUT", base.resolve(GROUP), LOCATION);
      HttpResponse<String> put = send(http, "PUT", base.resolve(LB + "a" + VERSION), LOCATION);
      send(http, "PUT", base.resolve(LB + "b" + VERSION), LOCATION);

      String poll = put.headers().firstValue("Azure-AsyncOperation").orElseThrow();
      assertThat(poll).startsWith(base + "/subscriptions/s/");
      assertThat(send(http, "GET", URI.create(poll), "").body()).contains("Succeeded");
      URI list = base.resolve(LB.substring(0, LB.length() - 1) + VERSION);
      String next = json(send(http, "GET", list, "")).path("nextLink").asText();
      assertThat(next).startsWith(base.toString());
      assertThat(send(http, "GET", URI.create(next), "").statusCode()).isEqualTo(200);
      URI localhost = new URI("https://localhost:" + base.getPort() + GROUP);
      assertThat(send(http, "GET", localhost, "").statusCode()).isEqualTo(200);
    }
    done(sim.close());
    assertThat(ca).as("temporary, so gone with the simulator").doesNotExist();
  }

  @Test
  void whoDoesNotTrustTheCaIsNotServed() throws Exception {
    ArmSim sim = done(ArmSim.start(kit.system(), tls(Optional.empty())));
    try (HttpClient http = HttpClient.newHttpClient()) {
      assertThatThrownBy(() -> send(http, "GET", sim.endpoint().resolve(GROUP), ""))
          .isInstanceOf(SSLHandshakeException.class);
    }
    done(sim.close());
  }

  @Test
  void aNamedCaFileStaysAndIsNotReplacedByWhoCannotHaveThePort() throws Exception {
    Path ca = folder.resolve("ca.pem");
    ArmSim sim = done(ArmSim.start(kit.system(), tls(Optional.of(ca))));
    String written = Files.readString(ca);
    ArmSimSettings second = tls(Optional.of(ca)).withPort(sim.endpoint().getPort());

    assertThatThrownBy(() -> done(ArmSim.start(kit.system(), second))).isNotNull();

    assertThat(ca).hasContent(written);
    done(sim.close());
    assertThat(ca).exists();
  }

  @Test
  void aCaFileThatCannotBeWrittenIsNamedAndThePortIsFreeAgain() {
    Path nowhere = folder.resolve("nowhere/ca.pem");
    ArmSimSettings settings = tls(Optional.of(nowhere));

    assertThatThrownBy(() -> done(ArmSim.start(kit.system(), settings)))
        .hasMessageContaining("CA certificate %s cannot be written".formatted(nowhere));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "[1]", "null", "\u0000x", "{\"resourceGroups\":[7]}"})
  void aStateFileThatIsNoneIsNamedAndLeftAlone(String content) throws Exception {
    Path file = Files.writeString(folder.resolve("state.json"), content);
    ArmSimSettings settings = settings().withStateFile(file);

    assertThatThrownBy(() -> done(ArmSim.start(kit.system(), settings)))
        .hasMessageContaining("state file " + file);

    assertThat(file).hasContent(content);
  }

  @Test
  void aStateFileThatCannotBeWrittenIsNamed() {
    Path nowhere = folder.resolve("nowhere/state.json");

    assertThatThrownBy(() -> done(ArmSim.start(kit.system(), settings().withStateFile(nowhere))))
        .hasMessageContaining("state file %s cannot be written".formatted(nowhere));
  }

  @Test
  void whereATokenIsRequiredOneIssuedHereOpensAndAnExpiredOneDoesNot() throws Exception {
    ArmSimSettings guarded = settings().withAccess(Access.OPEN.withTokenRequired());
    ArmSim sim = done(ArmSim.start(kit.system(), guarded));
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI group = sim.endpoint().resolve(GROUP);

      HttpResponse<String> refused = send(http, "PUT", group, LOCATION);
      HttpResponse<String> issued =
          send(
              http,
              "POST",
              sim.endpoint().resolve("/t/oauth2/v2.0/token"),
              "grant_type=client_credentials&client_id=a&client_secret=s+1%26"
                  + "&scope=https%3A%2F%2Fmanagement.azure.com%2F.default",
              "Content-Type",
              "application/x-www-form-urlencoded");
      String token = json(issued).path("access_token").asText();

      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.body()).contains("\"code\":\"AuthenticationFailed\"");
      assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
          .startsWith("Bearer authorization_uri=\"" + sim.endpoint() + "/common\"");
      assertThat(issued.headers().firstValue("Cache-Control").orElseThrow()).contains("no-store");
      assertThat(send(http, "PUT", group, LOCATION, "Authorization", "Bearer " + token))
          .extracting(HttpResponse::statusCode)
          .isEqualTo(201);
      // {"exp":1}
      assertThat(send(http, "GET", group, "", "Authorization", "Bearer e30.eyJleHAiOjF9."))
          .extracting(HttpResponse::body)
          .asString()
          .contains("ExpiredAuthenticationToken");
      assertThat(send(http, "GET", group, "", "Authorization", "bearer whatever").statusCode())
          .isEqualTo(200);
      assertThat(send(http, "GET", sim.endpoint().resolve("/_state"), "").statusCode())
          .isEqualTo(200);
    }
    done(sim.close());
  }
}
