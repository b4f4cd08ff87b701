package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.ADMITTED;
import static io.poolkeeper.pool.PoolFixtures.HELD;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Pause;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members of a pool are not written while that is held, or all is paused; no retry is spent. */
class PoolHoldTest {
  /** What keeps members from being written. */
  enum Hold {
    CHECK,
    PAUSE;

    PoolDriver begins(PoolDriver pool) {
      return pool.send(this == CHECK ? HELD : paused(pool, false));
    }

    PoolDriver ends(PoolDriver pool) {
      return pool.send(this == CHECK ? ADMITTED : new PoolEvent.Paused(Optional.empty()));
    }

    String state() {
      return this == CHECK ? "Held" : "Paused";
    }
  }

  private static PoolEvent paused(PoolDriver pool, boolean drains) {
    var end = pool.now().plusSeconds(600);
    return new PoolEvent.Paused(Optional.of(new Pause(end, end, "change 1234", drains)));
  }

  private static PoolDriver idle() {
    return settled("n4").after(3600);
  }

  /** Its Service has moved from n4 to n5. */
  private static PoolDriver changed() {
    return idle().web("n5");
  }

  @ParameterizedTest
  @EnumSource
  void change_whileHeld_waitsWithoutATimer_andGoesAtOnceWhenThatEnds(Hold hold) {
    PoolDriver pool = hold.begins(idle()).is("Idle").web("n5").out("").rests();
    pool.is(hold.state(), 0);

    hold.ends(pool.after(3600)).tick().out("permit UPDATE").granted().read("n4");
    assertThat(pool.texts()).singleElement().asString().startsWith("put -4 +n5");
  }

  @ParameterizedTest
  @EnumSource
  void hold_whileWaiting_leavesTheLine(Hold hold) {
    hold.begins(changed().timer()).out("cancel").granted().out("return UNUSED").is(hold.state(), 0);
  }

  @ParameterizedTest
  @EnumSource
  void hold_duringTheRead_putsTheChangeBackWithoutARetry(Hold hold) {
    PoolDriver pool = hold.begins(changed().reading()).read("n4").out("return UNCHANGED");

    pool.is(hold.state(), 0).rests();
  }

  @ParameterizedTest
  @EnumSource
  void hold_duringTheWrite_letsItEnd(Hold hold) {
    hold.begins(changed().writing("n4"))
        .written()
        .has("return SUCCEEDED", "web updated")
        .is("Idle");
  }

  @ParameterizedTest
  @EnumSource
  void drain_whileHeld_goesAlone(Hold hold) {
    PoolDriver before = hold.begins(changed()).leave("n4").out("permit DRAIN 1/1");
    PoolDriver after = hold.begins(changed().timer().leave("n4").out("permit DRAIN 1/1"));

    Stream.of(before, after)
        .forEach(
            pool -> pool.granted().out("read").read("n4").has("put n4/Down").written().rests());
  }

  @ParameterizedTest
  @EnumSource
  void repair_whileHeld_waits(Hold hold) {
    PoolDriver pool = hold.begins(idle()).shows("n4 other=9").lacks("turn").rests();

    hold.ends(pool.after(600)).tick().out("permit REPAIR");
  }

  @ParameterizedTest
  @EnumSource
  void failedPool_whileHeld_isNotRepaired(Hold hold) {
    PoolDriver pool = hold.begins(changed().reading().failed(403).wakes(11.25)).rests();

    hold.ends(pool).wakes(11.25);
  }

  @Test
  void status_saysWhyAndUntilWhen() {
    PoolDriver held = idle().send(HELD).web("n5");
    assertThat(held.status().activity().why()).isEqualTo("a check is pending");

    PoolDriver paused = idle();
    paused.send(paused(paused, false)).web("n5");
    var end = paused.now().plusSeconds(600);
    assertThat(paused.status().activity().why()).isEqualTo("paused until " + end + ": change 1234");
    assertThat(paused.status().activity().until()).contains(end);
  }

  /** A drain goes on alone, and ends no wait of members. */
  @Test
  void status_whileADrainIsRetried_hasTheTimeOfMembersOnly() {
    PoolDriver held = idle().send(HELD).web("n5").leave("n4").granted().read("n4").failed(503);
    PoolDriver parked = idle().web("n5").reading().throttled(40).leave("n4");
    var end = parked.now().plusSeconds(40);
    parked.granted().read("n4").failed(503).is("Parked", 1);

    assertThat(held.is("Held", 0).status().activity().until()).isEmpty();
    assertThat(held.status().picture().drainDue()).isEqualTo(held.state().wakeAt());
    assertThat(parked.status().activity().until()).contains(end);
    assertThat(parked.status().picture().drainDue().orElseThrow()).isBefore(end);
  }

  @Test
  void drain_whilePausedWithDrains_waits_andGoesWhenThatEnds() {
    PoolDriver pool = idle();
    pool.send(paused(pool, true)).is("Idle").leave("n4").lacks("turn").is("Paused").rests();
    assertThat(pool.status().activity().why()).endsWith(", drains too: change 1234");

    Hold.PAUSE.ends(pool).has("permit DRAIN 1/1");
  }

  @Test
  void drain_underWay_whenAPauseWithDrainsBegins_writesNothing() {
    PoolDriver pool = idle().leave("n4");
    pool.copy().send(paused(pool, true)).has("cancel");

    pool.granted().send(paused(pool, true)).read("n4").has("return UNCHANGED").lacks("put");

    Hold.PAUSE.ends(pool).lacks("put").wakes(1);
  }
}
