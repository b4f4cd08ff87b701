package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.withoutNetwork;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A pool that ARM would not let us change: of interfaces, or without a virtual network. */
class LeftAloneTest {
  private static final String WHY =
      "neither the pool, nor an entry, nor azure.vnet-id names a virtual network for an address:"
          + " set azure.vnet-id";
  private static final String INTERFACES =
      "a member is a network interface (an entry without ipAddress)";

  private static PoolDriver shown(String entries) {
    return new PoolDriver(PoolFixtures.LIMITS).shows(withoutNetwork(entries), T0);
  }

  /** A pool of these entries whose Service wants n4, as it was read. */
  private static PoolDriver read(String entries) {
    return shown(entries).web("n4").reading().read(withoutNetwork(entries));
  }

  @Test
  void observed_anAddressIsMissing_leavesThePoolAloneAndSaysWhyOnce() {
    PoolDriver pool = shown("").web("n4").out("alone: " + WHY).reading();
    pool.read(withoutNetwork("")).out("return UNCHANGED").is("Idle");
    assertThat(pool.status().activity().why()).isEqualTo(WHY);

    pool.web("n5").reading().read(withoutNetwork("")).out("return UNCHANGED");
    pool.web("n6").writing("nic").out("return UNCHANGED; alone: " + INTERFACES);
  }

  @Test
  void read_anAddressIsTooMany_isRemoved_andTheReasonGivenIfOneIsMissing() {
    PoolDriver pool = read("n5").out("put -5");
    pool.written().out("return SUCCEEDED; web updated; count updated; verification");
    assertThat(pool.status().activity().why()).isEqualTo(WHY);

    read("n4 n5").out("put -5");
  }

  /** cloud-provider-azure#7432: a row of docs/operations/reports.md. */
  @Test
  void reported4_poolOfInterfaces_isLeftAloneFromTheFirstListingOn() {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS).shows("nic").out("");

    pool.web("n4").out("alone: " + INTERFACES).is("Idle").rests();
    assertThat(pool.status().activity().why()).isEqualTo(INTERFACES);

    pool.web("n4 n5").out("").is("Idle").rests();
  }

  @Test
  void reported4_poolOfInterfacesOfNoService_isNoneOfOursToName() {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS).shows("nic").out("").is("Idle");

    assertThat(pool.status().activity().why()).isEmpty();
  }

  @Test
  void poolWithoutANetwork_thatGetsNetworkAndNodeFromAnother_isLeftAloneNoMore() {
    PoolDriver pool = read("").after(60).send(WatchLossTest.LOST);
    assertThat(pool.status().picture().leftAlone()).contains(WHY);

    pool.shows("n4");

    assertThat(pool.status().picture().leftAlone()).isEmpty();
  }

  @Test
  void poolOfInterfaces_becomesOneOfAddresses_isWritten() {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS).shows("nic").web("n4").rests();

    pool.after(60).shows("n5").wakes(0.1).writing("n5").out("put -5 +n4");
    assertThat(pool.status().activity().why()).isEmpty();
  }

  @Test
  void observed_isReadAgainOnceSomebodyNamedANetwork() {
    PoolDriver pool = read("").after(60);
    pool.shows(withoutNetwork(""), pool.now()).is("Idle").rests();

    pool.after(60).shows("").wakes(0.1).writing("").out("put +n4").written();
    assertThat(pool.status().activity().why()).isEmpty();
  }
}
