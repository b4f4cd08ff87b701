package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.T0;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  private static final PoolId ONE = webPoolId("lb-1");
  private static final PoolId TWO = webPoolId("lb-2");

  @Test
  void due_eachPool_hearsOnceAndOneAfterTheOther() {
    Recovery round = Recovery.NONE.signed().begin(List.of(ONE, TWO), T0);

    assertThat(round.due(T0)).containsExactly(ONE);
    assertThat(round.heard(1).due(T0.plusMillis(19))).isEmpty();
    assertThat(round.heard(1).wakeAt()).contains(T0.plusMillis(20));
    assertThat(round.heard(1).due(T0.plusMillis(20))).containsExactly(TWO);
    assertThat(round.due(T0.plusMillis(20))).containsExactly(ONE, TWO);
    assertThat(round.heard(2).due(T0.plusSeconds(60))).isEmpty();
    assertThat(round.heard(2).wakeAt()).isEmpty();
  }

  @Test
  void begins_afterARecoveryDuringARound_fiveSecondsAfterIt() {
    Recovery round = Recovery.NONE.signed().begin(List.of(ONE), T0).heard(1);
    assertThat(round.begins(T0.plusSeconds(60))).isFalse();

    Recovery again = round.signed().signed();

    assertThat(again.begins(T0.plusMillis(4_999))).isFalse();
    assertThat(again.wakeAt()).contains(T0.plusSeconds(5));
    assertThat(again.begins(T0.plusSeconds(5))).isTrue();
  }

  @Test
  void begins_longRound_isNotInterrupted() {
    Instant end = T0.plusMillis(20 * 1_000);
    Recovery round = Recovery.NONE.signed().begin(Collections.nCopies(1_000, ONE), T0).signed();

    assertThat(round.begins(end.minusMillis(1))).isFalse();
    assertThat(round.begins(end)).isTrue();
  }

  @Test
  void begin_nobodyHasFailed_leavesTheNextSignItsRound() {
    Recovery none = Recovery.NONE.signed().begin(List.of(), T0);

    assertThat(none.signed().begins(T0)).isTrue();
    assertThat(none.wakeAt()).isEmpty();
  }
}
