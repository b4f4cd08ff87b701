package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LOOK;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.countUpdated;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.unchanged;
import static io.poolkeeper.pool.PoolFixtures.withoutNetwork;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PoolView;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A pool to which ARM would refuse an address, as nothing names a virtual network for it. */
class LeftAloneTest {
  private static final String WHY =
      "neither the pool, nor an entry, nor azure.vnet-id names a virtual network for an address: set"
          + " azure.vnet-id";
  private static final PoolEffect ALONE = new PoolEffect.LeaveAlone(WHY);

  /** A pool that was listed so, and whose Service then wants these members. */
  private static PoolDriver wanted(PoolView listed, String... members) {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS);
    pool.send(new PoolEvent.Observed(listed, T0));
    pool.send(desire(WEB_1, members));
    return pool;
  }

  @Test
  void read_anAddressIsMissing_leavesThePoolAloneAndSaysWhyOnce() {
    PoolDriver pool = wanted(withoutNetwork(), "n4=10.0.0.4").toReading();

    assertThat(pool.send(PoolFixtures.read(withoutNetwork()))).containsExactly(ALONE, unchanged(1));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(PoolStatus.of(POOL, pool.state()).why()).isEqualTo(WHY);

    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();
    assertThat(pool.send(PoolFixtures.read(withoutNetwork()))).containsExactly(unchanged(2));
  }

  @Test
  void read_anAddressIsTooMany_isRemovedAndTheReasonGiven() {
    PoolDriver pool = wanted(withoutNetwork("n5=10.0.0.5"), "n4=10.0.0.4").toReading();

    assertThat(pool.send(PoolFixtures.read(withoutNetwork("n5=10.0.0.5"))))
        .containsExactly(ALONE, pool.write("-10.0.0.5"));
    assertThat(pool.written())
        .containsExactly(
            PoolFixtures.well(1), emitUpdated(WEB_1), countUpdated(Duration.ZERO), LOOK);
    assertThat(PoolStatus.of(POOL, pool.state()).why()).isEqualTo(WHY);
  }

  @Test
  void read_onlyRemovals_needNoNetwork() {
    PoolDriver pool = wanted(withoutNetwork("n4=10.0.0.4", "n5=10.0.0.5"), "n4=10.0.0.4");
    pool.toReading();

    assertThat(pool.send(PoolFixtures.read(withoutNetwork("n4=10.0.0.4", "n5=10.0.0.5"))))
        .containsExactly(pool.write("-10.0.0.5"));
  }

  @Test
  void observed_addressStillMissing_isNotReadAgain() {
    PoolDriver pool = wanted(withoutNetwork(), "n4=10.0.0.4").toReading();
    pool.send(PoolFixtures.read(withoutNetwork()));

    pool.after(Duration.ofMinutes(1)).send(new PoolEvent.Observed(withoutNetwork(), pool.now()));

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void observed_somebodyNamedANetwork_isRepaired() {
    PoolDriver pool = wanted(withoutNetwork(), "n4=10.0.0.4").toReading();
    pool.send(PoolFixtures.read(withoutNetwork()));

    pool.after(Duration.ofMinutes(1)).observed(pool.now());

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
    assertThat(pool.toWriting().effects()).containsExactly(pool.write("+n4=10.0.0.4"));
    pool.written();
    assertThat(PoolStatus.of(POOL, pool.state()).why()).isEmpty();
  }

  @Test
  void read_anotherReason_isSaidToo() {
    PoolDriver pool = wanted(withoutNetwork(), "n4=10.0.0.4").toReading();
    pool.send(PoolFixtures.read(withoutNetwork()));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.toReading().read("nic"))
        .containsExactly(new PoolEffect.LeaveAlone("an entry has no ipAddress"), unchanged(2));
  }
}
