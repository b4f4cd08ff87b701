package io.poolkeeper.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One pool that holds {@code a}, which a listing has shown, and an interval of 30 s: what is wrong,
 * since when, and each part of the bound at its edge. Times are seconds from the start.
 */
class WaitJudgeTest implements WaitJudge.Verdicts {
  private static final LoadBalancerId LB = new LoadBalancerId("sub", "rg", "lb");
  private static final String GROUP = "/subscriptions/sub/resourceGroups/rg";
  private static final String BALANCER = LB.path();
  private static final String POOL = LB.pool("pool").path();
  private static final String OTHER = LB.pool("other").path();
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private static final String PROCESS = WaitJudge.PROCESS;

  private final List<String> violations = new ArrayList<>();
  private final List<String> right = new ArrayList<>();
  private Pools pools = new Pools(0);
  private WaitJudge judge = judge(true, true);

  private WaitJudge judge(boolean leadingEdge, boolean lease) {
    return new WaitJudge(new WaitJudge.Limits(seconds(30), leadingEdge, 16, lease), pools, this);
  }

  @Override
  public void violated(String how) {
    violations.add(how);
  }

  @Override
  public void right(Duration lasted, Duration ran, Set<Disturbance> kinds) {
    right.add("%s, %s for %s".formatted(lasted, ran, kinds));
  }

  @BeforeEach
  void begin() {
    holds(0, "a");
    wants(0, "a");
    leaving(0);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }

  private static Instant at(double seconds) {
    return START.plus(seconds(seconds));
  }

  /** An address with a ! is Down. */
  private static Map<String, Boolean> entries(String... addresses) {
    Map<String, Boolean> all = new HashMap<>();
    for (String address : addresses) {
      all.put(address.replace("!", ""), address.endsWith("!"));
    }
    return all;
  }

  private void holds(double now, String... addresses) {
    pools.holds(POOL, entries(addresses));
    judge.check(at(now));
  }

  private void listed(double now, double asOf) {
    pools.listed(GROUP, at(asOf));
    pools.listed("/subscriptions/sub/resourceGroups/other", at(now));
    judge.check(at(now));
  }

  private void wants(double now, String... addresses) {
    pools.wants(POOL, Set.of(addresses), false);
    judge.check(at(now));
  }

  private void leaving(double now, String... addresses) {
    Map<String, Boolean> all = new HashMap<>(Map.of("a", false, "b", false, "c", false));
    List.of(addresses).forEach(address -> all.put(address, true));
    pools.nodes(all);
    judge.check(at(now));
  }

  /** The first violation until then, when the judge looks as often as it wants to. */
  private List<String> until(double seconds) {
    Instant next = Instant.MIN;
    while (violations.isEmpty() && !next.isAfter(at(seconds))) {
      next = judge.check(next.equals(Instant.MIN) ? START : next);
    }
    judge.check(at(seconds));
    return violations;
  }

  @Test
  void members_rightAtTheBound_areNoViolation() {
    wants(10, "a", "b");
    holds(15, "a", "b");

    assertThat(violations).isEmpty();
  }

  @Test
  void members_rightAMillisecondLater_areOneThatSaysWhy() {
    wants(10, "a", "b");
    holds(15.001, "a", "b");

    assertThat(violations)
        .singleElement()
        .asString()
        .contains("address=b, members=true, how=missing] since 2026-11-21T10:00:10Z")
        .contains("ran for PT5.001S, allowed are PT5S: []");
  }

  @Test
  void members_neverRight_areFoundWithoutAnotherFact() {
    wants(10);

    assertThat(until(15)).isEmpty();
    assertThat(until(17)).first().asString().contains("how=surplus");
  }

  @Test
  void members_withinAnIntervalOfTheLastWrite_haveThatLonger() {
    judge.calls(POOL, true, at(5));
    wants(10, "a", "b");
    holds(45, "a", "b");
    assertThat(violations).isEmpty();

    wants(46, "a");
    holds(51.001, "a");
    assertThat(violations).hasSize(1);
  }

