package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolDriver.refused;
import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.updating;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.retry.Jitter;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;

/** How a pool that is not as it should be is put right without anybody's doing. */
class PoolCoreRepairTest {
  /** A pool of n4 that two want so, with a stranger in it. */
  private static PoolDriver drifted() {
    return settled("n4").api("n4").after(1).shows("n4 stale=9");
  }

  @Test
  void failed_byItsOwnTimer_isReadAndWrittenAgain() {
    PoolDriver pool = refused().writing("n4").out("put -4 +n5").after(1).written();

    pool.out("return SUCCEEDED; web updated; count updated PT1S; verification; recovered")
        .is("Idle");
    pool.web("n6").reading().failed(403).wakes(11.25);
  }

  @ParameterizedTest
  @CsvSource({"0, 7.5", "0.5, 11.25", "1, 15"})
  void failed_againAndAgain_waitsTwiceAsLongUpToFiveMinutesWithEqualJitter(
      double drawn, double first) {
    PoolDriver pool = changed().reading().drawing(drawn);

    for (double times : new double[] {1, 2, 4, 8, 16, 20, 20}) {
      pool.failed(403).wakes(first * times).reading();
    }
  }

  /** Decorrelated delays grow from the one before; a write that succeeds begins them anew. */
  @ParameterizedTest
  @CsvSource({
    "FULL, 0.5, 7.5, 15, 30, 60, 120, 150, 150, 7.5",
    "FULL, 1, 15, 30, 60, 120, 240, 300, 300, 15",
    "DECORRELATED, 0, 15, 15, 15, 15, 15, 15, 15, 15",
    "DECORRELATED, 0.5, 30, 52.5, 86.25, 136.875, 157.5, 157.5, 157.5, 30",
    "DECORRELATED, 1, 45, 135, 300, 300, 300, 300, 300, 45"
  })
  void failed_againAndAgain_waitsAsTheJitterSays(ArgumentsAccessor row) {
    PoolDriver pool =
        PoolDriver.settled(PoolFixtures.limits(row.get(0, Jitter.class)), "n4")
            .web("n5")
            .reading()
            .drawing(row.getDouble(1));

    for (int failure = 2; failure <= 8; failure++) {
      pool.failed(403).wakes(row.getDouble(failure)).reading();
    }
    pool.read("n4").written();
    pool.web("n6").reading().failed(403).wakes(row.getDouble(9));
  }

  /** The failure stays one that is not retried; only the repair waits for as long as ARM asked. */
  @ParameterizedTest
  @CsvSource({"5, 11.25", "60, 60", "900, 900"})
  void failed_serverErrorWithRetryAfter_isNotRepairedSooner(int asked, double waited) {
    PoolDriver pool = changed().reading();
    var until = Optional.of(pool.now().plusSeconds(asked));

    pool.failed(new ArmFailure(ArmFailure.Kind.RESPONSE, 503, "ServerBusy", "no", until));

    pool.has("web failed").is("Failed").wakes(waited);
  }

  @Test
  void observed_failedPool_isLeftToItsOwnTimerUnlessItIsRightAfterAll() {
    PoolDriver pool = refused().shows("n4").out("").is("Failed").wakes(10.25);

    pool.shows("n5").out("recovered").is("Idle").rests();
  }

  @Test
  void repair_poolIsRightWhenRead_turnsCleanWithoutEvent() {
    refused().writing("n5").out("return UNCHANGED; recovered");
  }

  @Test
  void repair_thatFails_isToldOnceForEachClass_andOnceThatItIsSlowest() {
    PoolDriver pool = refused().reading();

    pool.failed(new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Code403", "other words"));
    pool.out("return UNREAD; repair failed again").is("Failed").wakes(22.5);
    pool.reading().failed(400).out("return UNREAD; web failed; count failed");
    pool.reading().failed(400).out("return UNREAD; repair failed again");
    pool.reading().failed(412).out("return UNREAD; web retrying; repair failed");
    pool.reading().failed(412).out("return UNREAD; repair failed again; slowest 6");
    pool.reading().failed(412).out("return UNREAD; repair failed again");
  }

  @Test
  void repair_unasked_writesWhatDriftedAndTellsAllServices() {
    PoolDriver pool = drifted().timer().out("permit REPAIR").granted().out("retry DRIFT; read");

    pool.read("n4 stale=9").out("put -9");
    pool.written().out("return SUCCEEDED; api updated; web updated; count updated; verification");
  }

  @Test
  void observed_listingOlderThanTheLastAttempt_isIgnored_butNotOneBegunAtItsEnd() {
    PoolDriver pool = changed().writing("n4").after(1).written();
    var end = pool.now();

    pool.after(1).shows(pool("n4"), end.minusNanos(1)).out("").is("Idle");
    pool.shows(pool("n4"), end).is("Gathering");
  }

  @Test
  void observed_whileAnythingIsQueuedOrInFlight_changesNothing() {
    PoolDriver gathering = changed();
    PoolDriver waiting = changed().timer();
    PoolDriver reading = changed().reading();
    PoolDriver writing = changed().writing("n4");

    Stream.of(gathering, waiting, reading, writing)
        .forEach(
            pool -> {
              var before = pool.status();
              pool.shows("n4 n9")
                  .out("")
                  .is(
                      before.state().toString(),
                      before.activity().retries().toArray(Integer[]::new));
            });
    assertThat(writing.written().is("Idle").status().members().inPool())
        .isEqualTo(pool("n5").addresses());
    reading.read("n4").out("put -4 +n5");
  }

  @Test
  void observed_noServiceYet_changesNothing() {
    new PoolDriver(LIMITS).shows("n4").out("").is("Idle").rests();
  }

  @Test
  void read_poolIsUpdating_givesThePermitBackAndLooksAgainInASecond() {
    PoolDriver pool = changed().reading().read(updating("n4")).out("return OTHER_WRITER").wakes(1);

    pool.timer().out("permit UPDATE").granted().read("n4").out("put -4 +n5");
    pool.written().out("return SUCCEEDED; web updated; count updated; verification");
  }

  @Test
  void read_poolIsUpdating_goesOnWithAChangeThatCameMeanwhile() {
    PoolDriver pool = changed().reading().api("n6").read(updating("n4"));

    pool.writing("n4").written();
    pool.out("return SUCCEEDED; web updated; api updated; count updated; verification");
  }

  @Test
  void read_poolIsUpdatingDuringARepair_repairsAfterwards() {
    PoolDriver pool = drifted().reading().read(updating("n4 stale=9"));

    pool.release(API).is("Gathering").timer().out("permit REPAIR").granted();
    pool.read("n4 stale=9").out("put -9");
  }

  @Test
  void timer_ofAFailedPool_keepsItsPlaceWhenAnotherServiceGoes() {
    PoolDriver pool = settled("n4").api("n5").reading().failed(403);

    pool.timer().out("permit REPAIR").release(API).out("").is("Waiting");
  }

  @Test
  void look_afterAFailure_isNotAskedFor() {
    changed().writing("n4").failed(403).lacks("verification");
  }
}
