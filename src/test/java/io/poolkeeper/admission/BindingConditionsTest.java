package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.addresses;
import static io.poolkeeper.admission.BindingFixtures.service;
import static io.poolkeeper.admission.BindingFixtures.status;
import static io.poolkeeper.admission.BindingFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingReport.Condition;
import io.poolkeeper.admission.BindingReport.Truth;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.pool.PoolStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the conditions of a binding say, reason by reason. */
class BindingConditionsTest {
  private static final Outcome FOLLOWS = new Follows(POOL, view("a", "web").target().orElseThrow());
  private static final ArmFailure FAILURE =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no rights");
  private static final Admission ADMITTED = new Admission.Admitted();
  private static final Admission HELD = new Admission.Held(Optional.empty(), "waiting for freeze");

  /** Its entries of 10.0.0.x carry the mark. */
  private static PoolStatus pool(String state, Optional<ArmFailure> error, String... inPool) {
    Set<Address> marked = new TreeSet<>(addresses(inPool));
    marked.removeIf(address -> !address.text().startsWith("10.0.0."));
    return status(
        Map.of(service("web"), addresses("10.0.0.4")),
        state,
        error,
        addresses(inPool),
        marked,
        Optional.empty(),
        false);
  }

  private static PoolStatus idle(String... inPool) {
    return pool("Idle", Optional.empty(), inPool);
  }

  private static Condition ready(Admission admission, PoolStatus shown) {
    return conditions(FOLLOWS, admission, Optional.of(shown)).ready();
  }

  private static BindingConditions conditions(
      Outcome outcome, Admission admission, Optional<PoolStatus> shown) {
    return new BindingConditions(outcome, admission, BindingsEvent.Listed.NOTHING, shown);
  }

  private static Condition no(String reason, String message) {
    return new Condition(Truth.FALSE, reason, message);
  }

  @Test
  void refusedBinding_saysWhy_andThatNoCheckIsAsked() {
    Refused refused = new Refused("NotAllowed", "no");
    BindingConditions of = conditions(refused, new Admission.Inactive(), Optional.empty());

    assertThat(of.ready()).isEqualTo(no("NotAllowed", "no"));
    assertThat(of.admitted())
        .isEqualTo(new Condition(Truth.UNKNOWN, "Refused", "no check is asked"));
  }

  @Test
  void ready_ofADeletedOrInactiveBinding_saysSo() {
    BindingConditions leaves =
        conditions(new Leaves(POOL), ADMITTED, Optional.of(idle("10.0.0.4")));

    assertThat(leaves.ready().reason()).isEqualTo("Deleting");
    assertThat(ready(new Admission.Inactive(), idle("10.0.0.4")).reason()).isEqualTo("Inactive");
  }

  @Test
  void ready_ofAPoolThatTheListingHasNotShown_saysWhy() {
    BindingsEvent.Listed missing = new BindingsEvent.Listed(Set.of(POOL), Map.of(), Map.of());
    BindingsEvent.Listed unread =
        new BindingsEvent.Listed(Set.of(), Map.of(POOL, FAILURE), Map.of());
    BindingsEvent.Listed out = new BindingsEvent.Listed(Set.of(), Map.of(), Map.of(POOL, "so"));
    Optional<PoolStatus> none = Optional.empty();

    assertThat(new BindingConditions(FOLLOWS, ADMITTED, out, none).ready())
        .isEqualTo(no("OptedOut", "so"));
    assertThat(new BindingConditions(FOLLOWS, ADMITTED, missing, none).ready())
        .isEqualTo(no("PoolNotFound", "there is no pool " + POOL.path()));
    assertThat(new BindingConditions(FOLLOWS, ADMITTED, unread, none).ready())
        .isEqualTo(
            new Condition(
                Truth.UNKNOWN,
                "NotListed",
                "the resource group rg: HTTP 403 AuthorizationFailed: no rights"));
  }

  @Test
  void ready_beforeItsServiceIsKnownInThePool_isThatNothingIsKnown() {
    PoolStatus other =
        status(Map.of(), "Idle", Optional.empty(), Set.of(), Set.of(), Optional.empty(), false);

    for (Optional<PoolStatus> shown : List.of(Optional.<PoolStatus>empty(), Optional.of(other))) {
      BindingConditions of = conditions(FOLLOWS, ADMITTED, shown);
      assertThat(of.ready())
          .isEqualTo(new Condition(Truth.UNKNOWN, "Starting", "the pool was not read yet"));
      assertThat(of.known()).isFalse();
    }
    assertThat(conditions(FOLLOWS, ADMITTED, Optional.of(idle())).known()).isTrue();
  }

  @Test
  void ready_leavesOutWhatIsForeign_butNotWhatCarriesTheMark() {
    assertThat(ready(ADMITTED, idle("10.0.0.4", "10.9.0.1")))
        .isEqualTo(new Condition(Truth.TRUE, "InSync", ""));
    assertThat(ready(ADMITTED, idle("10.0.0.4", "10.0.0.5"))).isEqualTo(no("Updating", "why"));
  }

  @Test
  void ready_ofAPoolThatDiffers_saysWhatItWaitsFor() {
    PoolStatus queued = pool("Gathering", Optional.empty(), "10.0.0.4");
    PoolStatus failed = pool("Failed", Optional.of(FAILURE), "10.0.0.4");

    assertThat(ready(ADMITTED, idle())).isEqualTo(no("Updating", "why"));
    assertThat(ready(ADMITTED, queued)).isEqualTo(no("Updating", "why"));
    assertThat(ready(HELD, queued)).isEqualTo(no("Held", "waiting for freeze"));
    assertThat(ready(ADMITTED, failed))
        .isEqualTo(no("WriteFailed", "HTTP 403 AuthorizationFailed: no rights"));
  }

  @Test
  void ready_ofAPoolOfNetworkInterfaces_saysThatItGetsNothing() {
    PoolStatus interfaces =
        status(
            Map.of(service("web"), Set.of()),
            "Idle",
            Optional.empty(),
            Set.of(),
            Set.of(),
            Optional.empty(),
            true);

    assertThat(ready(ADMITTED, interfaces))
        .isEqualTo(
            no(
                "NetworkInterfaces",
                "the pool's members are network interfaces, so that no address can be added"));
  }

  @Test
  void admitted_isWhatTheChecksSay() {
    Admission rejected = new Admission.Rejected("rejected by freeze");

    assertThat(conditions(FOLLOWS, ADMITTED, Optional.empty()).admitted())
        .isEqualTo(new Condition(Truth.TRUE, "Admitted", ""));
    assertThat(conditions(FOLLOWS, HELD, Optional.empty()).admitted())
        .isEqualTo(no("Waiting", "waiting for freeze"));
    assertThat(conditions(FOLLOWS, rejected, Optional.empty()).admitted())
        .isEqualTo(no("Rejected", "rejected by freeze"));
    assertThat(conditions(FOLLOWS, new Admission.Inactive(), Optional.empty()).admitted())
        .isEqualTo(
            new Condition(Truth.UNKNOWN, "Inactive", "no check is asked for an inactive binding"));
  }

  @Test
  void throttled_isAPoolThatWaitsForRetryAfter() {
    PoolStatus parked = pool("Parked", Optional.empty());

    assertThat(conditions(FOLLOWS, ADMITTED, Optional.of(parked)).throttled())
        .isEqualTo(new Condition(Truth.TRUE, "RetryAfter", "why"));
    assertThat(conditions(FOLLOWS, ADMITTED, Optional.of(idle())).throttled())
        .isEqualTo(no("NotThrottled", ""));
  }
}
