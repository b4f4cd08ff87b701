package io.poolkeeper.lock;

import static io.poolkeeper.lock.LockDriver.DRAIN;
import static io.poolkeeper.lock.LockDriver.T0;
import static io.poolkeeper.lock.LockDriver.UPDATE;
import static io.poolkeeper.lock.LockDriver.WEB;
import static io.poolkeeper.lock.LockDriver.free;
import static io.poolkeeper.lock.LockDriver.holder;
import static io.poolkeeper.lock.LockDriver.leader;
import static io.poolkeeper.lock.LockDriver.ours;
import static io.poolkeeper.lock.LockDriver.theirs;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For how long the Lease is not taken: its calls fail, or the cloud provider waits for it. */
class SharedLockWaitsTest {
  @ParameterizedTest
  @CsvSource({"0, 50", "0.5, 75", "0.999, 99"})
  void fails_isReadAfterTheBackoff(double random, long millis) {
    LockDriver lock = leader(random).wants(UPDATE).fails().came("take 10").isAwaySince(0);

    lock.millis(millis).timer().came(random > 0.9 ? "" : "read");
    lock.millis(1).timer().came(random > 0.9 ? "read" : "");
  }

  @Test
  void fails_againAndAgain_backoffDoublesToTenSeconds() {
    LockDriver lock = leader().wants(UPDATE).fails().came("take 10");
    for (long wait : new long[] {50, 100, 200, 400, 800, 1_600, 3_200}) {
      lock.wakes(wait).came("read").fails();
    }
    lock.came("unreachable away").wakes(5_000).fails().wakes(5_000).is(free(20));
    lock.isAwaySince(0).came("read, read, take 20").is(ours(21)).came("taken-16350");

    lock.ends(1).conflict().came("give 21, read");
  }

  @Test
  void fails_forFiveSeconds_isToldOnce() {
    LockDriver lock = leader().wants(UPDATE).fails().millis(4_999).timer().fails();
    lock.came("take 10, read").millis(6_000).timer().fails().came("read, unreachable away");

    lock.millis(6_000).timer().fails().came("read");
  }

  @Test
  void fails_toTakeWhatCanBeRead_backsOffAsIfItCouldNot() {
    LockDriver lock = leader().wants(UPDATE).fails().came("take 10");
    for (long wait : new long[] {50, 100, 200, 400}) {
      lock.wakes(wait).is(free(10)).came("read, take 10").fails().isAwaySince(0);
    }
  }

  /** Else each change would wait for the next failure, and then as long as the first one. */
  @Test
  void fails_nobodyWantsItAnyMore_isForgottenOnlyWhenItCouldBeTaken() {
    LockDriver lock = leader().wants(UPDATE).fails().wants(LeaseDemand.NONE);

    lock.wakes(50).is(free(10)).came("take 10, read, take 10").isAwaySince(0);

    lock.is(ours(11)).ends(1).is(free(12)).isFree().rests();
  }

  @Test
  void fails_whileSomebodyElseHasIt_saysUntilWhen_asFarAsTheWatchShows() {
    LockDriver lock = leader().sees(theirs(11)).wants(UPDATE).wakes(5_000).fails();
    lock.stands(
        new LeaseStanding.Unreachable("away", T0.plusSeconds(5), Optional.of(T0.plusSeconds(900))));

    lock.sees(free(12)).wakes(50).fails().isAwaySince(5);
  }

  @Test
  void conflicts_inARow_backOff() {
    LockDriver lock = leader().wants(UPDATE).conflict().is(free(11));
    lock.came("take 10, read, take 11").conflict().wakes(50).is(free(12));

    lock.came("read, take 12").conflict().wakes(100).came("read");
  }

  @Test
  void complained_membersWaitUntilTwoSecondsAfterTheNextTry_drainsDoNot() {
    leader().complained(0).wants(UPDATE).came("").wakes(7_000).came("take 10");

    LockDriver lock = leader().complained(0).wants(UPDATE).wants(DRAIN).came("take 10");
    lock.is(ours(11)).isHeldFor(0);
  }

  @Test
  void complained_whileHeld_membersAreGrantedNothingMoreUntilItsEnd() {
    holder().millis(2_000).complained(0).isHeldFor(2_000);

    holder().millis(1_000).complained(5).isHeldFor(1_000).wakes(2_000).isHeldFor(5_000);
  }

  @Test
  void complained_thenServed_isForgotten() {
    LockDriver lock = leader().complained(0).wants(UPDATE).came("");

    lock.send(new SharedLockEvent.Served(WEB)).came("take 10");
  }
}
