package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.LOOK;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a pool that another writer damages, once or again and again. */
class DamageTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String WANTED = "n4=10.0.0.4";
  private static final String OTHERS = "other=10.0.0.9";

  /** A pool of n4 that a listing has shown so. */
  private static PoolDriver intact() {
    return PoolDriver.settled(WEB_1, WANTED).after(MINUTE);
  }

  /** A look shows these entries; what it finds is said apart. */
  private static List<PoolEffect> look(PoolDriver pool, String... entries) {
    return pool.observed(pool.now(), entries).stream()
        .filter(effect -> !(effect instanceof PoolEffect.Found))
        .toList();
  }

  /** How long the repair waits, in seconds. */
  private static double wait(PoolDriver pool) {
    return Duration.between(pool.now(), pool.state().wakeAt().orElseThrow()).toMillis() / 1000.0;
  }

  /** Found with these entries and repaired so often, a minute after the last repair. */
  private static PoolDriver undone(int times, String... entries) {
    PoolDriver pool = intact();
    for (int i = 0; i < times; i++) {
      look(pool, entries);
      pool.toWriting(entries).written();
      pool.after(MINUTE);
    }
    return pool;
  }

  private static PoolEffect postponed(int damages, long seconds, boolean news) {
    return new PoolEffect.RepairPostponed(damages, Duration.ofSeconds(seconds), news);
  }

  private static PoolEffect contested(Assignment to) {
    return new PoolEffect.Emit(
        new ObjectEvent(
            new ObjectReference.OfService(to.service(), to.uid()),
            ObjectEvent.Type.WARNING,
            "LoadBalancerBackendPoolContested",
            "Another client removes entries from backend pool lb-1/default-web again and again (1,"
                + " such as 10.0.0.4). Poolkeeper goes on to put them back, but later each time, up"
                + " to 5 minutes. Find that client: the activity log of Azure names it."));
  }

  @Test
  void missing_firstSixTimesInAnHour_isPutBackAsSoonAsTheSpacingAllows() {
    PoolDriver pool = intact();
    for (int times = 1; times <= 6; times++) {
      assertThat(look(pool)).isEmpty();

      assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
      assertThat(pool.toWriting().effects()).containsExactly(pool.write("+n4=10.0.0.4"));
      assertThat(pool.written()).as("damage starts the looks anew").contains(LOOK);
      pool.after(MINUTE);
    }
  }

  @Test
  void missing_soonAfterItWasPutBack_waitsForTheSpacingOnly() {
    PoolDriver pool = undone(1);
    look(pool);
    pool.toWriting().written();

    look(pool.after(Duration.ofMillis(500)));

    assertThat(wait(pool)).isEqualTo(1.5);
  }

  @Test
  void missing_onAndOn_isPutBackAtADelayThatDoublesUpToFiveMinutes_andToldOnce() {
    PoolDriver pool = undone(6);
    pool.send(desire(API_2, WANTED));
    List<PoolEffect> told = new ArrayList<>();
    List<Double> waits = new ArrayList<>();

    for (int i = 0; i < 7; i++) {
      told.addAll(look(pool));
      waits.add(wait(pool));
      pool.toWriting().written();
      pool.after(MINUTE);
    }

    assertThat(waits).containsExactly(30.0, 60.0, 120.0, 240.0, 300.0, 300.0, 300.0);
    assertThat(told)
        .containsExactly(
            contested(API_2),
            contested(WEB_1),
            postponed(7, 30, true),
            postponed(8, 60, false),
            postponed(9, 120, false),
            postponed(10, 240, false),
            postponed(11, 300, false),
            postponed(12, 300, false),
            postponed(13, 300, false));
  }

  @Test
  void surplus_thirdTimeInAnHour_waitsTheIntervalDoublingUpToTheResync() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    List<PoolEffect> told = new ArrayList<>();

    for (int i = 0; i < 7; i++) {
      told.addAll(look(pool, WANTED, OTHERS));
      pool.toWriting(WANTED, OTHERS).written();
      pool.after(MINUTE);
    }

    assertThat(told)
        .containsExactly(
            postponed(3, 30, true),
            postponed(4, 60, false),
            postponed(5, 120, false),
            postponed(6, 240, false),
            postponed(7, 480, false),
            postponed(8, 600, false),
            postponed(9, 600, false));
  }

  @ParameterizedTest
  @CsvSource({"0, 0.1", "-1, 30"})
  void undone_longerAgoThanAnHour_doesNotCount(long nanos, double wait) {
    PoolDriver pool = intact();
    Instant first = pool.now();
    look(pool, WANTED, OTHERS);
    pool.toWriting(WANTED, OTHERS).written();
    pool.after(MINUTE);
    look(pool, WANTED, OTHERS);
    pool.toWriting(WANTED, OTHERS).written();

    look(pool.at(first.plus(HOUR).plusNanos(nanos)), WANTED, OTHERS);

    assertThat(wait(pool)).isEqualTo(wait);
  }

  @Test
  void undone_nothingForAnHour_isForgotten() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    assertThat(pool.state().history().damage().rows()).hasSize(1);

    look(pool.after(HOUR), WANTED);

    assertThat(pool.state().history().damage().rows()).isEmpty();
  }

  @Test
  void otherDamage_doesNotCount() {
    PoolDriver pool = undone(2, WANTED, OTHERS);

    look(pool, WANTED, "another=10.0.0.10");

    assertThat(wait(pool)).isEqualTo(0.1);
    pool.toWriting(WANTED, "another=10.0.0.10").written();
    look(pool.after(MINUTE));
    assertThat(wait(pool)).isEqualTo(0.1);
  }

  /** A PUT writes the pool whole. */
  @Test
  void otherDamage_duringAFight_doesNotWaitForIt() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    look(pool, WANTED, OTHERS);
    assertThat(wait(pool)).isEqualTo(30);

    assertThat(look(pool.after(Duration.ofSeconds(5)), OTHERS)).isEmpty();

    assertThat(wait(pool)).isEqualTo(0.1);
    assertThat(pool.toWriting(OTHERS).effects())
        .containsExactly(pool.write("+n4=10.0.0.4", "-10.0.0.9"));
  }

  @Test
  void ownChange_ofTheSameAddress_beginsAnew() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    pool.send(desire(WEB_1, WANTED, OTHERS));
    pool.toWriting(WANTED).written();
    pool.after(MINUTE).send(desire(WEB_1, WANTED));
    pool.toWriting(WANTED, OTHERS).written();

    look(pool.after(MINUTE), WANTED, OTHERS);

    assertThat(wait(pool)).isEqualTo(0.1);
  }

  @Test
  void ownChange_ofAnotherAddress_keepsTheCount() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    pool.send(desire(WEB_1, WANTED, "n5=10.0.0.5"));
    pool.toWriting(WANTED).written();

    look(pool.after(MINUTE), WANTED, "n5=10.0.0.5", OTHERS);

    assertThat(wait(pool)).isEqualTo(30);
  }

  @Test
  void healedByTheOther_andUndoneWithoutARepairBetween_doesNotCountTwice() {
    PoolDriver pool = undone(1, WANTED, OTHERS);
    for (int i = 0; i < 5; i++) {
      look(pool.after(Duration.ofMillis(10)), WANTED, OTHERS);
      look(pool.after(Duration.ofMillis(10)), WANTED);
    }

    look(pool.after(Duration.ofMillis(10)), WANTED, OTHERS);

    assertThat(pool.phase()).isInstanceOf(Phase.Gathering.class);
    assertThat(pool.state().history().damage().most(PoolFixtures.edit("-10.0.0.9"), pool.now()))
        .isEqualTo(2);
  }

  @Test
  void postponed_pool_showsWhyAndIsRepairedByItsTimer() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    look(pool, WANTED, OTHERS);
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
    PoolDriver pool = undone(2, WANTED, OTHERS);
    look(pool, WANTED, OTHERS);
    Phase before = pool.phase();
    Damage damage = pool.state().history().damage();

    assertThat(look(pool.after(Duration.ofSeconds(5)), WANTED, OTHERS)).isEmpty();

    assertThat(pool.phase()).isEqualTo(before);
    assertThat(pool.state().history().damage()).isEqualTo(damage);
  }

  @Test
  void postponed_healedByTheOther_rests() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    look(pool, WANTED, OTHERS);

    assertThat(look(pool.after(Duration.ofSeconds(5)), WANTED)).isEmpty();

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void postponed_change_goesWithoutWaiting() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    look(pool, WANTED, OTHERS);

    pool.send(desire(WEB_1, WANTED, "n5=10.0.0.5"));

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
    assertThat(pool.toWriting(WANTED, OTHERS).effects())
        .containsExactly(pool.write("+n5=10.0.0.5", "-10.0.0.9"));
    pool.written();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void postponed_equalLevel_waitsOn() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    look(pool, WANTED, OTHERS);
    Phase before = pool.phase();

    pool.send(desire(WEB_1, WANTED));

    assertThat(pool.phase()).isEqualTo(before);
  }

  @Test
  void postponed_lastServiceGoes_rests() {
    PoolDriver pool = undone(2, WANTED, OTHERS);
    look(pool, WANTED, OTHERS);

    pool.send(new PoolEvent.Release(WEB_1.service()));

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void observed_differentBecauseAServiceWasReleased_isNoDamage() {
    PoolDriver pool = intact();
    pool.send(desire(API_2, "n7=10.0.0.7"));
    pool.toWriting(WANTED).written();
    pool.after(MINUTE).send(new PoolEvent.Release(API_2.service()));

    assertThat(look(pool, WANTED, "n7=10.0.0.7")).isEmpty();

    assertThat(pool.state().history().damage().rows()).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
  }

  @Test
  void observed_atTheStart_isNoDamage() {
    PoolDriver pool = new PoolDriver(LIMITS);
    pool.send(desire(WEB_1, WANTED));
    pool.toReading().failed(PoolFixtures.NOT_FOUND);

    look(pool.after(MINUTE), OTHERS);

    assertThat(pool.state().history().damage().rows()).isEmpty();
    assertThat(wait(pool)).isEqualTo(0.1);
  }

  @Test
  void observed_failedPool_isNoDamage() {
    PoolDriver pool = intact();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(FORBIDDEN);

    assertThat(look(pool.after(Duration.ofSeconds(5)), WANTED)).isEmpty();

    assertThat(pool.state().history().damage().rows()).isEmpty();
    assertThat(pool.phase()).isInstanceOf(Phase.Failed.class);
  }

  @Test
  void repair_poolIsAsDesiredWhenRead_isNoRepair() {
    PoolDriver pool = intact();
    look(pool, WANTED, OTHERS);

    assertThat(pool.toReading().read(WANTED))
        .as("no look")
        .containsExactly(PoolFixtures.unchanged(1));

    look(pool.after(MINUTE), WANTED, OTHERS);
    assertThat(pool.state().history().damage().most(PoolFixtures.edit("-10.0.0.9"), pool.now()))
        .isEqualTo(1);
  }

  /** A client that empties a large pool again and again is slowed down, and costs little. */
  @Test
  void manyAddresses_areBoundedAndSlowedDown() {
    String[] wanted =
        IntStream.range(0, 5_000)
            .mapToObj(n -> "n%d=10.1.%d.%d".formatted(n, n / 250, n % 250))
            .toArray(String[]::new);
    PoolDriver pool = PoolDriver.settled(WEB_1, wanted).after(MINUTE);
    for (int i = 0; i < 6; i++) {
      look(pool);
      assertThat(wait(pool)).isEqualTo(0.1);
      pool.toWriting().written();
      pool.after(MINUTE);
    }

    look(pool);

    assertThat(wait(pool)).isEqualTo(30);
    assertThat(pool.state().history().damage().rows()).hasSize(Damage.MOST);
  }
}