  @Test
  void members_withoutLeadingEdge_haveAnIntervalLonger() {
    judge = judge(false, true);
    wants(10, "a", "b");

    assertThat(until(45)).isEmpty();
    assertThat(until(47)).isNotEmpty();
  }

  @Test
  void damage_thatOnlyAReadOfBeforeCouldHaveShown_isNotJudged() {
    pools.changed(POOL, at(10));
    holds(10);
    pools.shown(POOL, at(9));

    assertThat(until(100)).isEmpty();
    listed(100, 99);
    assertThat(until(107)).isNotEmpty();
  }

  @Test
  void lostWrite_isJudgedFromAReadAfterTheAttempt() {
    wants(0, "a", "b");
    pools.changed(POOL, at(2));
    pools.written(POOL, at(1), at(4));
    listed(5, 3);
    assertThat(until(60)).isEmpty();

    pools.written(POOL, at(61), at(62));
    listed(63, 63);

    assertThat(until(63 + 35.1)).isNotEmpty();
  }

  @Test
  void members_ofAPoolThatWasGone_areJudgedAfterAListing() {
    wants(5, "a", "b");
    pools.gone(POOL, at(6));
    pools.shown(POOL, at(7));

    assertThat(until(100)).isEmpty();
    listed(100, 99);
    assertThat(until(107)).isNotEmpty();
  }

  @Test
  void surplus_ofAVagueService_isNotJudged() {
    pools.wants(POOL, Set.of(), true);

    assertThat(until(100)).isEmpty();
  }

  @Test
  void state_rightAfterThreeSeconds_isTheLatest() {
    leaving(10, "a");
    holds(13, "a!");
    leaving(20);
    holds(23, "a");
    assertThat(violations).isEmpty();

    leaving(30, "a");
    holds(33.001, "a!");
    assertThat(violations).singleElement().asString().contains("how=not Down");
  }

  @Test
  void state_thatAFloorMayKeep_isNotJudged() {
    pools = new Pools(1);
    judge = judge(true, true);
    begin();
    leaving(10, "a");

    assertThat(until(100)).isEmpty();
    wants(100, "a", "b");
    holds(100, "a", "b");
    assertThat(until(105)).isNotEmpty();
  }

  @Test
  void clock_whileACallRunsThere_standsStill() {
    judge.runs(BALANCER, "call", true, at(9));
    leaving(10, "a");
    judge.runs(BALANCER, "operation", true, at(19));
    judge.runs(BALANCER, "call", false, at(20));
    judge.runs(BALANCER, "operation", false, at(30));
    holds(33, "a!");
    assertThat(violations).isEmpty();

    leaving(40);
    judge.runs(BALANCER, "call", true, at(41));
    judge.runs(BALANCER, "call", false, at(42));
    holds(44.001, "a");
    assertThat(violations).hasSize(1);
  }

  @Test
  void members_whileASlowCallKeepsTheLease_have10SecondsMore() {
    wants(10, "a", "b");
    judge.runs("elsewhere", "call", true, at(11));

    assertThat(until(25)).isEmpty();
    assertThat(until(27)).isNotEmpty();
  }

  @Test
  void bound_forEachAcceptedWriteThere_isASecondAndItsGetLonger() {
    leaving(10, "a");
    judge.accepted(OTHER, seconds(0.5));
    holds(14.5, "a!");
    assertThat(violations).isEmpty();

    leaving(20);
    judge.accepted(OTHER, seconds(0.5));
    holds(24.501, "a");
    assertThat(violations).hasSize(1);
  }

