package io.poolkeeper.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.judge.Call.Kind;
import io.poolkeeper.judge.Call.Shows;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is wrong, since when, and both bounds at their edges. */
class WaitJudgeTest {
  private final Scene scene = new Scene();

  @Test
  void members_rightAtTheBound_isNoViolation() {
    scene.wants(10, "a", "b");
    scene.holds(17, "a", "b");

    assertThat(scene.until(100)).isEmpty();
  }

  @Test
  void members_rightAfterTheBound_isOne() {
    scene.wants(10, "a", "b");
    scene.holds(17.001, "a", "b");

    assertThat(scene.until(100)).hasSize(1);
  }

  @Test
  void members_neverRight_isOneViolationThatSaysWhy() {
    scene.wants(10, "a", "b");
    scene.judge.everywhere().span("a watch is lost", Scene.at(11), Scene.at(13));

    assertThat(scene.until(100))
        .singleElement()
        .extracting(Violation::text)
        .asString()
        .contains("lb/pool: b is missing since 2026-11-21T10:00:10Z")
        .contains("shown by what the watches delivered")
        .contains("allowed are 7.000s; not counted: a watch is lost 2.000s");
  }

  @Test
  void members_eachEntry_hasAClockOfItsOwn() {
    for (int i = 0; i < 20; i++) {
      // Never right, but no entry is wrong for 7 s.
      scene.wants(10 + 5 * i, "a", i % 2 == 0 ? "b" : "c");
    }

    assertThat(scene.until(109)).isEmpty();
  }

  @Test
  void surplus_afterAChange_isJudged() {
    scene.wants(10);

    assertThat(scene.until(17)).isEmpty();
    assertThat(scene.until(17.5)).isEmpty();
    assertThat(scene.until(19)).hasSize(1);
  }

  @Test
  void surplus_ofAVagueService_mayBeRight() {
    scene.judge.wants(Scene.POOL, Optional.of(Set.of()), true, Scene.at(10));

    assertThat(scene.until(100)).isEmpty();
  }

  @Test
  void missing_ofAVagueService_isJudged() {
    scene.judge.wants(Scene.POOL, Optional.of(Set.of("b")), true, Scene.at(10));

    assertThat(scene.until(100)).hasSize(1);
  }

  @Test
  void damage_thatNothingHasShown_isNoViolation() {
    scene.damaged(10);

    assertThat(scene.until(100)).isEmpty();
  }

  @Test
  void damage_thatAListingHasShown_isJudgedFromThen() {
    scene.damaged(10);
    scene.shown(20);

    assertThat(scene.until(27)).isEmpty();
    assertThat(scene.until(29)).hasSize(1);
  }

  @Test
  void damage_thatAnOlderViewHasShown_isNotShown() {
    scene.writes(5, "a");
    scene.damaged(10);
    // It began before our write had ended.
    scene.judge.shown(Scene.POOL, Map.of(), Scene.at(4), Scene.at(11));

    assertThat(scene.until(30)).isEmpty();
  }

  @Test
  void damage_thatAListingHasShownWhichAGetHasOvertaken_isNotShown() {
    scene.judge.shown(Scene.POOL, Scene.entries("a"), Scene.at(9), Scene.at(11));
    scene.damaged(12);
    scene.judge.listed(Scene.POOL, Map.of(), Scene.at(10), Scene.at(13));

    assertThat(scene.until(30)).isEmpty();
  }

  @Test
  void aWriteInVain_afterALookByTime_waitsForTheNextOne() {
    scene.wants(9, "a", "b");
    scene.writes(10, "a", "b");
    scene.damaged(30, "a");
    scene.shown(46, "a");
    scene.writes(50, "a", "b");
    scene.holds(50.1, "a");

    assertThat(scene.until(50 + 35 + 60)).isEmpty();
  }

