package io.poolkeeper.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpClient;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The credentials of the Azure SDK, unchanged, get their tokens from the simulator. */
class SignInIT {
  private static final String TENANT = "00000000-0000-0000-0000-00000000000b";
  private static final String RESOURCE = "https://management.azure.com";
  private static final String PASSWORD = "changeit";
  private static final TokenRequestContext SCOPE =
      new TokenRequestContext().addScopes(RESOURCE + "/.default");

  @TempDir private static Path folder;
  private static GuardedArm arm;

  @BeforeAll
  static void start() {
    arm = new GuardedArm();
  }

  @AfterAll
  static void stop() {
    arm.close();
  }

  private static JsonNode claims(TokenCredential credential) throws Exception {
    AccessToken token = credential.getTokenSync(SCOPE);
    assertThat(token.isExpired()).isFalse();
    assertThat(Duration.between(Instant.now(), token.getExpiresAt().toInstant()))
        .isBetween(Duration.ofMinutes(50), Duration.ofHours(25));
    String middle = token.getToken().split("\\.", -1)[1];
    JsonNode claims = new JsonMapper().readTree(Base64.getUrlDecoder().decode(middle));
    assertThat(claims.path("aud").asText()).isEqualTo(RESOURCE);
    return claims;
  }

  private static TokenCredential secret(String secret) throws Exception {
    return new ClientSecretCredentialBuilder()
        .httpClient(arm.client())
        .authorityHost(arm.endpoint().toString())
        .disableInstanceDiscovery()
        .tenantId(TENANT)
        .clientId("app-1")
        .clientSecret(secret)
        .build();
  }

  @Test
  void aClientSecretSignsIn() throws Exception {
    JsonNode claims = claims(secret("hush"));

    assertThat(claims.path("azp").asText()).isEqualTo("app-1");
    assertThat(claims.path("tid").asText()).isEqualTo(TENANT);
  }

  @Test
  void aRefusedSecretIsTheDirectorysError() throws Exception {
    TokenCredential refused = secret("invalid");

    assertThatThrownBy(() -> refused.getToken(SCOPE).block(Duration.ofSeconds(20)))
        .hasStackTraceContaining("AADSTS7000215");
  }

  /**
   * Machine identities come from the environment, and the library gets a workload's token by the
   * JVM's own client, whichever client is set. So this runs in a process whose JVM trusts the
   * authority.
   */
  @Test
  void theIdentitiesOfMachinesSignIn() throws Exception {
    Path out = folder.resolve("machine");
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Djavax.net.ssl.trustStore=" + trustStore(),
                    "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
                    "-cp",
                    System.getProperty("java.class.path"),
                    Machine.class.getName(),
                    arm.ca().toString(),
                    serviceAccountToken().toString()))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("AZURE_POD_IDENTITY_AUTHORITY_HOST", arm.endpoint().toString());
    builder.environment().put("AZURE_AUTHORITY_HOST", arm.endpoint().toString());

    Process process = builder.start();

    assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readAllLines(out))
        .contains(
            "managed: 00000000-0000-0000-0000-000000000007",
            "workload: 00000000-0000-0000-0000-000000000008");
    assertThat(process.exitValue()).isZero();
  }

  private static Path serviceAccountToken() throws Exception {
    long expiry = Instant.now().plusSeconds(3600).getEpochSecond();
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    String claims = "{\"sub\":\"system:serviceaccount:a:b\",\"exp\":%d}".formatted(expiry);
    String token =
        "%s.%s.c2ln"
            .formatted(
                encoder.encodeToString("{\"alg\":\"RS256\"}".getBytes(UTF_8)),
                encoder.encodeToString(claims.getBytes(UTF_8)));
    return Files.writeString(folder.resolve("token"), token);
  }

  private static Path trustStore() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream in = Files.newInputStream(arm.ca())) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    Path file = folder.resolve("trust.p12");
    try (OutputStream to = Files.newOutputStream(file)) {
      store.store(to, PASSWORD.toCharArray());
    }
    return file;
  }

  /** A program on a machine that has an identity, in a Pod that has one. */
  static final class Machine {
    private Machine() {}

    public static void main(String[] args) throws Exception {
      HttpClient http = GuardedArm.client(Path.of(args[0]));
      TokenCredential managed =
          new ManagedIdentityCredentialBuilder()
              .httpClient(http)
              .clientId("00000000-0000-0000-0000-000000000007")
              .build();
      print("managed", managed);
      TokenCredential workload =
          new WorkloadIdentityCredentialBuilder()
              .httpClient(http)
              .tenantId(TENANT)
              .clientId("00000000-0000-0000-0000-000000000008")
              .tokenFilePath(args[1])
              .build();
      print("workload", workload);
      System.exit(0);
    }

    private static void print(String kind, TokenCredential credential) throws Exception {
      JsonNode claims = claims(credential);
      System.out.println(kind + ": " + claims.path("appid").asText() + claims.path("azp").asText());
    }
  }
}