  @Test
  void evident_isWhatIsWrongForTenSecondsMoreThanTheBase() {
    wants(10, "a", "b");
    leaving(11, "a");

    assertThat(judge.evident(at(24))).isEmpty();
    assertThat(judge.evident(at(25))).singleElement().asString().contains("how=not Down");
    assertThat(judge.evident(at(25.001))).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void evident_afterADisturbance_isTheSameUnlessItHidWhatIsWrong(Disturbance kind) {
    wants(10, "a", "b");
    judge.lasts(PROCESS, kind, "1", true, at(11));
    boolean hides = kind == Disturbance.WATCH_LOST || kind == Disturbance.PROCESS;

    assertThat(judge.evident(at(26)).isEmpty()).isEqualTo(hides);
    judge.lasts(PROCESS, kind, "1", false, at(30));
    assertThat(judge.evident(at(45)).isEmpty()).isEqualTo(hides);
    assertThat(judge.evident(at(45.001))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void disturbance_ofEachKind_addsItsWaitOnceAndItsEndBeginsAnew(Disturbance kind) {
    for (boolean members : new boolean[] {true, false}) {
      violations.clear();
      pools = new Pools(0);
      judge = judge(true, true);
      begin();
      if (members) {
        wants(10, "a", "b");
      } else {
        leaving(10, "a");
      }
      judge.lasts(PROCESS, kind, "1", true, at(11));
      judge.met(BALANCER, kind, at(12));
      judge.lasts(PROCESS, kind, "1", false, at(12));
      double from = kind.stops(members) ? 12 : 10;
      double bound = from + (members ? 5 : 3) + kind.wait(members).toSeconds();

      assertThat(until(bound)).as("%s, members %s", kind, members).isEmpty();
      assertThat(until(bound + 1.5)).as("%s, members %s", kind, members).isNotEmpty();
    }
  }

  @Test
  void disturbance_thatLasts_stopsTheClock() {
    judge.lasts(POOL, Disturbance.LEASE_HELD, "", true, at(5));
    wants(10, "a", "b");
    leaving(10);

    assertThat(until(1_000)).isEmpty();
    leaving(1_000, "a");
    assertThat(until(1_014)).first().asString().contains("not Down");
  }

  @Test
  void disturbance_elsewhereOrLongAgo_isNone() {
    judge.met(PROCESS, Disturbance.WATCH_LOST, at(4.9));
    judge.met(OTHER, Disturbance.REFUSED, at(11));
    wants(10, "a", "b");

    assertThat(until(16.1)).isNotEmpty();
  }

  @Test
  void reads_sixInARowWithoutAWrite_areAViolation() {
    judge.met(POOL, Disturbance.REFUSED, at(0));
    wants(10, "a", "b");
    for (int permit = 0; permit < 4; permit++) {
      judge.calls(POOL, false, START);
    }
    judge.calls(POOL, true, at(11));
    for (int permit = 0; permit < 5; permit++) {
      judge.calls(POOL, false, START);
    }
    assertThat(violations).isEmpty();

    judge.calls(POOL, false, START);
    assertThat(violations)
        .singleElement()
        .asString()
        .contains("5 permits have read, and none wrote");
  }

  @Test
  void quiet_onlyTheLeaseIsAllowedFor() {
    judge.met(PROCESS, Disturbance.REFUSED, at(1));
    judge.quiet();
    judge.lasts(PROCESS, Disturbance.THROTTLED, "", true, at(2));
    leaving(10, "a");

    assertThat(until(14.1)).isNotEmpty();
  }

  @Test
  void quiet_aSpentBucketIsAllowedFor() {
    judge.quiet();
    judge.met(PROCESS, Disturbance.SPENT, at(9));
    leaving(10, "a");

    assertThat(until(10 + 300)).isEmpty();
  }

  @Test
  void quiet_aPoolThatOthersFoughtFor_isLeftOut() {
    for (int time = 0; time < 3; time++) {
      judge.met(POOL, Disturbance.OTHER_WRITER, at(time));
    }
    judge.quiet();
    wants(10, "a", "b");

    assertThat(until(1_000)).isEmpty();
  }

  @Test
  void right_again_saysForHowLongAndWhatWasInEffect() {
    wants(10, "a", "b");
    holds(12, "a", "b");
    wants(20, "a");
    judge.met(PROCESS, Disturbance.WATCH_LOST, at(21));
    holds(24, "a");

    leaving(30, "a");
    judge.met(PROCESS, Disturbance.COMPLAINED, at(30));
    holds(31, "a!");

    assertThat(right)
        .containsExactly("PT2S, PT2S for []", "PT4S, PT3S for [WATCH_LOST]", "PT1S, PT1S for []");
  }
}
