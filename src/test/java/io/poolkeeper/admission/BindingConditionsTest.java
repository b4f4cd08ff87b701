package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingsWorld.POOL;
import static io.poolkeeper.admission.BindingsWorld.addresses;
import static io.poolkeeper.admission.BindingsWorld.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingReport.Condition;
import io.poolkeeper.admission.BindingReport.Truth;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Mirrors;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.pool.PoolStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the conditions of a binding say, reason by reason. */
class BindingConditionsTest {
  private static final BindingView SHARED = BindingsWorld.view("a", "web", false);
  private static final BindingView EXCLUSIVE = BindingsWorld.view("a", "web", true);
  private static final ArmFailure FAILURE =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no rights");
  private static final Admission ADMITTED = new Admission.Admitted();
  private static final Admission HELD = new Admission.Held(Optional.empty(), "waiting for freeze");

  private static Outcome follows(BindingView view) {
    return new Follows(POOL, view.target().orElseThrow());
  }

  private static PoolStatus pool(
      String state, int queued, Optional<ArmFailure> error, Set<Address> inPool) {
    Set<Address> desired = addresses("10.0.0.4");
    return new PoolStatus(
        POOL,
        Map.of(service("web"), desired),
        state,
        "why",
        Optional.empty(),
        queued,
        List.of(),
        desired,
        inPool,
        Set.of(),
        0,
        0,
        new TreeMap<>(),
        Optional.empty(),
        error,
        Optional.empty(),
        0,
        0,
        0);
  }

  private static PoolStatus idle(String... inPool) {
    return pool("Idle", 0, Optional.empty(), addresses(inPool));
  }

  private static Condition ready(BindingView view, Admission admission, PoolStatus shown) {
    return conditions(view, follows(view), admission, Optional.of(shown)).ready();
  }

  private static BindingConditions conditions(
      BindingView view, Outcome outcome, Admission admission, Optional<PoolStatus> shown) {
    return new BindingConditions(view, outcome, admission, BindingsEvent.Listed.NOTHING, shown);
  }

  private static Condition no(String reason, String message) {
    return new Condition(Truth.FALSE, reason, message);
  }

  @Test
  void ready_ofARefusedBinding_isTheRefusal() {
    Refused refused = new Refused("NotAllowed", "no");

    assertThat(conditions(SHARED, refused, ADMITTED, Optional.empty()).ready())
        .isEqualTo(no("NotAllowed", "no"));
  }

  @Test
  void ready_ofADeletedOrInactiveBinding_saysSo() {
    BindingView deleted =
        new BindingView(
            SHARED.key(),
            SHARED.uid(),
            "1",
            1,
            true,
            SHARED.target(),
            List.of(),
            Set.of(),
            new AdmissionSubject(List.of(), List.of(), true, true, false));

    assertThat(ready(deleted, ADMITTED, idle("10.0.0.4")).reason()).isEqualTo("Deleting");
    assertThat(ready(SHARED, new Admission.Inactive(), idle("10.0.0.4")).reason())
        .isEqualTo("Inactive");
  }

  @Test
  void ready_ofAPoolThatTheListingHasNotShown_saysWhy() {
    BindingsEvent.Listed missing = new BindingsEvent.Listed(Set.of(POOL), Map.of());
    BindingsEvent.Listed unread = new BindingsEvent.Listed(Set.of(), Map.of(POOL, FAILURE));
    Optional<PoolStatus> none = Optional.empty();

    assertThat(new BindingConditions(SHARED, follows(SHARED), ADMITTED, missing, none).ready())
        .isEqualTo(no("PoolNotFound", "there is no pool " + POOL.path()));
    assertThat(new BindingConditions(SHARED, follows(SHARED), ADMITTED, unread, none).ready())
        .isEqualTo(
            new Condition(
                Truth.UNKNOWN,
                "NotListed",
                "the resource group rg: HTTP 403 AuthorizationFailed: no rights"));
    assertThat(conditions(SHARED, follows(SHARED), ADMITTED, none).ready())
        .isEqualTo(new Condition(Truth.UNKNOWN, "Starting", "the pool was not read yet"));
  }

  @Test
  void ready_ofASharedPool_leavesOutWhatOthersPutIn_butNotOfAnExclusiveOne() {
    PoolStatus more = idle("10.0.0.4", "10.9.0.1");
    Condition inSync = new Condition(Truth.TRUE, "InSync", "");

    assertThat(ready(SHARED, ADMITTED, more)).isEqualTo(inSync);
    assertThat(ready(EXCLUSIVE, ADMITTED, more)).isEqualTo(no("Updating", "why"));
    assertThat(ready(EXCLUSIVE, ADMITTED, idle("10.0.0.4"))).isEqualTo(inSync);
    assertThat(conditions(SHARED, new Mirrors(POOL), ADMITTED, Optional.of(more)).ready().reason())
        .isEqualTo("InSync");
  }

  @Test
  void ready_ofAPoolThatDiffers_saysWhatItWaitsFor() {
    PoolStatus queued = pool("Gathering", 1, Optional.empty(), addresses("10.0.0.4"));
    PoolStatus failed = pool("Failed", 0, Optional.of(FAILURE), addresses("10.0.0.4"));

    assertThat(ready(SHARED, ADMITTED, idle())).isEqualTo(no("Updating", "why"));
    assertThat(ready(SHARED, ADMITTED, queued)).isEqualTo(no("Updating", "why"));
    assertThat(ready(SHARED, HELD, queued)).isEqualTo(no("Held", "waiting for freeze"));
    assertThat(ready(SHARED, ADMITTED, failed))
        .isEqualTo(no("WriteFailed", "HTTP 403 AuthorizationFailed: no rights"));
  }

  @Test
  void admitted_isWhatTheChecksSay() {
    assertThat(conditions(SHARED, follows(SHARED), ADMITTED, Optional.empty()).admitted())
        .isEqualTo(new Condition(Truth.TRUE, "Admitted", ""));
    assertThat(conditions(SHARED, follows(SHARED), HELD, Optional.empty()).admitted())
        .isEqualTo(no("Waiting", "waiting for freeze"));
    Admission rejected = new Admission.Rejected("rejected by freeze");
    assertThat(conditions(SHARED, follows(SHARED), rejected, Optional.empty()).admitted())
        .isEqualTo(no("Rejected", "rejected by freeze"));
  }

  @Test
  void throttled_isAPoolThatWaitsForRetryAfter() {
    PoolStatus parked = pool("Parked", 1, Optional.empty(), Set.of());

    assertThat(conditions(SHARED, follows(SHARED), ADMITTED, Optional.of(parked)).throttled())
        .isEqualTo(new Condition(Truth.TRUE, "RetryAfter", "why"));
    assertThat(conditions(SHARED, follows(SHARED), ADMITTED, Optional.of(idle())).throttled())
        .isEqualTo(no("NotThrottled", ""));
  }
}
