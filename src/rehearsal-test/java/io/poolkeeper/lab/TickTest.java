package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TickTest {
  private static final long SECOND = 1_000_000_000;
  private static final PoolId POOL = new LoadBalancerId("s", "rg", "lb").pool("web");
  private static final Tick TICK = new Tick(2 * SECOND, Duration.ofSeconds(30));

  private static Change change(long second) {
    return new Change(second * SECOND, POOL, Set.of());
  }

  @Test
  void millisFrom_countsToTheNextTick() {
    assertThat(TICK.millisFrom(2 * SECOND)).isEqualTo(30_000);
    assertThat(TICK.millisFrom(31 * SECOND)).isEqualTo(1_000);
    assertThat(TICK.millisFrom(32 * SECOND)).isEqualTo(30_000);
  }

  @Test
  void at_saysWhatTheLastTickWouldHaveWritten() {
    List<Change> changes = List.of(change(5), change(32), change(33));

    assertThat(TICK.at(31 * SECOND, changes)).contains("written 0 of 3 changes, the rest in 1.0 s");
    assertThat(TICK.at(40 * SECOND, changes))
        .isEqualTo("a tick every 30 s would have written 2 of 3 changes, the rest in 22.0 s");
    assertThat(TICK.at(62 * SECOND, changes)).isEqualTo("a tick every 30 s would have written all");
  }
}
