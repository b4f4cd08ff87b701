package io.poolkeeper.shadow;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.ops.Statuses;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How decisions of shadow mode end. */
class ShadowComparisonTest {
  private static final Instant T0 = Instant.parse("2026-11-25T10:00:00Z");
  private static final Address ONE = Address.of("10.0.0.1");
  private static final Address TWO = Address.of("10.0.0.2");
  private static final Address THREE = Address.of("10.0.0.3");
  private static final PoolEdit ADD_TWO = add(TWO);
  private static final PoolEdit N1_DOWN =
      PoolEdit.NONE.with(new TreeMap<>(Map.of("n1", AdminState.DOWN)));

  private ShadowComparison comparison = ShadowComparison.begin(T0);
  private Instant now = T0;

  private static PoolEdit add(Address... addresses) {
    return PoolEdit.of(
        Set.of(), Set.of(addresses).stream().collect(toMap(one -> one, Address::text)));
  }

  private ShadowComparisonTest at(Duration since) {
    now = T0.plus(since);
    return this;
  }

  /** The pool differs by that from what is desired, and holds these. */
  private void shown(PoolEdit edit, Address... inPool) {
    shown(new WouldWrite(edit, false), inPool);
  }

  private void shown(WouldWrite wouldWrite, Address... inPool) {
    comparison = comparison.shown(Statuses.shadowed("lb", wouldWrite, Set.of(inPool)), now);
  }

  @Test
  void decision_isCountedOnce_howeverOftenItIsShown() {
    shown(ADD_TWO, ONE);
    shown(ADD_TWO, ONE);

    assertThat(comparison.decided()).containsOnly(Map.entry(ShadowComparison.Kind.MEMBERS, 1L));
    assertThat(comparison.due(now)).isEqualTo(1);
  }

  @Test
  void decision_ofDrift_isCountedAsSuch() {
    shown(new WouldWrite(ADD_TWO, true), ONE);

    assertThat(comparison.decided()).containsOnly(Map.entry(ShadowComparison.Kind.DRIFT, 1L));
  }

  @Test
  void decision_thatSomebodyElseWrites_isMet_andItsTimeIsKept() {
    shown(ADD_TWO, ONE);

    at(Duration.ofMillis(14_900)).shown(PoolEdit.NONE, ONE, TWO);

    assertThat(comparison.outcomes())
        .isEqualTo(new Outcomes(Outcomes.NONE.met().plus(14L, 1L), 0, 0));
    assertThat(comparison.pools()).isEmpty();
    assertThat(comparison.due(now)).isZero();
  }

  @Test
  void removal_thatSomebodyElseWrites_isMet() {
    shown(PoolEdit.of(Set.of(TWO), Map.of()), ONE, TWO);

    at(Duration.ofSeconds(5)).shown(PoolEdit.NONE, ONE);

    assertThat(comparison.outcomes().count()).isEqualTo(1);
  }

  @Test
  void decision_thatIsTakenBack_isSuperseded() {
    shown(ADD_TWO, ONE);

    at(Duration.ofSeconds(5)).shown(PoolEdit.NONE, ONE);

    assertThat(comparison.outcomes()).isEqualTo(new Outcomes(Outcomes.NONE.met(), 1, 0));
  }

  @Test
  void decision_metInPart_endsWithTheRest() {
    shown(add(TWO, THREE), ONE);
    at(Duration.ofSeconds(5)).shown(add(THREE), ONE, TWO);
    assertThat(comparison.outcomes()).isEqualTo(Outcomes.NONE);
    assertThat(comparison.due(now)).isEqualTo(1);

    at(Duration.ofSeconds(9)).shown(PoolEdit.NONE, ONE, TWO, THREE);

    assertThat(comparison.outcomes().met()).containsOnly(Map.entry(9L, 1L));
  }

  @Test
  void decision_partMetAndPartTakenBack_isSuperseded() {
    shown(add(TWO, THREE), ONE);
    at(Duration.ofSeconds(5)).shown(add(THREE), ONE);

    at(Duration.ofSeconds(9)).shown(PoolEdit.NONE, ONE, THREE);

    assertThat(comparison.outcomes()).isEqualTo(new Outcomes(Outcomes.NONE.met(), 1, 0));
  }

  @Test
  void secondDecision_ofAPool_hasItsOwnTime() {
    shown(ADD_TWO, ONE);
    at(Duration.ofSeconds(20)).shown(add(TWO, THREE), ONE);
    assertThat(comparison.count(ShadowComparison.Kind.MEMBERS)).isEqualTo(2);

    at(Duration.ofSeconds(30)).shown(PoolEdit.NONE, ONE, TWO, THREE);

    assertThat(comparison.outcomes().met()).containsOnly(Map.entry(30L, 1L), Map.entry(10L, 1L));
  }

  @Test
  void decision_after10Minutes_isNotMet_whateverBecomesOfIt() {
    shown(ADD_TWO, ONE);

    at(Duration.ofMinutes(10).minusNanos(1));
    assertThat(comparison.notMet(now)).isZero();
    at(Duration.ofMinutes(10));
    assertThat(comparison.notMet(now)).isEqualTo(1);
    assertThat(comparison.due(now)).isZero();
    shown(PoolEdit.NONE, ONE, TWO);

    assertThat(comparison.notMet(now)).isEqualTo(1);
    assertThat(comparison.outcomes()).isEqualTo(new Outcomes(Outcomes.NONE.met(), 0, 1));
  }

  @Test
  void adminState_isCountedApart_andIsNoDecisionOnMembers() {
    shown(N1_DOWN, ONE);
    shown(N1_DOWN, ONE);
    shown(N1_DOWN.with(new TreeMap<>(Map.of("n1", AdminState.NONE))), ONE);

    assertThat(comparison.decided()).containsOnly(Map.entry(ShadowComparison.Kind.ADMIN_STATE, 2L));
    assertThat(comparison.due(now)).isZero();
  }

  @Test
  void decision_ofAPoolThatIsForgotten_isSuperseded() {
    shown(ADD_TWO, ONE);

    comparison = comparison.forgotten(RateLimiterDriver.pool("lb"), now.plusSeconds(1));

    assertThat(comparison.outcomes()).isEqualTo(new Outcomes(Outcomes.NONE.met(), 1, 0));
    assertThat(comparison.pools()).isEmpty();
  }

  @Test
  void median_isTheTimeAfterWhichHalfWereMet() {
    assertThat(Outcomes.NONE.median()).isEmpty();
    Outcomes outcomes =
        new Outcomes(Outcomes.NONE.met().plus(3L, 1L).plus(15L, 2L).plus(70L, 1L), 0, 0);

    assertThat(outcomes.median()).isEqualTo(Optional.of(15L));
    assertThat(outcomes.within(0, 15)).isEqualTo(1);
    assertThat(outcomes.within(15, 71)).isEqualTo(3);
  }
}
