package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.integration.ControllerFixture.Answer;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Load balancers cannot be listed: at the start nothing is written and readiness says why. */
class BadListingIT {
  private static final String LISTING = "/loadBalancers$";
  private static final String POOL = "shop-web";
  private static final Map<String, String> DESIRED = Map.of("10.0.0.1", "n1");

  private static final ControllerFixture fixture = new ControllerFixture();
  private static Seed wrong = Seed.of(POOL, "");

  @BeforeAll
  static void seed() {
    fixture.cluster.node("n1", "10.0.0.1");
    wrong = Seed.of(POOL, fixture.cluster.service("web")).holding(Map.of("10.9.9.9", "gone"));
    fixture.cluster.endpoints("web", "n1");
  }

  @AfterEach
  void stopController() {
    fixture.stopController();
    fixture.arm.liftAll();
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @ParameterizedTest
  @EnumSource
  void atTheStart_nothingIsWrittenAndReadinessSaysWhy(ArmFault fault) throws Exception {
    fixture.arm.put(LB, wrong);
    int mark = fixture.arm.mark();
    String rule = fixture.arm.fault(fault.rule("GET", LISTING));

    fixture.startController("");

    eventually(
        () -> {
          Answer answer = fixture.get("/readyz");
          assertThat(answer.status()).isEqualTo(503);
          assertThat(answer.json().path("why"))
              .extracting(JsonNode::asText)
              .satisfiesExactly(
                  first -> assertThat(first).isEqualTo("load balancers were not listed yet"),
                  second -> assertThat(second).matches("listing load balancers: " + fault.error()));
        });
    assertThat(fixture.arm.allPuts(mark)).isEmpty();
    fixture.arm.lift(rule);
    fixture.awaitReady();
    fixture.awaitMembers(LB, POOL, DESIRED);
  }

  @Test
  void later_theControllerGoesOnWithWhatItKnows() throws Exception {
    fixture.arm.put(LB, wrong);
    fixture.startController("");
    fixture.awaitMembers(LB, POOL, DESIRED);
    String rule = fixture.arm.fault(ArmFault.FORBIDDEN.rule("GET", LISTING));

    fixture.cluster.touch("web");

    eventually(
        () ->
            assertThat(fixture.get("/readyz"))
                .extracting(Answer::status, Answer::body)
                .containsExactly(
                    200,
                    "{\"ready\":true,\"why\":[\"listing load balancers: HTTP 403"
                        + " AuthorizationFailed: Injected by a fault rule.\"],\"role\":\"leader\"}"));
    fixture.cluster.node("n2", "10.0.0.2");
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.awaitMembers(LB, POOL, Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));
    fixture.arm.lift(rule);
    fixture.awaitReady();
    fixture.cluster.endpoints("web", "n1");
    fixture.awaitMembers(LB, POOL, DESIRED);
  }
}
