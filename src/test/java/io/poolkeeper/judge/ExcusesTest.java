package io.poolkeeper.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.judge.Call.Kind;
import io.poolkeeper.judge.Call.Shows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What does not count: with it no violation, without it one; and what does count all the same. */
class ExcusesTest {
  private static final List<String> MEMBERS = List.of("a", "b");

  /**
   * An excuse.
   *
   * @param lasts for so many seconds, from the change on
   * @param facts those that excuse, told at the time of the change, 10 s
   * @param states whether it excuses admin states, too
   */
  record Case(String name, double lasts, Consumer<Scene> facts, boolean states) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("a watch is lost", 60, s -> everywhere(s, 60), true),
        new Case("a call of ours", 40, s -> s.answered(50, s.get(10), 200), true),
        new Case("an operation", 60, s -> operation(s, 60), true),
        new Case("a check holds", 60, s -> held(s, 60), true),
        new Case("another holds the Lease", 60, s -> lease(s, 60), false),
        new Case("a lock", 20, s -> s.refused(10, s.get(10), 20, true), true),
        new Case(
            "a gate and its slow start", 24, s -> s.refused(10, neighbours(s), 20, false), true),
        new Case("a gate nobody announced", 6, s -> s.answered(10, neighbours(s), 429), true),
        new Case("a refusal", 2.2, s -> s.answered(10, s.get(10), 412), false),
        new Case("a failure", 15, s -> s.answered(10, s.get(10), 403), false),
        new Case("no answer", 2.2, s -> s.judge.unanswered(s.get(10), Scene.at(10)), false),
        new Case(
            "another client writes", 1.5, s -> s.answered(10, s.get(10), 200, Shows.RUNS), true),
        new Case("the Lease is unreachable", 60, s -> unreachable(s, 60), false),
        new Case("we yield", 7, ExcusesTest::complaint, false));
  }

  private static void everywhere(Scene scene, double lasts) {
    scene.judge.everywhere().span("a watch is lost", Scene.at(10), Scene.at(10 + lasts));
  }

  private static void operation(Scene scene, double lasts) {
    scene.judge.at(Scene.BALANCER).open("1", "an operation", Scene.at(10));
    scene.judge.at(Scene.BALANCER).close("1", Scene.at(10 + lasts));
  }

  private static void held(Scene scene, double lasts) {
    scene.judge.at(Scene.POOL).span("a check", Scene.at(10), Scene.at(10 + lasts));
  }

  private static void lease(Scene scene, double lasts) {
    scene.judge.lease().span("another", Scene.at(10), Scene.at(10 + lasts));
  }

  private static Call neighbours(Scene scene) {
    return scene.call(10, Kind.GET, Scene.NEIGHBOUR);
  }

  private static void unreachable(Scene scene, double lasts) {
    scene.judge.unreachable().span("no answer", Scene.at(10), Scene.at(10 + lasts));
  }

  /** Its next try comes at 15 s: not until 17 s, and what takes 5 s not from 9 s on. */
  private static void complaint(Scene scene) {
    scene.judge.complaints().complained("shop/svc", Scene.at(10));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void members_excused_haveTheirBoundBesides(Case one) {
    double end = 10 + 7 + one.lasts();

    assertThat(rightAt(one, end)).isEmpty();
    assertThat(rightAt(one, end + 0.1)).hasSize(1);
  }

  private static List<Violation> rightAt(Case one, double end) {
    Scene scene = new Scene();
    scene.wants(10, MEMBERS.toArray(String[]::new));
    one.facts().accept(scene);
    scene.holds(end, "a", "b");
    return scene.until(end);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void states_excused_haveTheirBoundBesides(Case one) {
    Scene scene = new Scene();
    scene.leaves(10, "a");
    one.facts().accept(scene);
    double end = 10 + 3 + (one.states() ? one.lasts() : 0);

    if (one.states()) {
      assertThat(scene.until(end)).isEmpty();
    }
    // A drain that has failed waits for a second, or half a minute; for the Lease 10 s.
    assertThat(scene.until(10 + 3 + Math.max(one.lasts(), 30) + 1.1)).hasSize(1);
  }

  @Test
  void overlappingExcuses_countOnce() {
    Scene scene = new Scene();
    scene.wants(10, "a", "b");
    everywhere(scene, 10);
    operation(scene, 10);

    assertThat(scene.until(28.1)).hasSize(1);
  }

  @Test
  void aCallAtAnotherLoadBalancer_isNoExcuse() {
    Scene scene = new Scene();
    scene.wants(10, "a", "b");
    scene.call(10, Kind.PUT, Scene.ELSEWHERE);
    scene.judge.at(Scene.ELSEWHERE.loadBalancer()).open("1", "an operation", Scene.at(10));

    assertThat(scene.until(18.1)).hasSize(1);
  }

  @Test
  void aDrain_doesNotWaitForTheLeaseForLonger() {
    Scene scene = new Scene();
    scene.leaves(10, "a");
    lease(scene, 60);

    assertThat(scene.until(10 + 3 + 10)).isEmpty();
    assertThat(scene.until(10 + 3 + 10 + 1.1)).hasSize(1);
  }

  @Test
  void aDrain_waitsForTheLeaseOnce_noMatterWhy() {
    Scene scene = new Scene();
    scene.leaves(10, "a");
    lease(scene, 8);
    scene.judge.unreachable().span("no answer", Scene.at(18), Scene.at(60));

    assertThat(scene.until(10 + 3 + 10)).isEmpty();
    assertThat(scene.until(10 + 3 + 10 + 1.1)).hasSize(1);
  }

  @Test
  void aDrain_waitsForTheLeaseFromThenOn_andAfterWhatElseIsInTheWay() {
    Scene scene = new Scene();
    scene.judge.lease().open("another", "another", Scene.at(1));
    scene.leaves(10, "a");
    everywhere(scene, 20);

    assertThat(scene.until(10 + 20 + 10 + 3)).isEmpty();
    assertThat(scene.until(10 + 20 + 10 + 3 + 1.1)).hasSize(1);
  }

  @Test
  void members_waitForAnUnreachableLeaseForNoLongerThanSet() {
    Scene.Terms terms = new Scene.Terms();
    terms.unreachableAfter = Optional.of(Scene.seconds(30));
    Scene scene = terms.scene();
    scene.wants(10, "a", "b");
    unreachable(scene, 60);

    assertThat(scene.until(10 + 7 + 30)).isEmpty();
    assertThat(scene.until(10 + 7 + 30 + 1.1)).hasSize(1);
  }

  @Test
  void aWriteWithoutAnswerElsewhere_keepsTheLeaseFromMembersForItsTail() {
    Scene.Terms terms = new Scene.Terms();
    terms.leaseTail = Scene.seconds(10);
    Scene scene = terms.scene();
    scene.wants(10, "a", "b");
    scene.call(10, Kind.PUT, Scene.ELSEWHERE);

    assertThat(scene.until(10 + 7 + 10)).isEmpty();
    assertThat(scene.until(10 + 7 + 10 + 1.1)).hasSize(1);
  }

  @Test
  void theCloudProvider_thatHasWritten_excusesNothingAnyMore() {
    Scene scene = new Scene();
    scene.wants(10, "a", "b");
    complaint(scene);
    scene.judge.complaints().content("shop/svc", Scene.at(12));

    assertThat(scene.until(10 + 7 + 2)).isEmpty();
    assertThat(scene.until(10 + 7 + 2 + 1.1)).hasSize(1);
  }

  @Test
  void aDrain_thatWasRefusedForGood_waitsHalfAMinute() {
    Scene scene = new Scene();
    scene.leaves(10, "a");
    scene.answered(10, scene.get(10), 403);

    assertThat(scene.until(10 + 3 + 30)).isEmpty();
    assertThat(scene.until(10 + 3 + 30 + 1.1)).hasSize(1);
  }

  @Test
  void aNodeThatLeavesAfterAFailure_doesNotWait() {
    Scene scene = new Scene();
    scene.answered(10, scene.get(10), 403);
    scene.leaves(11, "a");

    assertThat(scene.until(15.1)).hasSize(1);
  }

  @Test
  void aChangeAfterAFailure_waitsForNoRepair() {
    Scene scene = new Scene();
    scene.answered(10, scene.get(10), 403);
    scene.wants(11, "a", "b");

    assertThat(scene.until(20.3)).hasSize(1);
  }

  @Test
  void repairs_thatFail_doubleToFiveMinutes() {
    assertThat(Stream.of(1, 2, 3, 5, 6, 99).map(Documented::repair).map(Duration::toSeconds))
        .containsExactly(15L, 30L, 60L, 240L, 300L, 300L);
  }

  @Test
  void retries_growUpToTheInterval() {
    assertThat(Stream.of(1, 2, 3, 4).map(Scene.SHIPPED::retry).map(Duration::toMillis))
        .containsExactly(2_200L, 8_800L, 33_000L, 33_000L);
  }

  @Test
  void putsOfOthers_atTheLoadBalancer_allowASecondEachAndTheirGet() {
    Scene scene = new Scene();
    scene.wants(10, "a", "b");
    for (int i = 0; i < 3; i++) {
      scene.answered(10.5 + i, scene.call(10 + i, Kind.GET, Scene.NEIGHBOUR), 200);
      scene.answered(10.6 + i, scene.call(10.5 + i, Kind.PUT, Scene.NEIGHBOUR), 200);
    }

    // 3 x 0.6 s of calls, and 3 x 1.5 s.
    assertThat(scene.until(10 + 7 + 1.8 + 4.5)).isEmpty();
    assertThat(scene.until(10 + 7 + 1.8 + 4.5 + 1.1)).hasSize(1);
  }

  @Test
  void theSpacingInForce_doublesWithEachChange() {
    Scene scene = new Scene();
    scene.wants(10, "a", "b");
    scene.writes(10, "a", "b");
    scene.wants(11, "a", "b", "c");
    scene.writes(13, "a", "b", "c");
    scene.wants(14, "a", "b");

    // 4 s and 5 s.
    assertThat(scene.until(14 + 9)).isEmpty();
    assertThat(scene.until(14 + 9 + 1.1)).hasSize(1);
  }

  @Test
  void anEarlyChange_waitsForTheIntervalWhereAnotherClientWrites() {
    Scene scene = new Scene();
    scene.wants(10, "a", "b");
    scene.writes(10, "a", "b");
    scene.judge.at(Scene.POOL).span("nothing", Scene.at(0), Scene.at(1));
    scene.answered(12, scene.call(12, Kind.GET, Scene.NEIGHBOUR), 412);
    scene.wants(13, "a", "b", "c");

    // Until the interval after the write is over it is early; then it is none any more.
    assertThat(scene.until(40 + 7)).isEmpty();
    assertThat(scene.until(40 + 7 + 1.1)).hasSize(1);
  }

  @Test
  void withoutTokens_membersWaitForOne_andDrainsForTheReserve() {
    Scene.Terms terms = new Scene.Terms();
    terms.writes = new Documented.Bucket(0.1, 10, 1);
    terms.reserve = new Documented.Bucket(0, 10, 0);
    Scene scene = terms.scene();
    scene.wants(10, "a", "b");
    scene.answered(10, scene.call(10, Kind.PUT, Scene.ELSEWHERE), 412);

    // One was there, one has come in 10 s, one is spent: two are needed beside the turn.
    assertThat(scene.until(10 + 7 + 0.1)).isEmpty();
    assertThat(scene.until(60)).hasSize(1);
  }

  @Test
  void withoutRetryBudget_aRepairWaitsAndAChangeDoesNot() {
    Scene.Terms terms = new Scene.Terms();
    terms.budget = new Documented.Budget(1, Scene.seconds(10), 0.1, 0, false);
    Scene scene = terms.scene();
    scene.answered(10, scene.call(10, Kind.GET, Scene.NEIGHBOUR), 200);
    scene.damaged(10);
    scene.shown(10);
    scene.judge.wants(
        Scene.ELSEWHERE, java.util.Optional.of(java.util.Set.of("a")), false, Scene.at(10));
    scene.judge.holds(Scene.ELSEWHERE, java.util.Optional.of(Map.of()), false, Scene.at(10));

    assertThat(scene.until(10 + 7 + 9.9)).isEmpty();
    assertThat(scene.until(10 + 7 + 11.1)).hasSize(1);
  }

  @Test
  void asManyTurnsAsMayBeOut_areAnExcuse() {
    Scene.Terms terms = new Scene.Terms();
    terms.maxInFlight = 1;
    Scene scene = terms.scene();
    scene.wants(10, "a", "b");
    scene.answered(40, scene.call(10, Kind.GET, Scene.ELSEWHERE), 200);

    assertThat(scene.until(40 + 7)).isEmpty();
    assertThat(scene.until(40 + 7 + 1.1)).hasSize(1);
  }

  @Test
  void aMissingAddress_isPutBackSixTimesInAnHourAtTheSpacing() {
    Scene scene = new Scene();
    for (int i = 0; i < 6; i++) {
      scene.damaged(100 * i);
      scene.shown(100 * i);
      scene.holds(100 * i + 1, "a");
    }
    scene.damaged(600);
    scene.shown(600);

    // The seventh time waits for an interval.
    assertThat(scene.until(600 + 30 + 7)).isEmpty();
    assertThat(scene.until(600 + 30 + 7 + 1.1)).hasSize(1);
  }

  @Test
  void aSurplusAddress_waitsFromTheThirdInARow() {
    Scene scene = new Scene();
    for (int i = 0; i < 2; i++) {
      scene.damaged(100 * i, "a", "b");
      scene.shown(100 * i, "a", "b");
      scene.holds(100 * i + 1, "a");
    }
    scene.damaged(200, "a", "b");
    scene.shown(200, "a", "b");

    assertThat(scene.until(200 + 30 + 7)).isEmpty();
    assertThat(scene.until(200 + 30 + 7 + 1.1)).hasSize(1);
  }

  @Test
  void looksAtAWriteOfAnUnknownEnd_comeAfterPausesThatDouble() {
    Scene scene = new Scene();
    scene.wants(10, "a", "b");
    scene.answered(10, scene.get(10), 200, Shows.RUNS);
    scene.answered(11, scene.get(11), 200, Shows.RUNS);
    scene.answered(13, scene.get(13), 200, Shows.RUNS);

    // The next look is due at 17 s.
    assertThat(scene.until(17.5 + 7)).isEmpty();
    assertThat(scene.until(17.5 + 7 + 1.1)).hasSize(1);
  }

  @Test
  void complaints_doubleUntilTheCloudProviderHasWritten() {
    Scene scene = new Scene();
    complaint(scene);
    scene.judge.complaints().complained("shop/svc", Scene.at(15));
    scene.wants(24, "a", "b");

    // Its third try comes at 25 s.
    assertThat(scene.until(24 + 3 + 7)).isEmpty();
    assertThat(scene.until(24 + 3 + 7 + 1.1)).hasSize(1);
  }
}
