package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingsWorld.addresses;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.pool.PoolStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a binding has added, as far as it must be recorded. */
class AddedRecordTest {
  private static final Set<Address> NONE = Set.of();
  private static final Set<Address> N4 = addresses("10.0.0.4");

  private static PoolStatus pool(String state, Set<Address> desired, Set<Address> inPool) {
    return new PoolStatus(
        BindingsWorld.POOL,
        Map.of(),
        state,
        "",
        Optional.empty(),
        0,
        List.of(),
        desired,
        inPool,
        NONE,
        0,
        0,
        new TreeMap<>(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        1);
  }

  /** A record of n4, of which the pool has heard this much. */
  private static AddedRecord n4(Set<Address> asked, PoolStatus shown) {
    return new AddedRecord(
        N4, NONE, NONE, asked, shown.desired(), shown.desired(), Optional.of(shown), false);
  }

  /** The pool may have been given it since it said that it is at rest without it. */
  @Test
  void addressThatIsGone_staysRecorded_untilThePoolHasHeardThatItIs() {
    PoolStatus without = pool("Idle", NONE, NONE);

    assertThat(n4(N4, without).usable()).isEmpty();
    assertThat(n4(N4, without).next(true)).isEqualTo(N4);
    assertThat(n4(NONE, without).next(true)).isEmpty();
  }

  @Test
  void addressThatIsDesiredAgain_isUsableAgain() {
    assertThat(n4(NONE, pool("Idle", N4, NONE)).usable()).isEqualTo(N4);
    assertThat(n4(NONE, pool("Idle", N4, NONE)).next(true)).isEqualTo(N4);
  }

  @Test
  void addressInThePool_orAWriteUnderWay_keepsTheRecord() {
    assertThat(n4(NONE, pool("Idle", NONE, N4)).next(true)).isEqualTo(N4);
    assertThat(n4(NONE, pool("Writing", NONE, NONE)).next(true)).isEqualTo(N4);
    assertThat(n4(N4, pool("Writing", NONE, NONE)).usable()).isEqualTo(N4);
  }

  @Test
  void desiredAddress_isRecordedUnlessSomebodyElsePutItThere() {
    PoolStatus there = pool("Idle", N4, N4);

    assertThat(record(NONE, there).next(true)).isEmpty();
    assertThat(record(N4, there).next(true)).as("another binding has").isEqualTo(N4);
    assertThat(record(NONE, pool("Idle", N4, NONE)).next(true)).isEqualTo(N4);
    assertThat(record(NONE, pool("Idle", N4, NONE)).next(false)).isEmpty();
  }

  @Test
  void addressThatOnlyAnotherServiceDesires_isNotRecorded() {
    PoolStatus desired = pool("Idle", N4, NONE);

    assertThat(
            new AddedRecord(NONE, N4, N4, NONE, N4, NONE, Optional.of(desired), false).next(true))
        .isEmpty();
  }

  @Test
  void heldPool_isAtRest() {
    assertThat(n4(NONE, pool("Held", NONE, NONE)).next(true)).isEmpty();
    assertThat(n4(NONE, pool("Held", NONE, NONE)).cleaned()).isTrue();
    assertThat(n4(NONE, pool("Held", NONE, N4)).cleaned()).isFalse();
    assertThat(n4(NONE, pool("Gathering", NONE, NONE)).cleaned()).isFalse();
  }

  private static AddedRecord record(Set<Address> others, PoolStatus shown) {
    return new AddedRecord(
        NONE, others, NONE, NONE, shown.desired(), shown.desired(), Optional.of(shown), false);
  }
}
