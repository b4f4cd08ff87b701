package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.FAILED;
import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.UPDATED;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static io.poolkeeper.integration.ControllerFixture.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import io.poolkeeper.armsim.journal.ArmLogEntry;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Expected Behavior of spec 1, on an interval of a second. */
class RetryIT {
  private static final String RETRYING = "LoadBalancerBackendPoolUpdateRetrying";
  private static final String DONE = "Load balancer backend pool updated successfully";
  private static final String RETRY = "Backend pool update failed, will retry: ";
  private static final String CONFLICT = "HTTP 409 Conflict: Injected by a fault rule.";
  private static final String REPAIR = " Poolkeeper also tries again by itself.";
  private static final String COME_AGAIN =
      "\"{\\\"error\\\":{\\\"code\\\":\\\"TooManyRequests\\\",\\\"message\\\":\\\"Come again.\\\"}}\"";
  private static final Map<String, String> BEFORE = Map.of("10.0.0.1", "n1");
  private static final Map<String, String> MOVED = Map.of("10.0.0.2", "n2");
  private static final Map<String, String> AGAIN = Map.of("10.0.0.3", "n3");

  /** Three intervals, or a pool's own repair after 15 s, and some time for the work. */
  private static final Duration LONG = Duration.ofSeconds(25);

  private static final ControllerFixture fixture = new ControllerFixture();

  @BeforeAll
  static void start() throws Exception {
    for (int node = 1; node <= 3; node++) {
      fixture.cluster.node("n" + node, "10.0.0." + node);
    }
    List<Seed> seeds = new ArrayList<>();
    for (String service : List.of("exhausted", "patient", "gone", "canary", "down", "throttled")) {
      String prefix = fixture.cluster.service(service);
      fixture.cluster.endpoints(service, "n1");
      seeds.add(Seed.of("shop-" + service, prefix).holding(BEFORE));
    }
    fixture.arm.put(LB, seeds.toArray(Seed[]::new));
    fixture.startController("poolkeeper.updater.interval = 1s");
    fixture.awaitReady();
  }

