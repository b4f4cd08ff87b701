package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.integration.ControllerFixture.Answer;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The HTTP API of a running controller, member by member. */
class HttpApiIT {
  private static final String POOL = "shop-web";
  private static final List<String> ITEM =
      List.of(
          "loadBalancer",
          "pool",
          "resourceGroup",
          "subscription",
          "services",
          "state",
          "why",
          "until",
          "queued",
          "retries",
          "desired",
          "inPool",
          "down",
          "lastWrite",
          "lastError",
          "writes",
          "failures");

  private static final ControllerFixture fixture = new ControllerFixture();
  private static int probes;
  private static Answer readyBefore = new Answer(0, "", "");
  private static Answer healthBefore = new Answer(0, "", "");

  /** A controller that reaches ARM late and then makes exactly one update. */
  @BeforeAll
  static void start() throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    String prefix = fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB, Seed.of(POOL, prefix).holding(Map.of("10.0.0.1", "n1")));
    String slow =
        fixture.arm.fault(
            "{\"method\":\"GET\",\"path\":\"/loadBalancers$\",\"status\":403,\"code\":\"Denied\"}");
    try (ServerSocket free = new ServerSocket(0)) {
      probes = free.getLocalPort();
    }
    fixture.startController("poolkeeper.http.probe-port = " + probes);
    eventually(
        () -> {
          readyBefore = fixture.get("/readyz");
          assertThat(readyBefore.body()).contains("HTTP 403").doesNotContain("synced", "connected");
        });
    healthBefore = fixture.get("/healthz");
    fixture.arm.lift(slow);
    fixture.awaitReady();
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.awaitMembers(LB, POOL, Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));
    eventually(() -> assertThat(fixture.pool(LB, POOL).path("state").asText()).isEqualTo("Idle"));
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @Test
  void healthz_alwaysWhileItLives_answersOk() {
    assertThat(healthBefore.status()).isEqualTo(200);
    assertThat(fixture.get("/healthz")).isEqualTo(healthBefore);
  }

  @Test
  void probes_while2000SlowClientsHoldTheOtherPort_answerWithinASecond() throws Exception {
    List<SocketChannel> slow = new ArrayList<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (int i = 0; i < 2_000; i++) {
        SocketChannel client = SocketChannel.open();
        slow.add(client);
        client.configureBlocking(false);
        if (client.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.url().getPort()))) {
          client.write(ByteBuffer.wrap("GET /metrics HT".getBytes(US_ASCII)));
        }
      }
      for (String path : List.of("/healthz", "/readyz")) {
        URI probe = URI.create("http://127.0.0.1:%d%s".formatted(probes, path));
        HttpRequest request = HttpRequest.newBuilder(probe).timeout(Duration.ofSeconds(1)).build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      }
    } finally {
      for (SocketChannel client : slow) {
        client.close();
      }
    }
  }

  @Test
  void readyz_beforeAndAfter_saysWhatIsMissing() {
    assertThat(readyBefore.status()).isEqualTo(503);
    assertThat(readyBefore.type()).isEqualTo("application/json");
    assertThat(readyBefore.json().path("ready").asBoolean(true)).isFalse();
    assertThat(readyBefore.json().path("why"))
        .extracting(JsonNode::asText)
        .containsExactly(
            "load balancers were not listed yet",
            "listing load balancers: HTTP 403 Denied: Injected by a fault rule.");

    assertThat(fixture.get("/readyz").body())
        .isEqualTo("{\"ready\":true,\"why\":[],\"role\":\"leader\"}");
  }

  @Test
  void metrics_afterOneUpdate_countItOnce() {
    Answer metrics = fixture.get("/metrics");

    assertThat(metrics.status()).isEqualTo(200);
    assertThat(metrics.type()).startsWith("text/plain; version=0.0.4");
    assertThat(metrics.body().lines())
        .contains(
            "poolkeeper_pool_updates_total{result=\"updated\"} 1.0",
            "poolkeeper_pool_updates_total{result=\"failed\"} 0.0",
            "poolkeeper_pool_update_duration_seconds_count 1",
            count("get", 200) + " 1",
            count("put", 200) + " 1",
            count("poll", 200) + " 1",
            "poolkeeper_retries_total{reason=\"drift\"} 0.0",
            "poolkeeper_queue_age_seconds_count{lane=\"update\"} 1",
            "poolkeeper_rate_limiter_wait_seconds_count{lane=\"update\"} 1",
            "poolkeeper_queue_depth{lane=\"update\"} 0.0",
            "poolkeeper_inflight_requests 0.0",
            "poolkeeper_throttle_gate_seconds{kind=\"write\"} 0.0",
            "poolkeeper_oldest_pending_seconds 0.0",
            "poolkeeper_pools{state=\"idle\"} 1.0",
            "poolkeeper_addresses_missing 0.0",
            "poolkeeper_propagation_seconds_count{to=\"accepted\"} 1",
            "poolkeeper_propagation_seconds_count{to=\"effective\"} 1",
            "poolkeeper_watch_connected{kind=\"endpoint-slices\"} 1.0",
            "poolkeeper_watch_connected{kind=\"bindings\"} 1.0")
        .anyMatch(line -> line.matches("poolkeeper_listing_failures_total [1-9].*"))
        .anyMatch(line -> line.matches("poolkeeper_last_listing_timestamp_seconds 1\\..*E9"))
        .anyMatch(line -> line.startsWith(count("list", 200) + " "))
        .anyMatch(line -> line.matches("poolkeeper_retry_budget_balance [56]\\.0"))
        .anyMatch(line -> line.startsWith(count("list", 403) + " "))
        .anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
  }

  /** Alerts and the dashboard ask for nothing that is not there. */
  @Test
  void metrics_ofAlertsAndDashboard_areInTheScrape() throws Exception {
    Path folder = Path.of("deploy", "observability");
    String scrape = fixture.get("/metrics").body();
    for (String file : List.of("prometheus-rules.yaml", "grafana-dashboard.json")) {
      Set<String> asked =
          Pattern.compile("\\b(poolkeeper|process|cloudprovider)_\\w+")
              .matcher(Files.readString(folder.resolve(file)))
              .results()
              .map(MatchResult::group)
              .collect(Collectors.toSet());

      assertThat(asked)
          .as(file)
          .hasSizeGreaterThan(8)
          .allSatisfy(name -> assertThat(scrape).containsPattern("\n" + name + "[{ ]"));
    }
  }

  private static String count(String call, int status) {
    return "poolkeeper_arm_request_duration_seconds_count{call=\"%s\",status=\"%d\"}"
        .formatted(call, status);
  }

  @Test
  void pools_ofOneUpdatedPool_haveExactlyTheContractsMembers() {
    JsonNode items = fixture.get("/api/v1/pools").json();

    assertThat(items).hasSize(1);
    JsonNode item = items.get(0);
    assertThat(item.fieldNames()).toIterable().containsExactlyElementsOf(ITEM);
    assertThat(item.path("lastWrite").asText()).matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");
    assertThat(item.toString())
        .isEqualTo(
            """
            {"loadBalancer":"kubernetes","pool":"shop-web","resourceGroup":"%s",\
            "subscription":"%s","services":["shop/web"],"state":"Idle","why":"","until":null,\
            "queued":0,"retries":[],"desired":["10.0.0.1","10.0.0.2"],\
            "inPool":["10.0.0.1","10.0.0.2"],"down":[],"lastWrite":"%s","lastError":null,\
            "writes":1,"failures":0}\
            """
                .formatted(
                    SimulatedArm.GROUP,
                    SimulatedArm.SUBSCRIPTION,
                    item.path("lastWrite").asText()));
  }

  @Test
  void nodes_noneLeaving_isEmpty() {
    assertThat(fixture.get("/api/v1/nodes").json()).isEmpty();
  }

  @Test
  void pool_byAnyCase_isTheItemOfTheList_andExplainsIt() {
    JsonNode pool = fixture.get("/api/v1/pools/KUBERNETES/Shop-Web").json();

    JsonNode item = fixture.get("/api/v1/pools").json().get(0);
    assertThat(item.properties()).isSubsetOf(pool.properties());
    assertThat(pool.path("row").path("id").asText()).endsWith("/kubernetes/shop-web");
    assertThat(pool.path("cause").isNull()).isTrue();
    assertThat(pool.path("entries").findValuesAsText("change")).containsExactly("keep", "keep");
    assertThat(pool.path("entries").findValuesAsText("address"))
        .containsExactly("10.0.0.1", "10.0.0.2");
    assertThat(pool.path("events").findValuesAsText("text"))
        .contains("PUT: +1", "followed from now on");
    assertThat(pool.path("steps").findValuesAsText("state")).containsOnly("done").hasSize(6);
    assertThat(pool.path("error").isNull()).isTrue();
  }

  @Test
  void page_isServed_withAPolicyThatAllowsNoOtherHost() {
    Answer page = fixture.get("/");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.type()).isEqualTo("text/html; charset=UTF-8");
    assertThat(page.body()).contains("<script type=\"module\" src=").doesNotContain("style=");
    assertThat(fixture.get("/page.js").type()).startsWith("application/javascript");
    assertThat(fixture.get("/reference.conf").status()).isEqualTo(404);
  }

  @Test
  void pool_thatIsNone_isNotFoundByName() {
    Answer answer = fixture.get("/api/v1/pools/kubernetes/other");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.json().path("error").asText())
        .isEqualTo("no pool other on load balancer kubernetes");
  }

  @Test
  void turnstile_whenAllIsDone_hasExactlyTheContractsMembers() {
    JsonNode rateLimiter = fixture.get("/api/v1/turnstile").json();

    assertThat(rateLimiter.fieldNames())
        .toIterable()
        .containsExactly(
            "now",
            "gates",
            "buckets",
            "lanes",
            "retryBudget",
            "maxInFlight",
            "turns",
            "waiting",
            "settling",
            "lease",
            "listingWaits");
    assertThat(rateLimiter.path("gates").toString())
        .isEqualTo("{\"readsUntil\":null,\"writesUntil\":null,\"loadBalancers\":[]}");
    assertThat(rateLimiter.path("buckets"))
        .extracting(bucket -> bucket.path("bucket").asText())
        .containsExactly("writes", "drain-reserve", "early", "reads");
    assertThat(rateLimiter.path("lanes"))
        .extracting(level -> level.path("lane").asText())
        .containsExactly("drain", "update", "drain-retry", "retry", "early", "repair");
    assertThat(rateLimiter.path("maxInFlight").asInt()).isEqualTo(16);
    assertThat(rateLimiter.path("turns")).isEmpty();
    assertThat(rateLimiter.path("waiting")).isEmpty();
  }

  @Test
  void anythingElse_isNotServed() {
    assertThat(fixture.get("/api/v1/nothing").status()).isEqualTo(404);
  }
}
