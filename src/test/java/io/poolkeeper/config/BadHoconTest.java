package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input in the user's file that is more than a few lines, see {@link BadSettingsTest}. */
class BadHoconTest {
  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void setUp() {
    dir = new ConfigDir(temp);
  }

  @Test
  void file_missing() {
    assertThat(dir.problemsOf(temp.resolve("no.conf"), Optional.empty(), Map.of()))
        .containsExactly("no.conf: found no such file; allowed: a HOCON file of at most 1 MiB");
  }

  @Test
  void file_aDirectory() {
    assertThat(dir.problemsOf(temp, Optional.empty(), Map.of()))
        .containsExactly(temp + ": found a directory; allowed: a HOCON file of at most 1 MiB");
  }

  @Test
  void file_tooLarge() throws Exception {
    var file = temp.resolve("big.conf");
    Files.write(file, new byte[(1 << 20) + 1]);

    assertThat(dir.problemsOf(file, Optional.empty(), Map.of()))
        .containsExactly(
            "big.conf: found a file of 1048577 bytes; allowed: a HOCON file of at most 1 MiB");
  }

  @Test
  void file_malformed_namesTheLine() {
    assertThat(dir.problems("poolkeeper { updater { interval = 30s"))
        .singleElement()
        .asString()
        .startsWith("p.conf:3: found text that is not HOCON: ")
        .endsWith("; allowed: HOCON, see conf/poolkeeper.conf");
  }

  @Test
  void file_malformedBesideASecret_doesNotQuote() {
    assertThat(dir.problems("poolkeeper.azure.client-secret = hush \"", ""))
        .containsExactly(
            "p.conf:3: found text that is not HOCON; allowed: HOCON, see conf/poolkeeper.conf");
  }

  @Test
  void file_malformedAndAzureJsonMalformed_bothAreTold() {
    var json = dir.write("azure.json", "[]");
    var file = dir.write("p.conf", "{");

    assertThat(dir.problemsOf(file, Optional.of(json), Map.of()))
        .hasSize(2)
        .anyMatch(p -> p.startsWith("p.conf:1: found text that is not HOCON"))
        .contains("azure.json: found a JSON array; allowed: a JSON object");
  }

  @Test
  void unknownKey_near_suggestsTheSibling() {
    assertThat(dir.problems("", "poolkeeper.updater.intervall = 30s"))
        .containsExactly(
            "p.conf:4: poolkeeper.updater.intervall: found an unknown key, did you mean interval?;"
                + " allowed: coalesce-window, enabled, interval, leading-edge, max-retries,"
                + " min-interval, resync, verify-after");
  }

  @Test
  void required_missing() {
    assertThat(dir.problemsOf("", Map.of("POOLKEEPER_MODE", "")))
        .containsExactly(
            "p.conf: poolkeeper.mode: found nothing; allowed: write (pools are written) or shadow"
                + " (all is decided and shown, and nothing is written); here, or as POOLKEEPER_MODE"
                + " in the environment",
            "p.conf: poolkeeper.azure.subscription-id: found nothing; allowed: a subscription's id;"
                + " here, as subscriptionId in azure.json, or as POOLKEEPER_SUBSCRIPTION_ID in the"
                + " environment",
            "p.conf: poolkeeper.azure.resource-group: found nothing; allowed: a resource group's"
                + " name; here, as resourceGroup in azure.json, or as POOLKEEPER_RESOURCE_GROUP in"
                + " the environment");
  }

  @Test
  void trustCaFile_missingOrNoCertificate() {
    dir.write("text.pem", "hello");
    assertThat(dir.problems("poolkeeper.azure.trust-ca-file = no.pem"))
        .containsExactly(
            "p.conf:3: poolkeeper.azure.trust-ca-file: found no.pem, no such file; allowed: a"
                + " readable PEM file of certificates");
    assertThat(dir.problems("poolkeeper.azure.trust-ca-file = text.pem"))
        .containsExactly(
            "p.conf:3: poolkeeper.azure.trust-ca-file: found text.pem, a file that holds no valid"
                + " certificate; allowed: a readable PEM file of certificates");
  }

  @Test
  void environment_badValue_namesTheVariable() {
    assertThat(
            dir.problemsOf(
                ConfigDir.REQUIRED,
                Map.of(
                    "POOLKEEPER_HTTP_PORT", "tcp://10.0.0.1:80",
                    "POOLKEEPER_LOG_LEVEL", "loud",
                    "POOLKEEPER_MODE", "read")))
        .containsExactly(
            "env POOLKEEPER_LOG_LEVEL: found loud; allowed: OFF, ERROR, WARN, INFO, DEBUG or TRACE",
            "env POOLKEEPER_MODE: poolkeeper.mode: found read; allowed: write (pools are written) or"
                + " shadow (all is decided and shown, and nothing is written); here, or as"
                + " POOLKEEPER_MODE in the environment",
            "env POOLKEEPER_HTTP_PORT: poolkeeper.http.port: found \"tcp://10.0.0.1:80\"; allowed: a"
                + " whole number from 0 to 65535. Kubernetes sets this for a Service whose name begins with"
                + " poolkeeper: set enableServiceLinks: false in the pod");
  }

  @Test
  void aLongValue_isShownWithItsEnd() {
    var value = "x".repeat(400);

    assertThat(
            dir.problems(
                "poolkeeper.azure.cloud = \"" + value + "end\"",
                "poolkeeper.admission.checks = [\"" + value + "end\"]"))
        .hasSize(2)
        .allMatch(problem -> problem.matches(".* found \"?x+\\.\\.\\.x+end\"?; .*"))
        .allMatch(problem -> problem.length() < 500);
  }

  @Test
  void manyProblems_areToldAtOnce() {
    var text =
        """
        poolkeeper.canary.delay = 1s
        poolkeeper.updater.interval = 2h
        poolkeeper.http = off
        poolkeeper.azure { cloud = Mars, resource-group = r }
        """;

    assertThat(dir.problemsOf(text, Map.of()))
        .extracting(problem -> problem.replaceAll(": found.*", ""))
        .containsExactly(
            "p.conf:1: poolkeeper.canary",
            "p.conf:3: poolkeeper.http",
            "p.conf: poolkeeper.azure.subscription-id",
            "p.conf:4: poolkeeper.azure.cloud",
            "p.conf:2: poolkeeper.updater.interval");
  }
}