  @Test
  void damage_announcedByTheCloudProvider_isJudgedFromThen() {
    scene.damaged(10);
    scene.judge.announced(Scene.POOL, Scene.at(12));

    // A look comes 2 s later.
    assertThat(scene.until(21)).isEmpty();
    assertThat(scene.until(22.1)).hasSize(1);
  }

  @Test
  void damage_thatALookByTimeMustHaveShown_isJudgedAMinuteAfterIt() {
    scene.wants(1, "a", "b");
    scene.writes(1, "a", "b");
    scene.damaged(10, "a");

    // The look is due 35 s after the write.
    assertThat(scene.until(36 + 60 + 2 + 7)).isEmpty();
    assertThat(scene.until(36 + 60 + 2 + 9)).hasSize(1);
  }

  @Test
  void damage_withoutLooksByTime_waitsForAView() {
    Scene.Terms terms = new Scene.Terms();
    terms.verifyAfter = 0;
    Scene blind = terms.scene();
    blind.wants(1, "a", "b");
    blind.writes(1, "a", "b");
    blind.damaged(10, "a");

    assertThat(blind.until(3_000)).isEmpty();
  }

  @Test
  void aWriteThatIsKnownToBeMade_isAView() {
    scene.wants(10, "a", "b");
    scene.answered(10.1, scene.get(10), 200);
    // ARM says that it was made, and it was not.
    scene.answered(10.3, scene.put(10.2, "a", "b"), 200);

    assertThat(scene.until(60)).isEmpty();
    scene.shown(61, "a");
    assertThat(scene.until(200)).hasSize(1);
  }

  @Test
  void anOperationThatIsFollowed_endsWithThePoll() {
    scene.wants(10, "a", "b");
    scene.answered(10.1, scene.get(10), 200);
    scene.answered(10.3, scene.put(10.2, "a", "b"), 201, Shows.RUNS);
    scene.answered(10.5, scene.call(10.4, Kind.POLL, Scene.POOL), 200, Shows.ENDED);

    assertThat(scene.until(60)).as("what was sent counts as shown").isEmpty();
  }

  @Test
  void aNewPoolOfTheSameName_mustBeShownAnew() {
    scene.judge.holds(Scene.POOL, Optional.empty(), true, Scene.at(5));
    scene.judge.holds(Scene.POOL, Optional.of(Map.of()), true, Scene.at(6));

    assertThat(scene.until(100)).isEmpty();
  }

  @Test
  void state_rightAtTheBound_isNoViolation() {
    scene.leaves(10, "a");
    scene.holds(13, "a!");

    assertThat(scene.until(100)).isEmpty();
  }

  @Test
  void state_rightAfterTheBound_isOne() {
    scene.leaves(10, "a");
    scene.holds(13.001, "a!");

    assertThat(scene.until(100))
        .singleElement()
        .extracting(Violation::text)
        .asString()
        .contains("lb/pool: a is not Down")
        .contains("allowed are 3.000s");
  }

  @Test
  void state_ofANodeThatHasReturned_isJudged() {
    scene.leaves(10, "a");
    scene.holds(11, "a!");
    scene.shown(12, "a!");
    scene.leaves(20);

    assertThat(scene.until(25))
        .singleElement()
        .extracting(Violation::text)
        .asString()
        .contains("a is still Down");
  }

  @Test
  void state_ofAnAddressThatIsNobodys_isNotJudged() {
    scene.holds(5, "z!");
    scene.shown(6, "z!");
    scene.wants(6, "z");

    assertThat(scene.until(100)).isEmpty();
  }

  @Test
  void state_thatAFloorKeeps_isRight() {
    Scene.Terms terms = new Scene.Terms();
    terms.minActive = 1;
    Scene floor = terms.scene();
    floor.leaves(10, "a");

    assertThat(floor.until(100)).as("the only one").isEmpty();
    floor.wants(100, "a", "b");
    floor.holds(100, "a", "b");
    floor.shown(100, "a", "b");
    assertThat(floor.until(110)).as("one of two").hasSize(1);
  }
}
