package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.RESET;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.shadow.ShadowComparison;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In shadow mode all is decided, once, and nothing is written. */
class ShadowedPoolTest {
  private PoolDriver pool = shadow(Brake.OFF, "n1 n2");

  private static PoolDriver shadow(Brake brake, String entries) {
    return settled(PoolFixtures.limits(brake, true), entries).after(3600);
  }

  private void wouldWrite(String edit) {
    assertThat(PoolFixtures.text(pool.status().activity().wouldWrite().edit())).isEqualTo(edit);
  }

  @AfterEach
  void nothingIsEverWritten() {
    assertThat(pool.status().attempts().lastWrite()).isEmpty();
    assertThat(pool.status().attempts().writes()).isZero();
    assertThat(pool.lacks("put").status().state()).isNotEqualTo(PoolStatus.State.WRITING);
  }

  @Test
  void change_isDecidedWhenItWouldBeWritten_andThePermitGoesBack() {
    pool.web("n1 n3").writing("n1 n2").out("return UNCHANGED; would put -2 +n3; verification");

    pool.is("Idle").rests();
    wouldWrite("-2 +n3");
    assertThat(pool.status().activity().why()).isEqualTo("shadow mode: nothing is written");
    assertThat(pool.status().activity().wouldWrite().drift()).isFalse();
  }

  @Test
  void pool_thatStillDiffers_isNotReadAgainForTheSame() {
    pool.web("n1 n2 n3").writing("n1 n2").after(15).shows("n1 n2").out("").rests();

    wouldWrite("+n3");
  }

  @Test
  void decision_thatSomebodyElseHasWrittenOrAChangeTakesBack_isForgotten() {
    pool.web("n1 n2 n3").writing("n1 n2");
    PoolDriver other = pool.copy();
    pool.after(15).shows("n1 n2 n3");

    wouldWrite("");
    assertThat(pool.status().activity().why()).isEmpty();
    pool = other.web("n1 n2");
    wouldWrite("");
  }

  @Test
  void secondChange_isDecidedWithTheFirst_andSpacedAsAfterAWrite() {
    pool.web("n1 n2 n3").writing("n1 n2").web("n1 n2 n3 n4").wakes(2).writing("n1 n2");

    pool.has("would put +n3 +n4");
    wouldWrite("+n3 +n4");
  }

  @Test
  void drift_isDecidedAsSuch() {
    pool.shows("n1").writing("n1");

    wouldWrite("+n2");
    assertThat(pool.status().activity().wouldWrite().drift()).isTrue();
  }

  @Test
  void drain_isDecidedOnce_andAsksForNoReadBack() {
    pool = shadow(Brake.OFF, "n1 n5").leave("n5").granted().read("n1 n5");

    pool.has("return UNCHANGED", "would put n5/Down").lacks("read back");
    pool.after(15).shows("n1 n5").lacks("turn").rests();
    wouldWrite("n5/Down");
    pool.leave("");
    wouldWrite("");
  }

  @Test
  void drain_besideAMemberDecision_keepsThatOne() {
    pool = shadow(Brake.OFF, "n1 n5").web("n1 n3 n5").writing("n1 n5").leave("n5").granted();

    pool.read("n1 n5");

    wouldWrite("+n3 n5/Down");
  }

  @Test
  void largeRemoval_besideAnAddition_isDecidedWhenTheBrakeLetsItGo() {
    pool = shadow(new Brake(500, 3, Duration.ofSeconds(15)), "n1 n2 n3 n4").web("n1 n5");
    pool.writing("n1 n2 n3 n4").is("Braked", 0);
    wouldWrite("+n5");

    pool.writing("n1 n2 n3 n4").rests();
    wouldWrite("-2 -3 -4 +n5");
  }

  /** Nobody may be told that a write of ours came through. */
  @Test
  void read_thatFails_isTriedAgainAsEver_andReportsNoUpdate() {
    pool.web("n1 n2 n3").reading().failed(RESET).is("Gathering", 1);
    PoolDriver done = pool.copy().writing("n1 n2 n3").lacks("count updated", "web updated");

    pool.writing("n1 n2").has("recovered");
    wouldWrite("+n3");
    assertThat(done.status().attempts().writes()).isZero();
  }

  @Test
  void actor_thatCrashed_leavesItsDecisionOpen_untilItIsSeenToBeMet() {
    pool.web("n1 n3").writing("n1 n2");
    ShadowComparison comparison =
        ShadowComparison.begin(pool.now()).shown(pool.status(), pool.now());
    Instant crash = pool.now();
    pool = new PoolDriver(PoolFixtures.limits(Brake.OFF, true)).at(crash).web("n1 n3");
    comparison = comparison.shown(pool.status(), pool.now());
    assertThat(comparison.due(pool.now())).as("nothing is seen yet").isEqualTo(1);
    comparison = comparison.shown(pool.shows("n1 n2").status(), pool.now());
    assertThat(comparison.due(pool.now())).as("seen, not decided again").isEqualTo(1);
    comparison = comparison.shown(pool.writing("n1 n2").status(), pool.now());
    assertThat(comparison.count(ShadowComparison.Kind.MEMBERS)).as("decided again").isEqualTo(1);

    comparison = comparison.shown(pool.after(15).shows("n1 n3").status(), pool.now());

    assertThat(comparison.outcomes().count()).isEqualTo(1);
    assertThat(comparison.outcomes().superseded()).isZero();
    assertThat(comparison.pools()).isEmpty();
  }
}