  @AfterEach
  void liftFaults() {
    fixture.arm.liftAll();
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @Test
  void fourFailedAttemptsAreThreeRetriesAndOneFailureAndThenThePoolRepairsItself() {
    int mark = fixture.arm.mark();
    Metrics before = Metrics.now();
    fault("exhausted", "\"times\":4,\"status\":409,\"code\":\"Conflict\"");

    fixture.cluster.endpoints("exhausted", "n2");

    within(LONG).until(() -> count("exhausted", FAILED) == 1);
    assertThat(count("exhausted", RETRYING)).isEqualTo(3);
    assertThat(fixture.events("exhausted", RETRYING))
        .extracting(Event::getType, Event::getMessage)
        .containsOnly(tuple("Warning", RETRY + CONFLICT));
    assertThat(fixture.events("exhausted", FAILED))
        .extracting(Event::getType, RetryIT::message)
        .containsExactly(
            tuple(
                "Warning",
                "Backend pool update failed after 3 retries: "
                    + CONFLICT
                    + " (IDS). To retrigger, cause an endpoint change for the Service (e.g., restart or"
                    + " scale a backing pod)."
                    + REPAIR));
    assertThat(statuses("PUT", "exhausted", mark)).containsExactly(409, 409, 409, 409);
    assertThat(statuses("GET", "exhausted", mark)).containsExactly(200, 200, 200, 200);
    assertThat(pool("exhausted").path("queued").asInt(-1)).isZero();
    assertThat(fixture.arm.members(LB, "shop-exhausted")).isEqualTo(BEFORE);
    assertThat(Metrics.now()).isEqualTo(before.plus(0, 1));

    within(LONG)
        .untilAsserted(
            () -> assertThat(fixture.arm.members(LB, "shop-exhausted")).isEqualTo(MOVED));
    assertUpdatedOnce("exhausted");
    assertThat(statuses("PUT", "exhausted", mark)).containsExactly(409, 409, 409, 409, 200);
    assertThat(count("exhausted", RETRYING)).isEqualTo(3);
    assertThat(count("exhausted", FAILED)).isEqualTo(1);
    assertThat(Metrics.now()).isEqualTo(before.plus(1, 1));
  }

  /** With the ids of the call, which differ, in short. */
  private static String message(Event event) {
    String id = "[0-9a-f-]{36}";
    return event
        .getMessage()
        .replaceFirst("x-ms-correlation-request-id " + id + ", x-ms-request-id " + id, "IDS");
  }

  @Test
  void aRetryThatSucceedsIsASuccessAndNothingElse() {
    int mark = fixture.arm.mark();
    Metrics before = Metrics.now();
    fault("patient", "\"times\":2,\"status\":412,\"code\":\"PreconditionFailed\"");

    fixture.cluster.endpoints("patient", "n2");

    fixture.awaitMembers(LB, "shop-patient", MOVED);
    assertUpdatedOnce("patient");
    assertThat(count("patient", RETRYING)).isEqualTo(2);
    assertThat(fixture.events("patient", RETRYING))
        .extracting(Event::getMessage)
        .containsOnly(RETRY + "HTTP 412 PreconditionFailed: Injected by a fault rule.");
    assertThat(count("patient", FAILED)).isZero();
    assertThat(statuses("PUT", "patient", mark)).containsExactly(412, 412, 200);
    assertThat(statuses("GET", "patient", mark)).containsExactly(200, 200, 200);
    List<ArmLogEntry> puts = fixture.arm.puts(LB, "shop-patient", mark);
    assertThat(between(puts.get(0), puts.get(1))).isGreaterThan(Duration.ofMillis(850));
    assertThat(between(puts.get(1), puts.get(2))).isGreaterThan(Duration.ofMillis(850));
    assertThat(Metrics.now()).isEqualTo(before.plus(1, 0));
  }

  @Test
  void aServiceThatGoesAwayWhileItIsRetriedIsDroppedQuietly() {
    Metrics before = Metrics.now();
    fault("gone", "\"status\":409,\"code\":\"Conflict\"");
    fixture.cluster.endpoints("gone", "n2");
    eventually(() -> assertThat(count("gone", RETRYING)).isEqualTo(1));

    fixture.cluster.deleteService("gone");
    eventually(() -> assertThat(fixture.get("/api/v1/pools").body()).doesNotContain("shop/gone"));
    int mark = fixture.arm.mark();

    // Two writes of another pool, an interval apart: the retry would have come between them.
    fixture.cluster.endpoints("canary", "n2");
    fixture.awaitMembers(LB, "shop-canary", MOVED);
    fixture.cluster.endpoints("canary", "n3");
    fixture.awaitMembers(LB, "shop-canary", AGAIN);
    eventually(() -> assertThat(count("canary", UPDATED)).isEqualTo(2));
    assertThat(statuses("GET", "gone", mark)).isEmpty();
    assertThat(statuses("PUT", "gone", mark)).isEmpty();
    assertThat(count("gone", RETRYING)).isEqualTo(1);
    assertThat(count("gone", FAILED) + count("gone", UPDATED)).isZero();
    assertThat(Metrics.now()).isEqualTo(before.plus(2, 0));
  }

  @Test
  void aStatusThatTheCallHasRepeatedInVainIsAFailureAtOnce() {
    int mark = fixture.arm.mark();
    Metrics before = Metrics.now();
    fault("down", "\"times\":4,\"status\":503,\"code\":\"ServiceUnavailable\"");

    fixture.cluster.endpoints("down", "n2");

    assertThat(fixture.awaitEvents("down", FAILED))
        .extracting(Event::getType, RetryIT::message, Event::getCount)
        .containsExactly(
            tuple(
                "Warning",
                "Backend pool update failed (non-retriable): HTTP 503 ServiceUnavailable:"
                    + " Injected by a fault rule. (IDS)."
                    + REPAIR,
                1));
    assertThat(count("down", RETRYING)).isZero();
    assertThat(statuses("GET", "down", mark)).containsExactly(200);
    assertThat(statuses("PUT", "down", mark)).containsExactly(503, 503, 503, 503);
    assertThat(pool("down").path("queued").asInt(-1)).isZero();
    assertThat(Metrics.now()).isEqualTo(before.plus(0, 1));

    // Any change of the Service triggers an attempt at once.
    fixture.cluster.endpoints("down", "n3");
    fixture.awaitMembers(LB, "shop-down", AGAIN);
    assertUpdatedOnce("down");
    assertThat(Metrics.now()).isEqualTo(before.plus(1, 1));
  }

  @Test
  void aTimeThatArmNamesIsWaitedForWithoutACallOrAWord() {
    int mark = fixture.arm.mark();
    Metrics before = Metrics.now();
    fault("throttled", "\"times\":1,\"status\":429,\"retryAfter\":3,\"body\":" + COME_AGAIN);
    fixture.cluster.endpoints("throttled", "n2");
    eventually(() -> assertThat(pool("throttled").path("state").asText()).isEqualTo("Parked"));

    fixture.cluster.endpoints("throttled", "n3");

    // It queues behind the parked operations.
    eventually(
        () ->
            assertThat(pool("throttled").path("retries"))
                .extracting(JsonNode::asInt)
                .containsExactly(1, 0));
    assertThat(statuses("GET", "throttled", mark)).containsExactly(200);
    fixture.awaitMembers(LB, "shop-throttled", AGAIN);
    assertUpdatedOnce("throttled");
    assertThat(fixture.events("throttled", RETRYING))
        .extracting(Event::getType, Event::getMessage, Event::getCount)
        .containsExactly(tuple("Warning", RETRY + "HTTP 429 TooManyRequests: Come again.", 1));
    assertThat(count("throttled", FAILED)).isZero();
    assertThat(statuses("PUT", "throttled", mark)).containsExactly(429, 200);
    List<ArmLogEntry> gets = fixture.arm.requests("GET", LB, "shop-throttled", mark);
    assertThat(gets).hasSize(2);
    assertThat(between(fixture.arm.puts(LB, "shop-throttled", mark).getFirst(), gets.get(1)))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    assertThat(Metrics.now()).isEqualTo(before.plus(1, 0));
  }

  private static void fault(String service, String members) {
    fixture.arm.fault("{\"method\":\"PUT\",\"path\":\"/shop-%s$\",%s}".formatted(service, members));
  }

  private static JsonNode pool(String service) {
    return fixture.pool(LB, "shop-" + service);
  }

  private static int count(String service, String reason) {
    return fixture.events(service, reason).stream().mapToInt(Event::getCount).sum();
  }

  private static List<Integer> statuses(String method, String service, int mark) {
    return fixture.arm.requests(method, LB, "shop-" + service, mark).stream()
        .map(ArmLogEntry::status)
        .toList();
  }

  private static void assertUpdatedOnce(String service) {
    assertThat(fixture.awaitEvents(service, UPDATED))
        .extracting(Event::getType, Event::getMessage, Event::getCount)
        .containsExactly(tuple("Normal", DONE, 1));
  }

  private static Duration between(ArmLogEntry one, ArmLogEntry other) {
    return Duration.ofNanos(other.arrivedNanos() - one.arrivedNanos());
  }

  /** The counts of successful and failed updates in the metrics, without retries. */
  private record Metrics(int updated, int failed) {
    static Metrics now() {
      return new Metrics(value("updated"), value("failed"));
    }

    private static int value(String result) {
      String name = "poolkeeper_pool_updates_total{result=\"%s\"} ".formatted(result);
      return fixture
          .get("/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith(name))
          .map(line -> (int) Double.parseDouble(line.substring(name.length())))
          .findFirst()
          .orElseThrow();
    }

    Metrics plus(int moreUpdated, int moreFailed) {
      return new Metrics(updated + moreUpdated, failed + moreFailed);
    }
  }
}
