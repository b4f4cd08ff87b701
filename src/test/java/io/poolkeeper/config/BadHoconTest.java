package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input in the user's file: each case with the whole message. */
class BadHoconTest {
  private static final String NAME =
      "allowed: a load balancer's name: 1 to 80 letters, digits, '_', '.' or '-'";

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
  void substitution_unresolved() {
    assertThat(dir.problems("poolkeeper.cluster-name = ${NO_SUCH}"))
        .containsExactly(
            "p.conf:3: found a substitution that cannot be filled in: Could not resolve"
                + " substitution to a value: ${NO_SUCH}; allowed: ${key} of a key or environment"
                + " variable that is set, or ${?key}");
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
  void unknownKey_camelCase_suggestsOurSpelling() {
    assertThat(dir.problems("poolkeeper.clusterName = c"))
        .containsExactly(
            "p.conf:3: poolkeeper.clusterName: found an unknown key, did you mean cluster-name?;"
                + " allowed: admin-state, admission, azure, brake, cluster-name, http, leader-election, lock, mode, opt-in, spot, turnstile, updater");
  }

  @Test
  void unknownKey_ofAnotherSection_suggestsItsPath() {
    assertThat(dir.problems("poolkeeper.http.leading-edge = 1s"))
        .containsExactly(
            "p.conf:3: poolkeeper.http.leading-edge: found an unknown key, did you mean"
                + " poolkeeper.updater.leading-edge?; allowed: authorization, host, port,"
                + " probe-port, tls, trust-loopback");
  }

  @Test
  void unknownKey_aWholeSection_isOneProblem() {
    assertThat(dir.problems("poolkeeper.canary { delay = 1s, share = 3 }"))
        .containsExactly(
            "p.conf:3: poolkeeper.canary: found an unknown key; allowed: admin-state, admission, azure,"
                + " brake, cluster-name, http, leader-election, lock, mode, opt-in, spot, turnstile, updater");
  }

  @Test
  void unknownKey_withoutValue_isStillUnknown() {
    assertThat(dir.problems("poolkeeper.zzzzzz = null"))
        .containsExactly(
            "p.conf:3: poolkeeper.zzzzzz: found an unknown key; allowed: admin-state, admission, azure,"
                + " brake, cluster-name, http, leader-election, lock, mode, opt-in, spot, turnstile, updater");
  }

  @Test
  void unknownKey_misspelledRoot() {
    assertThat(dir.problems("poolkeper.cluster-name = c"))
        .containsExactly(
            "p.conf:3: poolkeper: found an unknown key, did you mean poolkeeper?; allowed:"
                + " poolkeeper");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "updater = 5 | updater | 5"
            + " | 'a section { coalesce-window, enabled, interval, leading-edge, max-retries,"
            + " min-interval, resync, verify-after }'",
        "http = null | http | null | 'a section { authorization, host, port, probe-port, tls, trust-loopback }'",
        "updater.enabled = maybe | updater.enabled | maybe | true or false",
        "updater.enabled = 1 | updater.enabled | 1 | true or false",
        "updater.leading-edge = null | updater.leading-edge | null | true or false",
        "updater.interval = fast | updater.interval | fast"
            + " | 'a duration with a unit, 100ms to 1h'",
        "updater.interval = 30 | updater.interval | 30 | 'a duration with a unit, 100ms to 1h'",
        "updater.interval = null | updater.interval | null"
            + " | 'a duration with a unit, 100ms to 1h'",
        "updater.interval { min = 1 } | updater.interval | a section"
            + " | 'a duration with a unit, 100ms to 1h'",
        "updater.interval = 99ms | updater.interval | \"99ms\""
            + " | 'a duration with a unit, 100ms to 1h'",
        "updater.interval = 61m | updater.interval | \"61m\""
            + " | 'a duration with a unit, 100ms to 1h'",
        "updater.interval = 999999999999999999999d | updater.interval | \"999999999999999999999d\""
            + " | 'a duration with a unit, 100ms to 1h'",
        "updater.coalesce-window = -1ms | updater.coalesce-window | \"-1ms\""
            + " | 'a duration with a unit, 0s to the value of updater.interval'",
        "updater.coalesce-window = 31s | updater.coalesce-window | \"31s\""
            + " | 'a duration with a unit, 0s to the value of updater.interval'",
        "updater.resync = 9s | updater.resync | \"9s\" | 'a duration with a unit, 10s to 24h'",
        "updater.resync = 2d | updater.resync | \"2d\" | 'a duration with a unit, 10s to 24h'",
        "updater.max-retries = 101 | updater.max-retries | 101 | a whole number from 0 to 100",
        "updater.max-retries = some | updater.max-retries | some | a whole number from 0 to 100",
        "updater.max-retries = 2.5 | updater.max-retries | 2.5 | a whole number from 0 to 100",
        "updater.max-retries = 99999999999 | updater.max-retries | 99999999999"
            + " | a whole number from 0 to 100",
        "turnstile.max-retry-after = 0s | turnstile.max-retry-after | \"0s\""
            + " | 'a duration with a unit, 1s to 24h'",
        "turnstile.max-retry-after = 2d | turnstile.max-retry-after | \"2d\""
            + " | 'a duration with a unit, 1s to 24h'",
        "turnstile.turn-deadline = 999ms | turnstile.turn-deadline | \"999ms\""
            + " | 'a duration with a unit, 1s to 10m'",
        "turnstile.turn-deadline = 11m | turnstile.turn-deadline | \"11m\""
            + " | 'a duration with a unit, 1s to 10m'",
        "http.port = 65536 | http.port | 65536 | a whole number from 0 to 65535",
        "http.port = -1 | http.port | -1 | a whole number from 0 to 65535",
        "http.port = 80.5 | http.port | 80.5 | a whole number from 0 to 65535",
        "http.port = http | http.port | http | a whole number from 0 to 65535",
        "http.port = [80] | http.port | [80] | a whole number from 0 to 65535",
        "http.host = null | http.host | null"
            + " | 'an address or host name to listen on, such as 127.0.0.1'",
        "http.host = \"a b\" | http.host | \"a b\""
            + " | 'an address or host name to listen on, such as 127.0.0.1'",
      })
  void value_notAllowed(String line, String path, String found, String allowed) {
    assertRefused(line, path, found, allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "min-interval, 99ms, 100ms to 1h",
    "min-interval, 61m, 100ms to 1h",
    "verify-after, -1ms, 0s to 2h",
    "verify-after, 121m, 0s to 2h"
  })
  void pace_notAllowed(String key, String found, String range) {
    String path = "updater." + key;
    assertRefused(
        path + " = " + found, path, '"' + found + '"', "a duration with a unit, " + range);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode = off | mode | off | 'one of write, shadow'",
        "azure.cloud = Mars | azure.cloud | Mars | 'one of AzurePublicCloud, AzureCloud,"
            + " AzureChinaCloud, AzureUSGovernment, AzureUSGovernmentCloud'",
        "azure.credential = password | azure.credential | password"
            + " | 'one of default, workload-identity, managed-identity, client-secret, none'",
        "azure.vnet-id = my-vnet | azure.vnet-id | my-vnet"
            + " | /subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network"
            + "/virtualNetworks/NAME",
        "azure.subscription-id = \"/subscriptions/x\" | azure.subscription-id"
            + " | \"/subscriptions/x\" | 'a subscription''s id, such as a UUID'",
        "azure.subscription-id = {a = 1} | azure.subscription-id | a section"
            + " | 'a subscription''s id, such as a UUID'",
        "azure.config-file = \" \" | azure.config-file | \" \" | a text that is not blank",
        "azure.config-file = [a] | azure.config-file | [a] | a text that is not blank",
        "azure.client-secret = [hush] | azure.client-secret | *** | a text that is not blank",
        "azure.api-version = latest | azure.api-version | latest | a date such as 2025-05-01",
        "azure.load-balancers = lb-1 | azure.load-balancers | lb-1 | 'a list of texts such as"
            + " [a, b]; each a load balancer''s name: 1 to 80 letters, digits, ''_'', ''.'' or"
            + " ''-'''",
        "azure.load-balancers = [LB-1-Internal] | azure.load-balancers | \"LB-1-Internal\""
            + " | names without the suffix -internal; the internal load balancer is meant too",
        "azure.load-balancers = [lb-1, LB-1] | azure.load-balancers | \"LB-1\" twice"
            + " | names that differ in more than upper and lower case",
      })
  void azureValue_notAllowed(String line, String path, String found, String allowed) {
    assertRefused(line, path, found, allowed);
  }

  private void assertRefused(String line, String path, String found, String allowed) {
    assertThat(dir.problems("poolkeeper." + line))
        .containsExactly(
            "p.conf:3: poolkeeper.%s: found %s; allowed: %s".formatted(path, found, allowed));
  }

  @Test
  void name_blankOrIllegal() {
    assertThat(dir.problems("poolkeeper.cluster-name = \" \""))
        .containsExactly("p.conf:3: poolkeeper.cluster-name: found \" \"; " + NAME);
    assertThat(dir.problems("poolkeeper.cluster-name = null"))
        .containsExactly("p.conf:3: poolkeeper.cluster-name: found null; " + NAME);
    assertThat(dir.problems("poolkeeper.azure.load-balancers = [a, \"b/c\"]"))
        .containsExactly("p.conf:3: poolkeeper.azure.load-balancers: found \"b/c\"; " + NAME);
  }

  @Test
  void required_missing() {
    assertThat(dir.problemsOf("", Map.of()))
        .containsExactly(
            "p.conf: poolkeeper.azure.subscription-id: found nothing; allowed: a subscription's id;"
                + " here, as subscriptionId in azure.json, or as POOLKEEPER_SUBSCRIPTION_ID in the"
                + " environment",
            "p.conf: poolkeeper.azure.resource-group: found nothing; allowed: a resource group's"
                + " name; here, as resourceGroup in azure.json, or as POOLKEEPER_RESOURCE_GROUP in"
                + " the environment");
  }

  @Test
  void clientSecret_incomplete_namesEachMissingPart() {
    assertThat(dir.problems("poolkeeper.azure { credential = client-secret", "client-id = c }"))
        .containsExactly(
            "p.conf: poolkeeper.azure.tenant-id: found nothing; allowed: a value, as"
                + " azure.credential is client-secret; here, as tenantId in azure.json, or as"
                + " POOLKEEPER_TENANT_ID in the environment",
            "p.conf: poolkeeper.azure.client-secret: found nothing; allowed: a value, as"
                + " azure.credential is client-secret; here, as aadClientSecret in azure.json, or"
                + " as POOLKEEPER_CLIENT_SECRET in the environment");
  }

  @ParameterizedTest
  @CsvSource({
    "http://arm.example.net",
    "http://127.0.0.1.example.net",
    "http://localhost.example.net",
    "ftp://127.0.0.1",
    "https://",
    "https://user:pw@127.0.0.1",
    "https://127.0.0.1/path",
    "https://127.0.0.1?x=1",
    "https://127.0.0.1:99999",
    "127.0.0.1:8080",
    "https://a b",
  })
  void endpoint_notAllowed(String endpoint) {
    assertThat(
            dir.problems(
                "poolkeeper.azure { credential = none", "endpoint = \"" + endpoint + "\" }"))
        .containsExactly(
            "p.conf:4: poolkeeper.azure.endpoint: found \""
                + endpoint
                + "\"; allowed:"
                + " https://HOST[:PORT], or http:// if HOST is a loopback address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:8400", "login.example.net", "https://a/b", "https://"})
  void authorityHost_notAllowed(String authority) {
    assertThat(dir.problems("poolkeeper.azure.authority-host = \"" + authority + "\""))
        .containsExactly(
            "p.conf:3: poolkeeper.azure.authority-host: found \""
                + authority
                + "\"; allowed: https://HOST[:PORT]");
  }

  @Test
  void credentialNone_withoutLoopbackEndpoint() {
    var message =
        "p.conf:3: poolkeeper.azure.credential: found none; allowed: none only if azure.endpoint is"
            + " a loopback address";
    assertThat(dir.problems("poolkeeper.azure.credential = none")).containsExactly(message);
    assertThat(
            dir.problems(
                "poolkeeper.azure.credential = none",
                "poolkeeper.azure.endpoint = \"https://arm.example.net\""))
        .containsExactly(message);
  }

  @Test
  void httpEndpoint_withACredential() {
    assertThat(dir.problems("poolkeeper.azure.endpoint = \"http://127.0.0.1:8080\""))
        .containsExactly(
            "p.conf: poolkeeper.azure.credential: found default; allowed: none, as azure.endpoint is"
                + " http and tokens are sent by https only");
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
                Map.of("POOLKEEPER_HTTP_PORT", "many", "POOLKEEPER_LOG_LEVEL", "loud")))
        .containsExactly(
            "env POOLKEEPER_LOG_LEVEL: found loud; allowed: OFF, ERROR, WARN, INFO, DEBUG or TRACE",
            "env POOLKEEPER_HTTP_PORT: poolkeeper.http.port: found many; allowed: a whole number"
                + " from 0 to 65535");
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
