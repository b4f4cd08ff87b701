package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.ArmLogEntry.By;
import io.poolkeeper.armsim.Gatekeeper.Instead;
import io.poolkeeper.armsim.Gatekeeper.Passage;
import io.poolkeeper.armsim.fault.Behavior;
import io.poolkeeper.armsim.fault.Behavior.RetryAfterForm;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.fault.FaultRule.Reset;
import io.poolkeeper.armsim.model.ArmModel;
import io.poolkeeper.armsim.model.Calls;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.model.Terms.Contention;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.model.Terms.ParentAddresses;
import io.poolkeeper.armsim.model.Terms.UpdatingShown;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.throttle.Request;
import io.poolkeeper.armsim.throttle.ThrottleSettings;
import io.poolkeeper.armsim.throttle.ThrottleSettings.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions only: no actor, no HTTP, and a test clock. */
class GatekeeperTest {
  private static final String GROUP = "/subscriptions/S/resourceGroups/rg";
  private static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb";
  private static final Rate ONE = new Rate(1, 1);
  private static final ThrottleSettings ONE_CALL =
      new ThrottleSettings(true, false, ONE, ONE, ONE, 15, 1, 1, 300, false);
  private static final Behavior TIGHT =
      new Behavior(
          Contention.SUPERSEDE,
          1,
          RetryAfterForm.ZERO,
          ParentAddresses.IGNORED,
          UpdatingShown.SIBLINGS,
          Set.of(),
          ONE_CALL);

  private final ArmModel model = new ArmModel(() -> UUID.randomUUID().toString(), 10, 0);
  private final Gatekeeper gate = new Gatekeeper(Behavior.FAST);

  @BeforeEach
  void aLoadBalancer() {
    model.handle(call(Method.PUT, GROUP, "{\"location\":\"East US\"}"));
    model.handle(call(Method.PUT, LB, "{\"location\":\"East US\"}"));
  }

  private static ArmCall call(Method method, String path, String body) {
    Body sent = body.isEmpty() ? new Body.Absent() : new Body.Json(json(body));
    return Calls.call(method, path, Optional.empty(), sent);
  }

  private static JsonNode json(String text) {
    return Calls.json(text.replace('\'', '"'));
  }

  private long rule(String text) {
    return gate.faults.add(List.of(FaultRule.parse(json(text)))).orElseThrow().getFirst();
  }

  private Passage arrive(ArmCall call, long nanos) {
    String method = call.method().name();
    Request request = Request.of(method, call.rawPath(), "me", model.region(call.path()));
    return gate.arrive(request, method, call, Caller.ANONYMOUS, nanos);
  }

  private Optional<Instead> instead(Passage passage, ArmCall call) {
    return gate.instead(passage, call, Instant.EPOCH);
  }

  private ArmCall poll(Handled handled) {
    String id = handled.started().orElseThrow();
    return call(
        Method.GET,
        "/subscriptions/S/providers/Microsoft.Network/locations/eastus/operations/" + id,
        "");
  }

  @Test
  void arrive_nothingChosen_passesAndShowsAFreshSubscription() {
    ArmCall read = call(Method.GET, LB, "");
    Passage passage = arrive(read, 0);
    assertThat(instead(passage, read)).isEmpty();
    assertThat(passage.by()).isEqualTo(By.MODEL);
    assertThat(passage.delay()).isZero();
    assertThat(passage.reset()).isEqualTo(Reset.NONE);
    assertThat(passage.remaining().local()).isEqualTo(249);
    assertThat(passage.request().subscription()).isEqualTo("s");
    assertThat(passage.request().region()).contains("eastus");
  }

  @Test
  void arrive_throttled_meetsNoFaultRule() {
    gate.behave(TIGHT);
    rule("{'status':500,'times':1}");
    ArmCall read = call(Method.GET, LB, "");
    assertThat(instead(arrive(read, 0), read).orElseThrow().answer().status()).isEqualTo(500);
    rule("{'status':500,'times':1}");
    // When
    Instead refused = instead(arrive(read, 0), read).orElseThrow();
    // Then
    assertThat(refused.answer().status()).isEqualTo(429);
    assertThat(refused.answer().headers()).containsEntry("Retry-After", "0");
    assertThat(refused.by()).isEqualTo(new By(false, Optional.empty(), Optional.of("arm")));
    assertThat(gate.faults.list()).hasSize(1);
  }

  @Test
  void behave_sameThrottles_keepsTheirCount() {
    gate.behave(TIGHT);
    ArmCall read = call(Method.GET, LB, "");
    arrive(read, 0);
    gate.behave(
        new Behavior(
            Contention.SUPERSEDE,
            1,
            RetryAfterForm.SECONDS,
            ParentAddresses.IGNORED,
            UpdatingShown.SIBLINGS,
            Set.of(),
            ONE_CALL));
    assertThat(arrive(read, 0).refusal()).isPresent();
    gate.behave(Behavior.FAST);
    gate.behave(TIGHT);
    assertThat(arrive(read, 0).refusal()).isEmpty();
  }

  @Test
  void arrive_ruleWithoutStatus_delaysAndBreaksTheModelsAnswer() {
    long id = rule("{'delayMillis':250,'reset':'before'}");
    ArmCall read = call(Method.GET, LB, "");
    Passage passage = arrive(read, 0);
    assertThat(instead(passage, read)).isEmpty();
    assertThat(passage.delay()).isEqualTo(Duration.ofMillis(250));
    assertThat(passage.reset()).isEqualTo(Reset.BEFORE);
    assertThat(passage.by()).isEqualTo(new By(false, Optional.of(id), Optional.empty()));
  }

  @Test
  void handled_writeThatChangesNothing_leavesTheRuleForTheNext() {
    rule("{'lro':'stuck','times':1}");
    ArmCall same = call(Method.PUT, LB, "{\"location\":\"East US\"}");
    Passage passage = arrive(same, 0);
    gate.handled(passage, model.handle(same, gate.terms(passage)));
    ArmCall pool = call(Method.PUT, LB + "/backendAddressPools/p", "{}");
    Passage next = arrive(pool, 0);
    assertThat(gate.terms(next).fate()).isEqualTo(Fate.DOOMED);
    Handled handled = model.handle(pool, gate.terms(next));
    gate.handled(next, handled);
    assertThat(gate.outcome(handled.started().orElseThrow())).isEmpty();
    assertThat(gate.faults.list()).isEmpty();
  }

  @Test
  void instead_pollsOfASpoiledOperation_areRefusedAsOftenAsSetUntilAReset() {
    long id = rule("{'lro':'poll429','polls':3,'times':1}");
    ArmCall pool = call(Method.PUT, LB + "/backendAddressPools/p", "{}");
    Passage passage = arrive(pool, 0);
    Handled handled = model.handle(pool, gate.terms(passage));
    gate.handled(passage, handled);
    gate.faults.clear();
    ArmCall poll = poll(handled);
    for (int i = 0; i < 2; i++) {
      Instead refused = instead(arrive(poll, 0), poll).orElseThrow();
      assertThat(refused.answer().status()).isEqualTo(429);
      assertThat(refused.by().rule()).contains(id);
    }
    gate.reset();
    assertThat(instead(arrive(poll, 0), poll)).isEmpty();
    assertThat(gate.outcome(handled.started().orElseThrow())).contains(new Outcome.Succeeded());
  }

  @Test
  void profiles_throttleAsTheySay() {
    assertThat(LatencyProfile.FAST.behavior()).isEqualTo(Behavior.FAST);
    assertThat(LatencyProfile.AZURE.behavior().throttle()).isEqualTo(ThrottleSettings.AZURE);
  }
}
