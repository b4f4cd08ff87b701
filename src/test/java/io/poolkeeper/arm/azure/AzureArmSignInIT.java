package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.failure;
import static io.poolkeeper.arm.azure.Outcome.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.Azure.Credential;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.ArmSimSettings.Access;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.tls.TrustedCertificates;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The adapter as {@code run} uses it, with {@code trust-ca-file} and a real credential that fetches
 * its tokens through the adapter's own client, against a simulator that serves nobody without.
 */
class AzureArmSignInIT {
  private static final PoolId POOL = new LoadBalancerId("sub-1", "rg-1", "lb-1").pool("web");
  private static final String VERSION = "?api-version=2025-05-01";

  private static ActorTestKit kit;
  private static ArmSim sim;

  @BeforeAll
  static void start() throws Exception {
    kit = ActorTestKit.create();
    sim =
        value(
            ArmSim.start(
                kit.system(),
                ArmSimSettings.fast(System::nanoTime, InstantSource.system())
                    .withAccess(Access.OPEN.withTls(Optional.empty()).withTokenRequired())));
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(
        null,
        new TrustManager[] {TrustedCertificates.ofJdkAnd(sim.caCertificate().orElseThrow())},
        null);
    try (HttpClient http = HttpClient.newBuilder().sslContext(trusting).build()) {
      put(http, "/subscriptions/sub-1/resourceGroups/rg-1", "{\"location\":\"eastus\"}");
      put(http, POOL.loadBalancer().path(), "{\"location\":\"eastus\"}");
      put(http, POOL.path(), "{}");
    }
  }

  private static void put(HttpClient http, String path, String body) throws Exception {
    var accepted =
        send(http, request(sim.endpoint() + path + VERSION).PUT(BodyPublishers.ofString(body)));
    assertThat(accepted.statusCode()).isEqualTo(201);
    // The etag moves once more when the operation ends, which its first poll makes happen.
    for (String operation : accepted.headers().allValues("Azure-AsyncOperation")) {
      assertThat(send(http, request(operation)).body()).contains("Succeeded");
    }
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer of-the-test");
  }

  private static HttpResponse<String> send(HttpClient http, HttpRequest.Builder request)
      throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @AfterAll
  static void stop() {
    value(sim.close());
    kit.shutdownTestKit();
  }

  private static AzureArm arm(String secret, Optional<Supplier<Optional<String>>> file) {
    Azure azure =
        ScriptedArm.settings(
            sim.endpoint(),
            Optional.of(sim.endpoint()),
            sim.caCertificate(),
            new Credential.ClientSecret("tenant-1", "client-1", secret, file));
    return AzureArm.create(
        azure,
        ScriptedArm.PATIENCE,
        ScriptedArm.LONGEST,
        ArmObserver.NONE,
        WriteFence.OPEN,
        ScriptedArm.CLOCKS,
        Optional.empty());
  }

  @Test
  void thePoolIsReadWrittenAndListedWithATokenOfTheSimulator() {
    Address address = Address.of("10.0.0.4");
    try (AzureArm arm = arm("hush", Optional.empty())) {
      PoolDocument before = value(arm.get(POOL, Instant.MAX));

      value(arm.put(before, PoolEdit.of(Set.of(), Map.of(address, "node-1")), Instant.MAX));

      assertThat(value(arm.get(POOL, Instant.MAX)).view().entries())
          .singleElement()
          .satisfies(entry -> assertThat(entry.address()).contains(address));
      assertThat(value(arm.list(Set.of(), Instant.MAX)).loadBalancers()).hasSize(1);
    }
  }

  @Test
  void aRefusedSecretIsAnAuthenticationFailure() {
    try (AzureArm arm = arm("invalid", Optional.empty())) {
      assertThat(failure(arm.get(POOL, Instant.MAX)))
          .satisfies(refused -> assertThat(refused.kind()).isEqualTo(Kind.AUTHENTICATION))
          .satisfies(refused -> assertThat(refused.message()).contains("AADSTS7000215"));
    }
  }

  @Test
  void aSecretThatIsReplacedInItsFileIsTakenUp() {
    AtomicReference<String> file = new AtomicReference<>("invalid");
    try (AzureArm arm = arm("invalid", Optional.of(() -> Optional.of(file.get())))) {
      assertThat(failure(arm.get(POOL, Instant.MAX)).kind()).isEqualTo(Kind.AUTHENTICATION);

      file.set("hush");

      assertThat(value(arm.get(POOL, Instant.MAX)).view().id()).isEqualTo(POOL);
    }
  }
}
