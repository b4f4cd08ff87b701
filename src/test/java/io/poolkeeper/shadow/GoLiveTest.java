package io.poolkeeper.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.ops.Statuses;
import io.poolkeeper.pool.WouldWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a comparison is enough. */
class GoLiveTest {
  private static final Instant T0 = Instant.parse("2026-11-25T10:00:00Z");
  private static final Address ONE = Address.of("10.0.0.1");
  private static final PoolEdit ADD = PoolEdit.of(Set.of(), Map.of(ONE, "n1"));

  private ShadowComparison comparison = ShadowComparison.begin(T0);

  private GoLiveTest shown(PoolEdit edit, int second, Address... inPool) {
    WouldWrite would = new WouldWrite(edit, false);
    comparison =
        comparison.shown(Statuses.shadowed("lb", would, Set.of(inPool)), T0.plusSeconds(second));
    return this;
  }

  private GoLive after(Duration time) {
    return GoLive.of(comparison, Optional.empty(), T0.plus(time));
  }

  @Test
  void nothingWasDecided_isNotReady() {
    assertThat(after(Duration.ofDays(9)).ready()).isFalse();
  }

  @Test
  void allWasSuperseded_isNotReady() {
    shown(ADD, 0).shown(PoolEdit.NONE, 5);

    assertThat(after(Duration.ofHours(1)).text()).isEqualTo("Not yet: no decision was met so far.");
  }

  @Test
  void oneWasMet_isReady() {
    shown(ADD, 0).shown(PoolEdit.NONE, 15, ONE);

    assertThat(after(Duration.ofSeconds(16)))
        .returns(true, GoLive::ready)
        .returns("Ready to go live: 1 decision was met, and none was not.", GoLive::text);
  }

  @Test
  void poolsCannotBeCompared_isNotReady() {
    shown(ADD, 0).shown(PoolEdit.NONE, 15, ONE);

    assertThat(GoLive.of(comparison, Optional.of("Azure does not answer."), T0.plusSeconds(16)))
        .returns(false, GoLive::ready)
        .returns("Not yet: not all can be compared. Azure does not answer.", GoLive::text);
  }

  @Test
  void oneIsOpen_isReadyForAMinute_andNotAfterwards() {
    shown(ADD, 0).shown(PoolEdit.NONE, 15, ONE).shown(ADD, 20);

    assertThat(after(Duration.ofSeconds(80)).ready()).isTrue();
    assertThat(after(Duration.ofSeconds(81)).text())
        .isEqualTo("Not yet: 1 decision is open for more than a minute.");
  }

  @Test
  void oneWasNotMet_isNotReady_whateverBecomesOfIt() {
    shown(ADD, 0).shown(PoolEdit.NONE, 15, ONE).shown(ADD, 20);
    String notMet = "Not yet: 1 decision was not met within 10 min.";

    assertThat(after(Duration.ofSeconds(620)).text()).isEqualTo(notMet);
    shown(PoolEdit.NONE, 700, ONE);
    assertThat(after(Duration.ofSeconds(701)).text()).isEqualTo(notMet);
  }
}
