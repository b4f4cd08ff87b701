package io.poolkeeper.lock;

import static io.poolkeeper.lock.LockDriver.DRAIN;
import static io.poolkeeper.lock.LockDriver.T0;
import static io.poolkeeper.lock.LockDriver.UPDATE;
import static io.poolkeeper.lock.LockDriver.free;
import static io.poolkeeper.lock.LockDriver.holder;
import static io.poolkeeper.lock.LockDriver.leader;
import static io.poolkeeper.lock.LockDriver.ours;
import static io.poolkeeper.lock.LockDriver.session;
import static io.poolkeeper.lock.LockDriver.theirs;
import static io.poolkeeper.lock.LockDriver.unreachable;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.SharedLockEffect.Read;
import io.poolkeeper.lock.SharedLockEffect.Take;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For how long the Lease is not taken: its calls fail, or the cloud provider waits for it. */
class SharedLockWaitsTest {
  @ParameterizedTest
  @CsvSource({"0, 50", "0.5, 75", "0.999, 99"})
  void fails_isReadAfterTheBackoff(double random, long millis) {
    LockDriver lock = leader(random).wants(UPDATE).fails();
    assertThat(lock.standing()).isEqualTo(unreachable("away", T0));
    assertThat(lock.effects()).isEmpty();

    lock.millis(millis).send(new SharedLockEvent.TimerDue());
    assertThat(lock.effects().isEmpty()).isEqualTo(random > 0.9);
    lock.millis(1).send(new SharedLockEvent.TimerDue());

    assertThat(lock.state().phase()).isEqualTo(new LockPhase.Reading());
  }

  @Test
  void fails_againAndAgain_backoffDoublesToTenSeconds() {
    LockDriver lock = leader().wants(UPDATE).fails();
    for (long wait : new long[] {50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000}) {
      lock.wakes(wait);
      assertThat(lock.effects()).containsExactly(new Read());
      lock.fails();
    }
    lock.wakes(5_000).is(free(20));
    assertThat(lock.standing()).as("it was read only").isEqualTo(unreachable("away", T0));

    lock.is(ours(21));

    assertThat(lock.standing()).isInstanceOf(LeaseStanding.Held.class);
    assertThat(lock.state().failures()).isZero();
  }

  @Test
  void fails_forFiveSeconds_isToldOnce() {
    LockDriver lock = leader().wants(UPDATE).fails();
    int told = 0;
    for (int i = 0; i < 10; i++) {
      lock.millis(1_000).after(Duration.ofSeconds(5)).send(new SharedLockEvent.TimerDue()).fails();
      told += lock.effects().contains(new SharedLockEffect.Unreachable("away")) ? 1 : 0;
    }

    assertThat(told).isEqualTo(1);
  }

  @Test
  void fails_toTakeWhatCanBeRead_backsOffAsIfItCouldNot() {
    LockDriver lock = leader().wants(UPDATE).fails();
    for (long wait : new long[] {50, 100, 200, 400}) {
      lock.wakes(wait).is(free(10));
      assertThat(lock.effects()).containsExactly(new Take(free(10)));
      lock.fails();
      assertThat(lock.standing()).isEqualTo(unreachable("away", T0));
    }
  }

  /** Else each change would wait for the next failure, and then as long as the first one. */
  @Test
  void fails_nobodyWantsItAnyMore_isForgottenOnlyWhenItCouldBeTaken() {
    LockDriver lock = leader().wants(UPDATE).fails().wants(LeaseDemand.NONE);

    lock.wakes(50).is(free(10));
    assertThat(lock.effects()).containsExactly(new Take(free(10)));
    assertThat(lock.standing()).as("it was read only").isEqualTo(unreachable("away", T0));

    lock.is(ours(11)).ends(1).is(free(12));
    assertThat(lock.standing()).isEqualTo(new LeaseStanding.Free());
    assertThat(lock.wakeAt()).isEmpty();
  }

  @Test
  void fails_whileSomebodyElseHasIt_saysUntilWhen() {
    LockDriver lock = leader().sees(theirs(11)).wants(UPDATE).wakes(5_000).fails();

    assertThat(lock.standing())
        .isEqualTo(
            new LeaseStanding.Unreachable(
                "away", T0.plusSeconds(5), Optional.of(T0.plusSeconds(900))));
  }

  @Test
  void fails_theWatchShowsThatSomebodyElseHasGivenItBack_isBusyNoLonger() {
    LockDriver lock = leader().sees(theirs(11)).wants(UPDATE).wakes(5_000).fails();

    lock.sees(free(12)).wakes(50).fails();

    assertThat(lock.standing()).isEqualTo(unreachable("away", T0.plusSeconds(5)));
  }

  @Test
  void conflicts_inARow_backOff() {
    LockDriver lock = leader().wants(UPDATE).conflict();
    assertThat(lock.is(free(11)).effects()).containsExactly(new Take(free(11)));

    lock.conflict().wakes(50).is(free(12)).conflict().wakes(100);

    assertThat(lock.effects()).containsExactly(new Read());
  }

  @Test
  void complained_membersWaitUntilTwoSecondsAfterTheNextTry_drainsDoNot() {
    LockDriver lock = leader().complains("web").wants(UPDATE);
    assertThat(lock.effects()).isEmpty();
    assertThat(lock.wakeAt()).contains(T0.plusSeconds(7));

    assertThat(lock.wants(DRAIN).effects()).containsExactly(new Take(free(10)));
    lock.is(ours(11));
    assertThat(lock.standing())
        .isEqualTo(new LeaseStanding.Held(1, T0, T0.plusSeconds(5), T0.plusSeconds(15)));
  }

  @Test
  void complained_whileHeld_membersAreGrantedNothingMore() {
    LockDriver lock = holder().millis(2_000).complains("web");

    assertThat(lock.standing())
        .isEqualTo(
            new LeaseStanding.Held(1, T0.plusSeconds(2), T0.plusSeconds(5), T0.plusSeconds(15)));
  }

  @Test
  void complained_windowEndsWhileHeld_membersAreGrantedAgain() {
    LockDriver lock = holder().millis(1_000);

    lock.send(new SharedLockEvent.Complained(new ServiceKey("default", "web"), T0.minusSeconds(4)));
    assertThat(lock.standing())
        .isEqualTo(
            new LeaseStanding.Held(1, T0.plusSeconds(1), T0.plusSeconds(5), T0.plusSeconds(15)));

    lock.wakes(2_000);
    assertThat(lock.standing()).isEqualTo(session(1, T0));
  }

  @Test
  void complained_thenServed_isForgotten() {
    LockDriver lock = leader().complains("web").wants(UPDATE);

    lock.send(new SharedLockEvent.Served(new ServiceKey("default", "web")));

    assertThat(lock.effects()).containsExactly(new Take(free(10)));
  }
}
