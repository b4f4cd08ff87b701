package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.FAILED;
import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.UPDATED;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static io.poolkeeper.integration.ControllerFixture.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A failed change is written when ARM has recovered, without any other event. */
class RepairIT {
  private static final Map<String, String> BEFORE = Map.of("10.0.0.1", "n1");
  private static final Map<String, String> MOVED = Map.of("10.0.0.2", "n2");

  /** 7.5 to 15 s after the failure, and some time for the work. */
  private static final Duration OWN_REPAIR = Duration.ofSeconds(20);

  private static final ControllerFixture fixture = new ControllerFixture();

  @BeforeAll
  static void start() throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    List<Seed> seeds = new ArrayList<>();
    for (String service : List.of("unread", "unwritten", "hidden-get", "hidden-put")) {
      String prefix = fixture.cluster.service(service);
      fixture.cluster.endpoints(service, "n1");
      seeds.add(Seed.of("shop-" + service, prefix).holding(BEFORE));
    }
    fixture.arm.put(LB, seeds.toArray(Seed[]::new));
    fixture.startController("");
    fixture.awaitReady();
    // The listing after the Services appeared; no other is due for long.
    eventually(() -> assertThat(fixture.arm.listings(0)).isEqualTo(2));
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @Test
  void failedPoolsAreRepairedWithoutAnyFurtherChange() {
    String unreadable = fixture.arm.fault(ArmFault.HTML_PAGE.rule("GET", "/shop-unread$"));
    String readOnly = fixture.arm.fault(ArmFault.FORBIDDEN.rule("PUT", "/shop-unwritten$"));
    fixture.cluster.endpoints("unread", "n2");
    fixture.cluster.endpoints("unwritten", "n2");
    fixture.awaitEvents("unread", FAILED);
    fixture.awaitEvents("unwritten", FAILED);

    fixture.arm.lift(unreadable);
    fixture.arm.lift(readOnly);
    int mark = fixture.arm.mark();

    for (String service : List.of("unread", "unwritten")) {
      within(OWN_REPAIR)
          .untilAsserted(
              () -> assertThat(fixture.arm.members(LB, "shop-" + service)).isEqualTo(MOVED));
      assertThat(fixture.awaitEvents(service, UPDATED)).hasSize(1);
      assertThat(fixture.events(service, FAILED)).extracting(Event::getCount).containsExactly(1);
    }
    assertThat(fixture.arm.listings(mark)).isZero();
  }

  /** A 404 counts as a deletion of the pool until a listing shows otherwise: no event. */
  @Test
  void aPoolThatIsNotThereForAWhileIsWrittenWithoutAWord() {
    int mark = fixture.arm.mark();
    String noGet = fixture.arm.fault(ArmFault.GROUP_NOT_FOUND.rule("GET", "/shop-hidden-get$"));
    String noPut = fixture.arm.fault(ArmFault.GROUP_NOT_FOUND.rule("PUT", "/shop-hidden-put$"));
    fixture.cluster.endpoints("hidden-get", "n2");
    fixture.cluster.endpoints("hidden-put", "n2");
    eventually(
        () -> {
          assertThat(fixture.arm.requests("GET", LB, "shop-hidden-get", mark)).isNotEmpty();
          assertThat(fixture.arm.requests("PUT", LB, "shop-hidden-put", mark)).isNotEmpty();
        });
    assertThat(fixture.arm.members(LB, "shop-hidden-get")).isEqualTo(BEFORE);
    assertThat(fixture.arm.members(LB, "shop-hidden-put")).isEqualTo(BEFORE);

    fixture.arm.lift(noGet);
    fixture.arm.lift(noPut);

    for (String service : List.of("hidden-get", "hidden-put")) {
      fixture.awaitMembers(LB, "shop-" + service, MOVED);
      assertThat(fixture.awaitEvents(service, UPDATED)).hasSize(1);
      assertThat(fixture.events(service, FAILED)).isEmpty();
    }
  }
}
