package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.LOOK;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.edit;
import static io.poolkeeper.pool.PoolFixtures.granted;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.unchanged;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PoolEdit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In shadow mode all is decided, once, and nothing is written. */
class ShadowedPoolTest {
  private static final Duration DELAY = Duration.ofSeconds(15);
  private static final String[] TWO = {"n1=10.0.0.1", "n2=10.0.0.2"};
  private static final String[] LEAVING = {"n1=10.0.0.1", "n5=10.0.0.5"};
  private static final String[] THREE = {"n1=10.0.0.1", "n2=10.0.0.2", "n3=10.0.0.3"};
  private static final String[] FOUR = {"n1=10.0.0.1", "n2=10.0.0.2", "n3=10.0.0.3", "n4=10.0.0.4"};

  private PoolDriver pool = shadow(Brake.OFF, TWO);

  private static PoolDriver shadow(Brake brake, String... entries) {
    PoolLimits limits =
        new PoolLimits(
            LIMITS.interval(),
            LIMITS.minInterval(),
            LIMITS.leadingEdge(),
            LIMITS.window(),
            LIMITS.verifyAfter(),
            LIMITS.resync(),
            LIMITS.maxRetries(),
            LIMITS.drain(),
            brake,
            true);
    return PoolDriver.settled(limits, WEB_1, entries).after(Duration.ofHours(1));
  }

  private PoolEdit wouldWrite() {
    return PoolStatus.of(POOL, pool.state()).wouldWrite().edit();
  }

  private List<PoolEffect> decide(String... seen) {
    pool.toReading();
    return pool.read(seen);
  }

  @AfterEach
  void nothingIsEverWritten() {
    assertThat(pool.state().history().lastWrite()).isEmpty();
    assertThat(pool.state().history().writes()).isZero();
    assertThat(pool.effects()).noneMatch(PoolEffect.Write.class::isInstance);
    assertThat(pool.phase()).isNotInstanceOf(Phase.Writing.class);
  }

  @Test
  void change_isDecidedWhenItWouldBeWritten_andTheTurnGoesBack() {
    pool.send(desire(WEB_1, "n1=10.0.0.1", "n3=10.0.0.3"));

    List<PoolEffect> effects = decide(TWO);

    PoolEdit expected = edit("-10.0.0.2", "+n3=10.0.0.3");
    assertThat(effects).containsExactly(unchanged(1), new PoolEffect.Shadowed(expected), LOOK);
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(wouldWrite()).isEqualTo(expected);
    PoolStatus status = PoolStatus.of(POOL, pool.state());
    assertThat(status.state()).isEqualTo("Idle");
    assertThat(status.why()).isEqualTo("shadow mode: nothing is written");
    assertThat(status.wouldWrite().drift()).isFalse();
    assertThat(status.until()).isEmpty();
  }

  @Test
  void pool_thatStillDiffers_isNotReadAgainForTheSame() {
    pool.send(desire(WEB_1, THREE));
    decide(TWO);

    pool.after(DELAY).observed(pool.now(), TWO);

    assertThat(pool.effects()).isEmpty();
    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(wouldWrite()).isEqualTo(edit("+n3=10.0.0.3"));
  }

  @Test
  void pool_thatSomebodyElseHasWritten_hasNothingDecidedLeft() {
    pool.send(desire(WEB_1, THREE));
    decide(TWO);

    pool.after(DELAY).observed(pool.now(), THREE);

    assertThat(wouldWrite()).isEqualTo(PoolEdit.NONE);
    assertThat(PoolStatus.of(POOL, pool.state()).why()).isEmpty();
  }

  @Test
  void change_thatTakesADecisionBack_leavesNothingOfIt() {
    pool.send(desire(WEB_1, THREE));
    decide(TWO);

    pool.send(desire(WEB_1, TWO));

    assertThat(wouldWrite()).isEqualTo(PoolEdit.NONE);
  }

