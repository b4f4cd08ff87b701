package io.poolkeeper.config;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.poolkeeper.access.AccessPolicy;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.Azure.Cloud;
import io.poolkeeper.arm.Azure.Credential;
import io.poolkeeper.config.LoadedSettings.Effective;
import io.poolkeeper.lock.LockLimits;
import io.poolkeeper.node.NodeDriver;
import io.poolkeeper.node.NodeLimits;
import io.poolkeeper.node.SpotLimits;
import io.poolkeeper.pool.Brake;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.ratelimit.RateLimiterLimits;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import io.poolkeeper.retry.RetryBudget;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsLoaderTest {
  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void setUp() {
    dir = new ConfigDir(temp);
  }

  private static Map<String, String> origins(LoadedSettings loaded) {
    return loaded.effective().stream().collect(toMap(Effective::path, Effective::origin));
  }

  @Test
  void load_requiredKeysOnly_shippedDefaults() {
    var settings = dir.load().settings();

    assertThat(settings)
        .isEqualTo(
            new Settings(
                "kubernetes",
                Settings.Mode.WRITE,
                false,
                new Azure(
                    "sub-1",
                    "rg-1",
                    "rg-1",
                    Optional.empty(),
                    List.of(),
                    Cloud.PUBLIC,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    new Credential.Default(),
                    "2025-05-01"),
                true,
                new PoolLimits(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(2),
                    true,
                    Duration.ofMillis(100),
                    Duration.ofSeconds(35),
                    Duration.ofMinutes(10),
                    3,
                    new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), Jitter.EQUAL),
                    new Brake(500, 3, Duration.ZERO),
                    false),
                true,
                NodeDriver.SHIPPED,
                shippedRateLimiter(),
                Duration.ofMinutes(15),
                shippedLock(),
                new Settings.LeaderElection(
                    true,
                    "poolkeeper-leader",
                    Optional.empty(),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2)),
                new Settings.Admission(true, AdmissionLimits.SHIPPED, List.of(), Map.of()),
                Settings.Http.open("127.0.0.1", 8558)));
  }

  private static final String CHANGED_HTTP =
      "http { host = 0.0.0.0, port = 0, probe-port = 8559, authorization = metrics-open,"
          + " trust-loopback = true, api-server-tokens = true, runbook-url = \"https://git.a/runbook\" }";

  private static final String BUDGET_LOCK_SPOT_BRAKE_AND_ELECTION =
      """
        turnstile.retry-budget { cap = 3, ttl = 20s, min-per-second = 0.001 }
        turnstile.retry-budget { percent = 20, deposit = attempt }
        lock { enabled = false, name = l-1, namespace = ns, identity = other }
        lock { duration = 20m, max-hold = 2s, max-tail = 1s, yield = 50ms, drain-wait = null }
        lock.unreachable-after = 2m
        spot { enabled = false, event-messages = ["*"], max-tainted = 0.5 }
        spot { event-namespaces = [npd, kube-system], event-sources = [node-problem-detector] }
        brake { max-removal = 0.25, min-entries = 5, delay = 15s }
        leader-election { enabled = false, name = me, namespace = here }
        leader-election { lease-duration = 5s, renew-deadline = 4s }
        leader-election { retry-period = 100ms }
        admission { enabled = false, max-delay = 1h, checks = [freeze, budget] }
      """;

  private static Settings.Lock shippedLock() {
    return new Settings.Lock(
        true,
        "aks-managed-resource-locker",
        "kube-system",
        "poolkeeper",
        Duration.ofMinutes(15),
        new LockLimits(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(200)),
        Optional.of(Duration.ofSeconds(10)),
        Optional.empty());
  }

  /** Without a leading edge the shortest spacing is the interval. */
  private static PoolLimits changedPools() {
    return new PoolLimits(
        Duration.ofSeconds(2),
        Duration.ofSeconds(2),
        false,
        Duration.ZERO,
        Duration.ZERO,
        Duration.ofHours(1),
        7,
        new Backoff(Duration.ofMillis(500), Duration.ofSeconds(9), Jitter.DECORRELATED),
        new Brake(250, 5, Duration.ofSeconds(15)),
        true);
  }

  private static RateLimiterLimits shippedRateLimiter() {
    return new RateLimiterLimits(
        new Rate(150, 1_500),
        50,
        new Rate(200, 1_500),
        50,
        new Rate(200, 15_000),
        new RateLimiterLimits.Early(new Rate(75, 500), 50, 200),
        16,
        Duration.ofSeconds(60),
        Duration.ofMinutes(5),
        new RateLimiterLimits.Pauses(Duration.ofSeconds(2), Duration.ofSeconds(30)),
        new RetryBudget.Limits(20, Duration.ofSeconds(10), 500, 100),
        false);
  }

  private static RateLimiterLimits changedRateLimiter() {
    return new RateLimiterLimits(
        new Rate(30, 2_250),
        3,
        new Rate(40, 2_250),
        4,
        new Rate(9, 500),
        new RateLimiterLimits.Early(new Rate(9, 250), 2, 400),
        2,
        Duration.ofSeconds(5),
        Duration.ofSeconds(7),
        new RateLimiterLimits.Pauses(Duration.ofSeconds(2), Duration.ofSeconds(2)),
        new RetryBudget.Limits(3, Duration.ofSeconds(20), 1, 20),
        true);
  }

  private static Settings.Lock changedLock() {
    return new Settings.Lock(
        false,
        "l-1",
        "ns",
        "other",
        Duration.ofMinutes(20),
        new LockLimits(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(50)),
        Optional.empty(),
        Optional.of(Duration.ofMinutes(2)));
  }

  private static Settings.Admission changedAdmission() {
    return new Settings.Admission(
        false,
        new AdmissionLimits(Duration.ofHours(1)),
        List.of("freeze", "budget"),
        Map.of("shop", List.of(BadAdmissionTest.POOL)));
  }

  private static Settings.LeaderElection changedLeaderElection() {
    return new Settings.LeaderElection(
        false,
        "me",
        Optional.of("here"),
        Duration.ofSeconds(5),
        Duration.ofSeconds(4),
        Duration.ofMillis(100));
  }

  @Test
  void load_everyKeyGiven_everyComponentFollows() {
    dir.write("ca.pem", PemFileTest.CERTIFICATE);
    var vnet = "/subscriptions/s/resourceGroups/r/providers/Microsoft.Network/virtualNetworks/v";
    var settings =
        dir.load(
                "poolkeeper {",
                "  cluster-name = c1, mode = shadow, opt-in = true, updater.max-retries = 7",
                "  azure {",
                "    load-balancer-resource-group = lbs, api-version = 2024-01-01-preview",
                "    vnet-id = \"" + vnet + "\"",
                "    load-balancers = [c1, lb-2], cloud = azurechinacloud",
                "    endpoint = \"https://arm.example.net:8443/\", audience = \"api://arm//\"",
                "    trust-ca-file = ca.pem, credential = client-secret",
                "    tenant-id = t, client-id = c, client-secret = hush }",
                "  updater { enabled = false, interval = 2s, min-interval = 100ms, resync = 1h }",
                "  updater { leading-edge = false, verify-after = 0s, coalesce-window = 0s }",
                "  admin-state { enabled = false, min-active = 2, extra-taints = [a.io/x, Gone] }",
                "  admin-state { backoff { min = 500ms, max = 9s }, coalesce-window = 1s }",
                "  backoff.jitter = Decorrelated",
                "  turnstile { turn-deadline = 5s, max-retry-after = 1m, settle-limit = 7s }",
                "  turnstile { max-in-flight = 2, reads { rate = 0.5, burst = 9 }",
                "    early { rate = 0.25, burst = 9, initial = 2, share = 0.4 } }",
                "  turnstile.writes { rate = 2.25, burst = 30, initial = 3 }",
                "  turnstile.writes.drain-reserve { burst = 40, initial = 4 }",
                BUDGET_LOCK_SPOT_BRAKE_AND_ELECTION,
                "  admission.allowed-pools.shop = [\"" + BadAdmissionTest.POOL + "\"]",
                CHANGED_HTTP,
                "}")
            .settings();

    assertThat(settings)
        .isEqualTo(
            new Settings(
                "c1",
                Settings.Mode.SHADOW,
                true,
                new Azure(
                    "sub-1",
                    "rg-1",
                    "lbs",
                    Optional.of(vnet),
                    List.of("c1", "lb-2"),
                    Cloud.CHINA,
                    Optional.of(URI.create("https://arm.example.net:8443")),
                    Optional.empty(),
                    Optional.of("api://arm//"),
                    Optional.of(temp.resolve("ca.pem")),
                    new Credential.ClientSecret("t", "c", "hush", Optional.empty()),
                    "2024-01-01-preview"),
                false,
                changedPools(),
                false,
                changedNodes(),
                changedRateLimiter(),
                Duration.ofMinutes(1),
                changedLock(),
                changedLeaderElection(),
                changedAdmission(),
                changedHttp()));
  }

  private static NodeLimits changedNodes() {
    List<String> npd = List.of("node-problem-detector");
    var spot = new SpotLimits(false, List.of("*"), List.of("npd", "kube-system"), npd, 500);
    return new NodeLimits(false, spot, 2, Duration.ofSeconds(1), Set.of("a.io/x", "Gone"));
  }

  private static Settings.Http changedHttp() {
    return new Settings.Http(
        "0.0.0.0",
        0,
        Optional.of(8559),
        new AccessPolicy(AccessPolicy.Authorization.METRICS_OPEN, true, true),
        Optional.of("https://git.a/runbook"),
        new Settings.Tls.SelfMade());
  }

  @Test
  void load_valuesFromEveryLayer_fileOverAzureJsonOverEnvironmentOverDefault() {
    dir.write(
        "azure.json",
        """
        {"subscriptionId": "from-json", "resourceGroup": "from-json", "cloud": "AzurePublicCloud"}
        """);

    var loaded =
        dir.loadFile(
            """
            poolkeeper.azure.config-file = azure.json
            poolkeeper.azure.resource-group = from-file
            """,
            Map.of(
                "POOLKEEPER_SUBSCRIPTION_ID", "from-env",
                "POOLKEEPER_RESOURCE_GROUP", "from-env",
                "POOLKEEPER_CLUSTER_NAME", "from-env"));

    assertThat(loaded.settings().azure().resourceGroup()).isEqualTo("from-file");
    assertThat(loaded.settings().azure().subscriptionId()).isEqualTo("from-json");
    assertThat(loaded.settings().clusterName()).isEqualTo("from-env");
    assertThat(origins(loaded))
        .containsEntry("poolkeeper.azure.config-file", temp + "/p.conf:1")
        .containsEntry("poolkeeper.azure.resource-group", temp + "/p.conf:2")
        .containsEntry(
            "poolkeeper.azure.load-balancer-resource-group", "poolkeeper.azure.resource-group")
        .containsEntry("poolkeeper.azure.subscription-id", temp + "/azure.json: subscriptionId")
        .containsEntry("poolkeeper.cluster-name", "env POOLKEEPER_CLUSTER_NAME")
        .containsEntry("poolkeeper.updater.interval", "default");
  }

  @Test
  void load_optionNamesAnotherAzureJson_thatOneIsRead() {
    dir.write("azure.json", "not even JSON");
    var other = dir.write("other.json", "{\"subscriptionId\": \"s\", \"resourceGroup\": \"r\"}");
    var file = dir.write("p.conf", "poolkeeper.azure.config-file = azure.json");

    var loaded = SettingsLoader.load(file, Optional.of(other), Map.of("POOLKEEPER_MODE", "write"));

    assertThat(loaded.settings().azure().subscriptionId()).isEqualTo("s");
    assertThat(origins(loaded))
        .containsEntry("poolkeeper.azure.config-file", "option --azure-config");
  }

  @Test
  void load_emptyVariableOfOurs_countsAsUnset() {
    var loaded = dir.loadFile(ConfigDir.REQUIRED, Map.of("POOLKEEPER_CLUSTER_NAME", ""));

    assertThat(loaded.settings().clusterName()).isEqualTo("kubernetes");
  }

  @Test
  void load_fileTakesAnyVariable_bySubstitution() {
    var loaded =
        dir.loadFile(
            ConfigDir.REQUIRED + "poolkeeper.cluster-name = ${STAGE}-a", Map.of("STAGE", "blue"));

    assertThat(loaded.settings().clusterName()).isEqualTo("blue-a");
  }

  @Test
  void load_byteOrderMark_isIgnored() {
    var loaded = dir.loadFile("\uFEFF" + ConfigDir.REQUIRED, Map.of());

    assertThat(loaded.settings().azure().subscriptionId()).isEqualTo("sub-1");
  }

  @Test
  void load_pekkoSection_isHandedOnAlone() {
    var loaded = dir.load("pekko.loglevel = DEBUG", "mine = 1");

    assertThat(loaded.pekko()).isEqualTo(ConfigFactory.parseString("pekko.loglevel = DEBUG"));
  }

  @Test
  void load_managedIdentity_tellsResourceIdFromClientId() {
    var byClient = dir.load("poolkeeper.azure { credential = managed-identity, client-id = abc }");
    var byResource =
        dir.load(
            "poolkeeper.azure { credential = managed-identity, client-id = \"/subscriptions/x\" }");

    assertThat(byClient.settings().azure().credential())
        .isEqualTo(new Credential.ManagedIdentity(Optional.of("abc"), Optional.empty()));
    assertThat(byResource.settings().azure().credential())
        .isEqualTo(
            new Credential.ManagedIdentity(Optional.empty(), Optional.of("/subscriptions/x")));
  }

  @Test
  void load_credentialNone_allowedOnEveryLoopback() {
    for (var host : new String[] {"localhost", "127.0.0.1:80", "127.1.2.3", "[::1]:8080"}) {
      var loaded =
          dir.load("poolkeeper.azure { credential = none, endpoint = \"http://" + host + "\" }");

      assertThat(loaded.settings().azure().credential()).isEqualTo(new Credential.None());
    }
  }

  @Test
  void effective_secret_isMaskedEverywhere() {
    var loaded =
        dir.load(
            "poolkeeper.azure { credential = client-secret, tenant-id = t, client-id = c }",
            "poolkeeper.azure.client-secret = hush");

    assertThat(loaded.toString()).doesNotContain("hush");
    assertThat(loaded.effective().toString())
        .contains("poolkeeper.azure.client-secret = \"***\"  # " + temp + "/p.conf:4");
  }
}
