package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;

import io.poolkeeper.model.ArmFailure;
import org.junit.jupiter.api.Test;

/** The deadline of a permit is earlier: the shared Lease was lost. */
class RecallTest {
  private static PoolDriver recalled(PoolDriver pool) {
    return pool.send(PoolFixtures.recalled(1, pool.now())).out("");
  }

  @Test
  void recalled_reading_givesThePermitBackWithoutAWrite_andSpendsNoRetry() {
    recalled(changed().reading()).read("n4").out("return UNCHANGED").is("Gathering", 0);
  }

  /** A recall that has crossed the return of the permit is of another one by now. */
  @Test
  void recalled_readingForADrain_asksAgainAtOnce_asForTheFirstTime() {
    PoolDriver pool = recalled(PoolDriver.settled("n4 n5").after(60).leave("n4").granted());

    pool.read("n4 n5").has("return UNCHANGED", "permit DRAIN 1/2");
    recalled(pool).is("Waiting").granted().has("read").read("n4 n5").has("put n4/Down");
  }

  @Test
  void recalled_ofAnotherPermit_readsOn() {
    PoolDriver pool = changed().reading();

    pool.send(PoolFixtures.recalled(7, pool.now())).read("n4").out("put -4 +n5");
  }

  @Test
  void recalled_writing_goesOn() {
    recalled(changed().writing("n4")).is("Writing").written().has("return SUCCEEDED");
  }

  @Test
  void withheld_writing_givesThePermitBackWithoutAWrite_andSpendsNoRetry() {
    PoolDriver pool = changed().writing("n4");

    pool.failed(new ArmFailure(ArmFailure.Kind.WITHHELD, 0, "", "the Lease went back"));

    pool.out("return UNCHANGED").is("Gathering", 0);
  }

  /** The session of the Lease has ended before the PUT was sent. */
  @Test
  void withheld_writingForADrain_asksAgainAtOnce_andHasNotFailed() {
    PoolDriver pool = PoolDriver.settled("n4 n5").after(60).leave("n4").granted().read("n4 n5");

    pool.failed(new ArmFailure(ArmFailure.Kind.WITHHELD, 0, "", "the Lease went back"));

    pool.has("return UNCHANGED", "permit DRAIN 1/2").lacks("drain failed", "report");
  }
}