  @Test
  void secondChange_isDecidedWithTheFirst_andSpacedAsAfterAWrite() {
    pool.send(desire(WEB_1, THREE));
    decide(TWO);
    pool.send(desire(WEB_1, FOUR));

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plusSeconds(2)));
    decide(TWO);

    assertThat(wouldWrite()).isEqualTo(edit("+n3=10.0.0.3", "+n4=10.0.0.4"));
  }

  @Test
  void drift_isDecidedAsSuch() {
    pool.observed(pool.now(), "n1=10.0.0.1");

    decide("n1=10.0.0.1");

    assertThat(wouldWrite()).isEqualTo(edit("+n2=10.0.0.2"));
    assertThat(PoolStatus.of(POOL, pool.state()).wouldWrite().drift()).isTrue();
  }

  @Test
  void drain_isDecidedOnce_andAsksForNoReadBack() {
    pool = shadow(Brake.OFF, LEAVING);
    pool.send(new PoolEvent.NodesOutOfService(leaving(1, "n5"), pool.now()));
    pool.send(granted(1));

    List<PoolEffect> effects = pool.read(LEAVING);

    assertThat(effects)
        .contains(unchanged(1), new PoolEffect.Shadowed(edit("n5 Down")))
        .doesNotContain(new PoolEffect.Report(PoolReport.Sign.READ_BACK_WANTED));
    assertThat(pool.after(DELAY).observed(pool.now(), LEAVING))
        .noneMatch(PoolEffect.RequestTurn.class::isInstance);
    assertThat(pool.state().drain().due()).isEmpty();
    assertThat(wouldWrite()).isEqualTo(edit("n5 Down"));
  }

  @Test
  void drain_besideAMemberDecision_keepsThatOne() {
    pool = shadow(Brake.OFF, LEAVING);
    pool.send(desire(WEB_1, "n1=10.0.0.1", "n3=10.0.0.3", "n5=10.0.0.5"));
    decide(LEAVING);
    pool.send(new PoolEvent.NodesOutOfService(leaving(1, "n5"), pool.now()));
    pool.send(granted(2));

    pool.read(LEAVING);

    assertThat(wouldWrite()).isEqualTo(edit("+n3=10.0.0.3", "n5 Down"));
  }

  @Test
  void node_thatReturns_hasNothingDecidedLeft() {
    pool = shadow(Brake.OFF, LEAVING);
    pool.send(new PoolEvent.NodesOutOfService(leaving(1, "n5"), pool.now()));
    pool.send(granted(1));
    pool.read(LEAVING);

    pool.send(new PoolEvent.NodesOutOfService(leaving(2), pool.now()));

    assertThat(wouldWrite()).isEqualTo(PoolEdit.NONE);
  }

  @Test
  void largeRemoval_besideAnAddition_isDecidedWhenTheBrakeLetsItGo() {
    pool = shadow(new Brake(500, 3, DELAY), FOUR);
    pool.send(desire(WEB_1, "n1=10.0.0.1", "n5=10.0.0.5"));
    decide(FOUR);
    assertThat(wouldWrite()).isEqualTo(edit("+n5=10.0.0.5"));
    assertThat(pool.phase()).isInstanceOf(Phase.Braked.class);

    decide(FOUR);

    assertThat(wouldWrite()).isEqualTo(edit("+n5=10.0.0.5", "-10.0.0.2", "-10.0.0.3", "-10.0.0.4"));
    assertThat(pool.state().wakeAt()).isEqualTo(Optional.empty());
  }

  @Test
  void read_thatFails_isTriedAgainAsEver() {
    pool.send(desire(WEB_1, THREE));
    pool.toReading();
    pool.failed(PoolFixtures.RESET);
    assertThat(pool.retries()).containsExactly(1);

    decide(TWO);

    assertThat(wouldWrite()).isEqualTo(edit("+n3=10.0.0.3"));
    assertThat(pool.state().failing()).isEmpty();
  }

  /** Nobody may be told that a write of ours came through. */
  @Test
  void retry_thatFindsThePoolAsDesired_reportsNoUpdate() {
    pool.send(desire(WEB_1, THREE));
    pool.toReading();
    pool.failed(PoolFixtures.RESET);

    List<PoolEffect> effects = decide(THREE);

    assertThat(effects)
        .noneMatch(PoolEffect.Updated.class::isInstance)
        .noneMatch(PoolEffect.Emit.class::isInstance);
  }
}
