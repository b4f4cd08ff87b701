package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nothing but a change defeats a refusal. */
class RefusedPoolTest {
  /** n5 is wanted where n4 is; ARM refuses that, right now for the first time. */
  private static PoolDriver refused() {
    return changed().reading().failed(403);
  }

  /** The same, and it has asked to wait until ten minutes after the beginning. */
  private static PoolDriver busy() {
    Optional<Instant> until = Optional.of(PoolFixtures.T0.plusSeconds(600));
    return changed()
        .reading()
        .failed(new ArmFailure(ArmFailure.Kind.RESPONSE, 503, "ServerBusy", "no", until));
  }

  /** A slice is touched each second; its own timer says 22.5 s after the first try, then 45 s. */
  @Test
  void touchedAllTheTime_isTriedOnceAMinute_besidesItsOwnTimer() {
    PoolDriver pool = refused();
    Instant begin = pool.now();
    List<Integer> tries = new ArrayList<>();

    for (int second = 1; second <= 300; second++) {
      pool.at(begin.plusSeconds(second)).web("n5").tick();
      if (pool.texts().contains("permit REPAIR")) {
        tries.add(second);
        pool.granted().failed(403);
      }
    }

    assertThat(tries).containsExactly(2, 25, 62, 122, 182, 242);
  }

  @Test
  void touchedTwiceInAMinute_waitsForTheRestOfTheMinute() {
    PoolDriver pool = refused().web("n5").wakes(2);
    for (int failures = 0; failures < 4; failures++) {
      pool.reading().failed(403);
    }
    pool.wakes(180);

    pool.after(2).web("n5").wakes(0).reading().failed(403).after(1).web("n5").wakes(59);
  }

  @Test
  void touched_beforeARetryAfter_waitsForIt_butAChangeDoesNot() {
    busy().web("n5").wakes(599.9);
    busy().web("n6").wakes(2);
  }

  @Test
  void changedSet_isFreshWork_asOftenAsItChanges() {
    PoolDriver pool = refused().web("n6").is("Gathering", 0).wakes(2).reading().failed(403);

    pool.web("n5").is("Gathering", 0).wakes(4);
  }
}
