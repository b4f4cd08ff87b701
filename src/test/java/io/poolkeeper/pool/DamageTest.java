package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.LOOK;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a pool that another writer damages, once or again and again. */
class DamageTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The last look after a write. */
  private static final Duration LAST_LOOK = Duration.ofMinutes(5);

  /** A pool of n4 that a listing has shown so. */
  private static PoolDriver intact() {
    return PoolDriver.settled(WEB_1, "n4=10.0.0.4").after(MINUTE);
  }

  private static List<PoolEffect> damaged(PoolDriver pool) {
    return pool.observed(pool.now());
  }

  private static PoolDriver repaired(PoolDriver pool) {
    pool.toWriting().written();
    return pool;
  }

  /** Damaged and repaired so often, a minute after the last repair. */
  private static PoolDriver damagedTimes(int times) {
    PoolDriver pool = intact();
    for (int i = 0; i < times; i++) {
      damaged(pool);
      repaired(pool).after(MINUTE);
    }
    return pool;
  }

  private static int inRow(PoolDriver pool) {
    return pool.state().history().damage().inRow();
  }

  @Test
  void observed_damageOnceOrTwice_isRepairedAsSoonAsTheSpacingAllows() {
    PoolDriver pool = intact();
    for (int times = 1; times <= 2; times++) {
      assertThat(damaged(pool)).isEmpty();

      assertThat(inRow(pool)).isEqualTo(times);
      assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
      assertThat(pool.toWriting().effects()).containsExactly(pool.write("+n4=10.0.0.4"));
      assertThat(pool.written()).as("damage starts the looks anew").contains(LOOK);
      pool.after(MINUTE);
    }
  }

  @Test
  void observed_damageOnAndOn_isRepairedAtADelayThatDoublesUpToTheResync() {
    PoolDriver pool = damagedTimes(2);
    List<PoolEffect> told = new ArrayList<>();

    for (int i = 0; i < 7; i++) {
      told.addAll(damaged(pool));
      long wait = Duration.between(pool.now(), pool.state().wakeAt().orElseThrow()).toSeconds();
      assertThat(wait).isEqualTo(List.of(30, 60, 120, 240, 480, 600, 600).get(i).longValue());
      repaired(pool).after(MINUTE);
    }

    assertThat(told)
        .containsExactly(
            postponed(3, 30, true),
            postponed(4, 60, false),
            postponed(5, 120, false),
            postponed(6, 240, false),
            postponed(7, 480, false),
            postponed(8, 600, false),
            postponed(8, 600, false));
  }

  private static PoolEffect postponed(int damages, long seconds, boolean news) {
    return new PoolEffect.RepairPostponed(damages, Duration.ofSeconds(seconds), news);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-1, 2"})
  void observed_lastLookAfterTheRepairIsClean_endsTheRow(long nanos, int left) {
    PoolDriver pool = damagedTimes(2);
    Instant repaired = pool.now().minus(MINUTE);

    pool.at(repaired.plus(LAST_LOOK).plusNanos(nanos)).observed(pool.now(), "n4=10.0.0.4");

    assertThat(inRow(pool)).isEqualTo(left);
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void observed_cleanAfterAWriteForAChange_countsFromTheRepair() {
    PoolDriver pool = damagedTimes(2);
    Instant repaired = pool.now().minus(MINUTE);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4").written();

    pool.at(repaired.plus(LAST_LOOK)).observed(pool.now(), "n5=10.0.0.5");

    assertThat(inRow(pool)).isZero();
  }

  @Test
  void postponed_pool_showsWhyAndIsRepairedByItsTimer() {
    PoolDriver pool = damagedTimes(2);
    damaged(pool);
    Instant until = pool.now().plus(INTERVAL);

    PoolStatus status = PoolStatus.of(POOL, pool.state());
    assertThat(status.state()).isEqualTo("Postponed");
    assertThat(status.why()).isEqualTo("another client changes it again and again; repaired later");
    assertThat(status.until()).contains(until);
    assertThat(pool.after(INTERVAL.minusNanos(1)).send(new PoolEvent.TimerDue())).isEmpty();
    assertThat(pool.fire()).containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.REPAIR)));
    assertThat(pool.now()).isEqualTo(until);
  }

  @Test
  void postponed_stillDamaged_waitsOnAndCountsNothing() {
    PoolDriver pool = damagedTimes(2);
    damaged(pool);
    Phase before = pool.phase();

    assertThat(damaged(pool.after(Duration.ofSeconds(5)))).isEmpty();

    assertThat(pool.phase()).isEqualTo(before);
    assertThat(inRow(pool)).isEqualTo(3);
  }

  @Test
  void postponed_healedByTheOther_rests() {
    PoolDriver pool = damagedTimes(2);
    damaged(pool);
    Instant looked = pool.after(Duration.ofSeconds(5)).now();

    assertThat(pool.observed(looked, "n4=10.0.0.4")).isEmpty();

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.state().history().damage()).isEqualTo(new Damage(3, Optional.of(looked)));
  }

  @Test
  void postponed_change_goesWithoutWaiting() {
    PoolDriver pool = damagedTimes(2);
    damaged(pool);

    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
    assertThat(pool.toWriting().effects()).containsExactly(pool.write("+n5=10.0.0.5"));
    pool.written();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void postponed_equalLevel_waitsOn() {
    PoolDriver pool = damagedTimes(2);
    damaged(pool);
    Phase before = pool.phase();

    pool.send(desire(WEB_1, "n4=10.0.0.4"));

    assertThat(pool.phase()).isEqualTo(before);
  }

  @Test
  void postponed_lastServiceGoes_rests() {
    PoolDriver pool = damagedTimes(2);
    damaged(pool);

    pool.send(new PoolEvent.Release(WEB_1.service()));

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void observed_differentBecauseAServiceWasReleased_isNoDamage() {
    PoolDriver pool = damagedTimes(2);
    pool.send(desire(API_2, "n7=10.0.0.7"));
    pool.toWriting("n4=10.0.0.4").written();
    pool.after(MINUTE).send(new PoolEvent.Release(API_2.service()));

    assertThat(pool.observed(pool.now(), "n4=10.0.0.4", "n7=10.0.0.7")).isEmpty();

    assertThat(inRow(pool)).isEqualTo(2);
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
  }

  @Test
  void observed_failedPool_isNoDamage() {
    PoolDriver pool = damagedTimes(2);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(FORBIDDEN);

    assertThat(pool.after(Duration.ofSeconds(5)).observed(pool.now(), "n4=10.0.0.4")).isEmpty();

    assertThat(pool.state().history().damage()).isEqualTo(new Damage(2, Optional.empty()));
    assertThat(pool.phase()).isInstanceOf(Phase.Failed.class);
  }

  @Test
  void repair_poolIsAsDesiredWhenRead_isIntactFromThenOn() {
    PoolDriver pool = damagedTimes(2);
    pool.observed(pool.now(), "n4=10.0.0.4", "stale=10.0.0.9");
    pool.fire();
    assertThat(pool.phase()).isInstanceOf(Phase.Waiting.class);
    pool.send(PoolFixtures.granted(9));

    assertThat(pool.read("n4=10.0.0.4")).as("no look").containsExactly(PoolFixtures.unchanged(9));

    assertThat(pool.state().history().damage()).isEqualTo(new Damage(3, Optional.of(pool.now())));
  }

  @Test
  void look_afterAChangeThatNeededNoWrite_isAskedFor() {
    PoolDriver pool = intact();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.toReading().read("n5=10.0.0.5"))
        .containsExactly(PoolFixtures.unchanged(1), LOOK);
  }

  @Test
  void look_afterAFailure_isNotAskedFor() {
    PoolDriver pool = intact();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.toWriting("n4=10.0.0.4").failed(FORBIDDEN)).doesNotContain(LOOK);
  }

  @Test
  void clean_neverDifferent_changesNothing() {
    Damage intact = new Damage(0, Optional.of(T0));

    assertThat(intact.clean(T0.plus(LAST_LOOK), LIMITS)).isEqualTo(intact);
    assertThat(Damage.NONE.clean(T0, LIMITS)).isEqualTo(intact);
    assertThat(Damage.NONE.different(LIMITS)).as("at the start").isEqualTo(Damage.NONE);
  }
}
