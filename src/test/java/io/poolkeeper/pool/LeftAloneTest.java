package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.withoutNetwork;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A pool to which ARM would refuse an address, as nothing names a virtual network for it. */
class LeftAloneTest {
  private static final String WHY =
      "neither the pool, nor an entry, nor azure.vnet-id names a virtual network for an address:"
          + " set azure.vnet-id";

  /** A pool of these entries whose Service wants n4, as it was read. */
  private static PoolDriver read(String entries) {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS).shows(withoutNetwork(entries), T0);
    return pool.web("n4").reading().read(withoutNetwork(entries));
  }

  @Test
  void read_anAddressIsMissing_leavesThePoolAloneAndSaysWhyOnce() {
    PoolDriver pool = read("").out("alone: " + WHY + "; return UNCHANGED").is("Idle");
    assertThat(pool.status().why()).isEqualTo(WHY);

    pool.web("n5").reading().read(withoutNetwork("")).out("return UNCHANGED");
    pool.web("n6").writing("nic").out("alone: an entry has no ipAddress; return UNCHANGED");
  }

  @Test
  void read_anAddressIsTooMany_isRemoved_andTheReasonGivenIfOneIsMissing() {
    PoolDriver pool = read("n5").out("alone: " + WHY + "; put -5");
    pool.written().out("return SUCCEEDED; web updated; count updated; look");
    assertThat(pool.status().why()).isEqualTo(WHY);

    read("n4 n5").out("put -5");
  }

  @Test
  void observed_isReadAgainOnceSomebodyNamedANetwork() {
    PoolDriver pool = read("").after(60);
    pool.shows(withoutNetwork(""), pool.now()).is("Idle").rests();

    pool.after(60).shows("").wakes(0.1).writing("").out("put +n4").written();
    assertThat(pool.status().why()).isEmpty();
  }
}
