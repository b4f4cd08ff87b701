package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.READ;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.addresses;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.granted;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.members;
import static io.poolkeeper.pool.PoolFixtures.unchanged;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The deletion of a binding is held by no check: what only that binding has added goes although
 * members of the pool are held for another one, and nothing else is written with it.
 */
class EndingBindingTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final PoolEvent HELD = new PoolEvent.Bind(1, PoolFixtures.HELD);
  private static final PoolEvent ADMITTED = new PoolEvent.Bind(2, Terms.NONE);
  private static final PoolEffect UPDATE = new PoolEffect.RequestTurn(Priority.of(Lane.UPDATE));

  /** Of web, which has added n4; of api, which has added n5 and is to add n6. */
  static final Level WEB = bound(addresses("10.0.0.4"), "n4=10.0.0.4");

  static final Level WEB_ENDS =
      new Level.Exactly(
          members(),
          Optional.empty(),
          Optional.of(new Bound(true, addresses("10.0.0.4"), Set.of())));
  static final Level API = bound(addresses("10.0.0.5", "10.0.0.6"), "n5=10.0.0.5");
  static final Level API_MOVES = bound(addresses("10.0.0.5", "10.0.0.6"), "n6=10.0.0.6");

  private static Level bound(Set<Address> added, String... members) {
    return new Level.Exactly(
        members(members), Optional.empty(), Optional.of(new Bound(true, added)));
  }

  private static PoolEvent desire(Assignment of, Level level) {
    return new PoolEvent.Desire(of, level);
  }

  /** A pool as both desire, and somebody else's n9; then api moves, and that is held. */
  private static PoolDriver held() {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS);
    pool.observed(pool.now(), "n4=10.0.0.4", "n5=10.0.0.5", "n9=10.0.0.9");
    pool.send(desire(WEB_1, WEB));
    pool.send(desire(API_2, API));
    pool.after(HOUR).send(HELD);
    pool.send(desire(API_2, API_MOVES));
    assertThat(pool.state().wakeAt()).isEmpty();
    return pool;
  }

  private static PoolDriver ending() {
    PoolDriver pool = held();
    pool.send(desire(WEB_1, WEB_ENDS));
    return pool;
  }

  @Test
  void ending_besideAHeldOne_removesWhatItAddedAndNothingElse() {
    PoolDriver pool = ending();

    assertThat(pool.fire()).containsExactly(UPDATE);
    assertThat(pool.send(granted(1))).containsExactly(READ);
    assertThat(pool.read("n4=10.0.0.4", "n5=10.0.0.5", "n9=10.0.0.9"))
        .contains(pool.write("-10.0.0.4"));
    assertThat(pool.written()).contains(emitUpdated(WEB_1)).doesNotContain(emitUpdated(API_2));

    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(PoolStatus.of(POOL, pool.state()).held()).isTrue();
  }

  @Test
  void change_thatWasHeldBesideIt_goesWhenAdmitted_withoutAnyRetrySpent() {
    PoolDriver pool = ending().toWriting("n4=10.0.0.4", "n5=10.0.0.5");
    pool.written();
    assertThat(pool.retries()).containsExactly(0, 0);
    pool.send(new PoolEvent.Release(WEB_1.service()));

    pool.after(HOUR).send(ADMITTED);

    pool.toWriting("n5=10.0.0.5");
    assertThat(pool.phase())
        .isInstanceOfSatisfying(
            Phase.Writing.class,
            writing -> {
              assertThat(writing.edit().remove()).isEqualTo(addresses("10.0.0.5"));
              assertThat(writing.edit().add()).containsOnlyKeys(addresses("10.0.0.6"));
            });
    assertThat(pool.written()).contains(emitUpdated(API_2));
  }

  @Test
  void ending_ofWhatAnotherHasRecordedOrDesires_removesNothing() {
    Set<Address> n4 = addresses("10.0.0.4");
    for (Level other : List.of(bound(n4), bound(Set.of(), "n4=10.0.0.4"))) {
      PoolDriver pool = held();
      pool.send(desire(API_2, other));

      pool.send(desire(WEB_1, WEB_ENDS));

      assertThat(pool.state().wakeAt()).isEmpty();
    }
  }

  @Test
  void endingThatFails_isTriedAgainAsARepairIs_forAsLongAsItTakes() {
    PoolDriver pool = ending().toReading();
    for (int seconds : new int[] {15, 30, 60, 120, 240, 300, 300}) {
      pool.failed(CONFLICT);

      // Equal jitter in the middle: three quarters.
      Instant due = pool.now().plusMillis(750L * seconds);
      assertThat(pool.phase()).isEqualTo(new Phase.Failed(due));
      assertThat(pool.state().wakeAt()).contains(due);
      pool.toReading();
    }
    assertThat(pool.retries()).containsExactly(0, 0);
    pool.read("n4=10.0.0.4", "n5=10.0.0.5");
    pool.written();
    assertThat(PoolStatus.of(POOL, pool.state()).lastError()).isEmpty();
  }

  @Test
  void endingThatFailed_whenAdmitted_gathersWithTheRest() {
    PoolDriver pool = ending().toReading();
    pool.failed(CONFLICT);

    pool.after(Duration.ofSeconds(1)).send(ADMITTED);

    assertThat(pool.phase()).isInstanceOf(Phase.Gathering.class);
  }

  @Test
  void hold_duringTheReadOfBoth_putsBothBack_andRemovesWhatEnds() {
    PoolDriver pool = ending();
    pool.send(ADMITTED);
    pool.toReading();
    pool.send(HELD);

    assertThat(pool.read("n4=10.0.0.4", "n5=10.0.0.5")).containsExactly(unchanged(1));

    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5");
    assertThat(pool.effects()).contains(pool.write("-10.0.0.4"));
  }

  @Test
  void ending_whileAWatchIsLost_waits() {
    PoolDriver pool = held();
    pool.send(new PoolEvent.WatchLost(9));

    pool.send(desire(WEB_1, WEB_ENDS));

    assertThat(pool.state().wakeAt()).isEmpty();
    pool.send(new PoolEvent.WatchesLive());
    assertThat(pool.state().wakeAt()).isPresent();
  }

  @Test
  void ending_whileDrainsAreHeldToo_setsNoStates() {
    PoolDriver pool = held();
    pool.send(new PoolEvent.Bind(1, PoolFixtures.DRAINS_HELD));
    pool.send(new PoolEvent.NodesOutOfService(leaving(1, "n5"), pool.now()));
    pool.send(desire(WEB_1, WEB_ENDS));

    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5");

    assertThat(pool.effects()).contains(pool.write("-10.0.0.4"));
  }
}
