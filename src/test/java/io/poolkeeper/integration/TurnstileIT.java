package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.FAILED;
import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.RETRYING;
import static io.poolkeeper.integration.ControllerFixture.UPDATED;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.Event;
import io.poolkeeper.armsim.journal.ArmLogEntry;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The limits of calls to ARM, by the requests that arrive there (architecture, The turnstile). */
@Execution(ExecutionMode.CONCURRENT)
class TurnstileIT {
  private static final String OTHER = "Second-LB";
  private static final Map<String, String> BEFORE = Map.of("10.0.0.1", "n1");
  private static final Map<String, String> MOVED = Map.of("10.0.0.2", "n2");

  /** A gate closes with the answer, which is later than the request's arrival. */
  private static final Duration EARLIEST = Duration.ofMillis(5);

  private final ControllerFixture fixture = new ControllerFixture();

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  /** A Service for each name, its pool on one load balancer or on the other. */
  private void start(List<String> here, List<String> elsewhere) throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    fixture.arm.put(LB, seeds(here));
    fixture.arm.put(OTHER, seeds(elsewhere));
    fixture.startController("");
    fixture.awaitReady();
    // The listing after the Services appeared; no other is due for long.
    eventually(() -> assertThat(fixture.arm.listings(0)).isEqualTo(2));
  }

  private Seed[] seeds(List<String> services) {
    List<Seed> seeds = new ArrayList<>();
    for (String service : services) {
      String prefix = fixture.cluster.service(service);
      fixture.cluster.endpoints(service, "n1");
      seeds.add(Seed.of("shop-" + service, prefix).holding(BEFORE));
    }
    return seeds.toArray(Seed[]::new);
  }

  private static List<String> names(String prefix, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(prefix + i);
    }
    return names;
  }

  private int events(String service, String reason) {
    return fixture.events(service, reason).stream().mapToInt(Event::getCount).sum();
  }

  @Test
  void a429OfOnePoolHoldsAllAndCostsThemNothingAndThenCallsComeSlowly() throws Exception {
    List<String> here = names("here", 10);
    List<String> elsewhere = names("there", 10);
    start(Stream.concat(Stream.of("refused"), here.stream()).toList(), elsewhere);
    int mark = fixture.arm.mark();
    Duration gate = Duration.ofSeconds(4);
    fixture.arm.fault(
        "{\"method\":\"PUT\",\"times\":1,\"status\":429,\"code\":\"TooManyRequests\",\"retryAfter\":\"4\"}");
    fixture.cluster.endpoints("refused", "n2");
    fixture.awaitEvents("refused", RETRYING);
    ArmLogEntry refusal = fixture.arm.puts(LB, "shop-refused", mark).getFirst();

    here.forEach(service -> fixture.cluster.endpoints(service, "n2"));
    elsewhere.forEach(service -> fixture.cluster.endpoints(service, "n2"));

    here.forEach(service -> fixture.awaitMembers(LB, "shop-" + service, MOVED));
    elsewhere.forEach(service -> fixture.awaitMembers(OTHER, "shop-" + service, MOVED));
    fixture.awaitMembers(LB, "shop-refused", MOVED);
    List<Duration> attempts =
        fixture.arm.reads(mark).stream()
            .map(read -> Duration.ofNanos(read.arrivedNanos() - refusal.arrivedNanos()))
            .filter(Duration::isPositive)
            .sorted()
            .toList();
    assertThat(attempts).hasSize(21);
    // One attempt in the first second, then two, four and eight.
    int[] most = {0, 1, 3, 7, 15};
    for (int second = 0; second < most.length; second++) {
      Duration end = gate.plusSeconds(second).plus(EARLIEST);
      assertThat(attempts.stream().filter(at -> at.compareTo(end) < 0))
          .as("attempts until %s", end)
          .hasSizeLessThanOrEqualTo(most[second]);
    }
    assertThat(attempts.getFirst()).isLessThan(gate.plusSeconds(2));
    assertCheap(here, LB, mark);
    assertCheap(elsewhere, OTHER, mark);
    assertThat(events("refused", RETRYING)).isEqualTo(1);
    assertThat(fixture.get("/metrics").body())
        .contains("poolkeeper_pool_updates_total{result=\"updated\"} 21.0")
        .contains("poolkeeper_pool_updates_total{result=\"failed\"} 0.0");
  }

  /** One read, one write, one event. */
  private void assertCheap(List<String> services, String loadBalancer, int mark) {
    for (String service : services) {
      eventually(() -> assertThat(events(service, UPDATED)).as(service).isEqualTo(1));
      assertThat(events(service, RETRYING) + events(service, FAILED)).as(service).isZero();
      assertThat(fixture.arm.requests("GET", loadBalancer, "shop-" + service, mark)).hasSize(1);
      assertThat(fixture.arm.requests("PUT", loadBalancer, "shop-" + service, mark)).hasSize(1);
    }
  }

  @Test
  void aWriteWithoutAnAnswerLeavesTheLoadBalancerToReadsUntilItIsOver() throws Exception {
    start(List.of("lost", "beside"), List.of("other"));
    int mark = fixture.arm.mark();
    fixture.arm.fault(
        "{\"method\":\"PUT\",\"path\":\"/shop-lost$\",\"times\":1,\"reset\":\"before\",\"delayMillis\":2000}");
    fixture.cluster.endpoints("lost", "n2");
    eventually(
        () ->
            assertThat(fixture.pool(LB, "shop-lost").path("state").asText()).isEqualTo("Writing"));
    List<String> updating = List.of(updating("lost"), updating("beside"));
    fixture.awaitEvents("lost", RETRYING);

    fixture.cluster.endpoints("beside", "n2");
    fixture.cluster.endpoints("other", "n2");

    fixture.awaitMembers(OTHER, "shop-other", MOVED);
    eventually(() -> assertThat(looks(mark)).hasSizeGreaterThanOrEqualTo(2));
    updating.forEach(fixture.arm::lift);
    List<ArmLogEntry> looks = looks(mark);
    assertThat(writes(mark)).hasSize(1);
    ArmLogEntry lost = writes(mark).getFirst();
    assertThat(between(lost, looks.get(0))).isGreaterThan(Duration.ofMillis(2_000 + 950));
    assertThat(between(looks.get(0), looks.get(1))).isGreaterThan(Duration.ofMillis(1_950));
    fixture.awaitMembers(LB, "shop-beside", MOVED);
    assertThat(fixture.awaitEvents("lost", UPDATED)).hasSize(1);
    assertThat(writes(mark)).hasSize(2);
    assertThat(events("lost", RETRYING)).isEqualTo(1);
    assertThat(events("beside", RETRYING) + events("beside", FAILED)).isZero();
  }

  /** Reads show a write of another client in flight, until the rule is removed. */
  private String updating(String service) {
    ObjectNode document = fixture.arm.document(LB, "shop-" + service);
    ((ObjectNode) document.path("properties")).put("provisioningState", "Updating");
    return fixture.arm.fault(
        "{\"method\":\"GET\",\"path\":\"/shop-%s$\",\"status\":200,\"body\":%s}"
            .formatted(service, TextNode.valueOf(document.toString())));
  }

  /** The reads that followed the lost write. */
  private List<ArmLogEntry> looks(int mark) {
    long lost = writes(mark).getFirst().arrivedNanos();
    return fixture.arm.reads(mark).stream()
        .filter(read -> read.arrivedNanos() > lost && !read.path().contains("shop-other"))
        .filter(read -> read.injected())
        .sorted(Comparator.comparingLong(ArmLogEntry::arrivedNanos))
        .toList();
  }

  private List<ArmLogEntry> writes(int mark) {
    List<ArmLogEntry> writes = new ArrayList<>(fixture.arm.puts(LB, "shop-lost", mark));
    writes.addAll(fixture.arm.puts(LB, "shop-beside", mark));
    writes.sort(Comparator.comparingLong(ArmLogEntry::arrivedNanos));
    return writes;
  }

  @Test
  void aServiceThatIsDeletedUnderItsWriteKeepsTheLoadBalancerUntilThatIsOver() throws Exception {
    start(List.of("first", "second"), List.of("other"));
    int mark = fixture.arm.mark();
    fixture.arm.fault("{\"method\":\"PUT\",\"path\":\"/shop-first$\",\"delayMillis\":3000}");
    fixture.cluster.endpoints("first", "n2");
    eventually(
        () ->
            assertThat(fixture.pool(LB, "shop-first").path("state").asText()).isEqualTo("Writing"));

    fixture.cluster.deleteService("first");
    fixture.cluster.endpoints("second", "n2");
    fixture.cluster.endpoints("other", "n2");

    fixture.awaitMembers(OTHER, "shop-other", MOVED);
    assertThat(fixture.arm.members(LB, "shop-second")).isEqualTo(BEFORE);
    fixture.awaitMembers(LB, "shop-second", MOVED);
    List<ArmLogEntry> firsts = fixture.arm.puts(LB, "shop-first", mark);
    assertThat(firsts).hasSize(1);
    long accepted = firsts.getFirst().acceptedNanos().orElseThrow();
    assertThat(fixture.arm.requests("GET", LB, "shop-second", mark))
        .hasSizeGreaterThanOrEqualTo(1)
        .allSatisfy(read -> assertThat(read.arrivedNanos()).isGreaterThan(accepted));
    eventually(() -> assertThat(events("second", UPDATED)).isEqualTo(1));
    assertThat(events("first", UPDATED) + events("first", FAILED)).isZero();
  }

  @Test
  void aListingWaitsForTheReads() throws Exception {
    start(List.of("refused"), List.of("other"));
    int mark = fixture.arm.mark();
    fixture.arm.fault(
        "{\"method\":\"GET\",\"path\":\"/shop-refused$\",\"times\":1,\"status\":429,\"code\":\"TooManyRequests\",\"retryAfter\":\"4\"}");
    fixture.cluster.endpoints("refused", "n2");
    fixture.awaitEvents("refused", RETRYING);
    ArmLogEntry refusal = fixture.arm.requests("GET", LB, "shop-refused", mark).getFirst();

    // Requests a listing, a second later.
    fixture.cluster.touch("other");

    eventually(() -> assertThat(fixture.arm.listings(mark)).isEqualTo(1));
    assertThat(between(refusal, fixture.arm.listed(mark).getFirst()))
        .isGreaterThan(Duration.ofSeconds(4))
        .isLessThan(Duration.ofSeconds(6));
    fixture.awaitMembers(LB, "shop-refused", MOVED);
  }

  private static Duration between(ArmLogEntry one, ArmLogEntry other) {
    return Duration.ofNanos(other.arrivedNanos() - one.arrivedNanos());
  }
}
