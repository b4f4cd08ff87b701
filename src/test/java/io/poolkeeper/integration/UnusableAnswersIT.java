package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.FAILED;
import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.RETRYING;
import static io.poolkeeper.integration.ControllerFixture.UPDATED;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Event;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * ARM gives unusable answers: the controller continues, reports the error once, writes nothing
 * wrong, and converges when ARM has recovered.
 */
class UnusableAnswersIT {
  private static final Map<String, String> BEFORE = Map.of("10.0.0.1", "n1");
  private static final Map<String, String> AGAIN = Map.of("10.0.0.3", "n3");

  private static final ControllerFixture fixture = new ControllerFixture();

  @BeforeAll
  static void start() throws Exception {
    for (int node = 1; node <= 3; node++) {
      fixture.cluster.node("n" + node, "10.0.0." + node);
    }
    List<Seed> seeds = new ArrayList<>();
    for (String service : services()) {
      String prefix = fixture.cluster.service(service);
      fixture.cluster.endpoints(service, "n1");
      seeds.add(Seed.of("shop-" + service, prefix).holding(BEFORE));
    }
    fixture.arm.put(LB, seeds.toArray(Seed[]::new));
    fixture.startController("");
    fixture.awaitReady();
  }

  private static List<String> services() {
    List<String> services = new ArrayList<>();
    for (ArmFault fault : ArmFault.values()) {
      services.add(service("get", fault));
      services.add(service("put", fault));
    }
    return services;
  }

  private static String service(String call, ArmFault fault) {
    return call + "-" + fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @AfterEach
  void liftFaults() {
    fixture.arm.liftAll();
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  /** Without the 404, which counts as a deletion of the pool until a listing shows otherwise. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GROUP_NOT_FOUND")
  void aPoolThatCannotBeReadIsReportedOnceAndWrittenAfterTheFault(ArmFault fault) {
    failsOnceThenFollows(
        service("get", fault),
        fault.rule("GET", pool("get", fault)),
        fault.error(),
        fault.mayPass());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GROUP_NOT_FOUND")
  void aPoolThatCannotBeWrittenIsReportedOnceAndWrittenAfterTheFault(ArmFault fault) {
    failsOnceThenFollows(
        service("put", fault),
        fault.rule("PUT", pool("put", fault)),
        fault.putError(),
        fault.putMayPass());
  }

  private static String pool(String call, ArmFault fault) {
    return "/shop-" + service(call, fault) + "$";
  }

  private static void failsOnceThenFollows(
      String service, String rule, Pattern error, boolean retried) {
    String pool = "shop-" + service;
    int mark = fixture.arm.mark();
    String fault = fixture.arm.fault(rule);

    fixture.cluster.endpoints(service, "n2");

    List<Event> events = fixture.awaitEvents(service, FAILED);
    assertThat(events).singleElement().extracting(Event::getType).isEqualTo("Warning");
    eventually(() -> assertThat(fixture.pool(LB, pool).path("state").asText()).isEqualTo("Failed"));
    String lastError = fixture.pool(LB, pool).path("lastError").asText();
    assertThat(plain(lastError)).matches(error);
    assertThat(plain(events.getFirst().getMessage())).isEqualTo(text(plain(lastError), retried));
    assertThat(fixture.events(service, RETRYING))
        .extracting(Event::getMessage, Event::getCount)
        .isEqualTo(retried ? List.of(tuple(retrying(plain(lastError)), 3)) : List.of());
    assertThat(fixture.arm.members(LB, pool)).isEqualTo(BEFORE);

    // A repair that fails in the same way is not reported again.
    int attempts = fixture.arm.requests("GET", LB, pool, mark).size();
    fixture.cluster.touch(service);
    eventually(
        () -> {
          assertThat(fixture.arm.requests("GET", LB, pool, mark)).hasSizeGreaterThan(attempts);
          assertThat(fixture.pool(LB, pool).path("state").asText()).isEqualTo("Failed");
        });

    fixture.arm.lift(fault);
    fixture.cluster.endpoints(service, "n3");
    fixture.awaitMembers(LB, pool, AGAIN);
    assertThat(fixture.awaitEvents(service, UPDATED))
        .extracting(Event::getMessage, Event::getCount)
        .containsExactly(tuple("Load balancer backend pool updated successfully", 1));
    assertThat(fixture.events(service, FAILED)).extracting(Event::getCount).containsExactly(1);
    eventually(
        () -> assertThat(fixture.pool(LB, pool).path("lastError").isNull()).as("clean").isTrue());
  }

  private static String text(String error, boolean retried) {
    String form =
        retried
            ? "Backend pool update failed after 3 retries: %s To retrigger, cause an endpoint change"
                + " for the Service (e.g., restart or scale a backing pod). Poolkeeper also tries"
                + " again by itself."
            : "Backend pool update failed (non-retriable): %s Poolkeeper also tries again by"
                + " itself.";
    return form.formatted(sentence(error));
  }

  private static String retrying(String error) {
    return "Backend pool update failed, will retry: " + sentence(error);
  }

  /** Without the ids of the call. */
  private static String plain(String error) {
    String shorter = error.replaceAll(" \\(x-ms-[^)]*\\)", "");
    return error.equals(shorter) ? error : shorter.replace("..", ".");
  }

  private static String sentence(String error) {
    return error.endsWith(".") ? error : error + ".";
  }
}
