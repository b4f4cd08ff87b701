package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which sessions and pauses may be asked for. */
class LockLimitsTest {
  @ParameterizedTest
  @CsvSource({"100, 50", "60000, 50", "60000, 60000"})
  void limits_atTheirBounds_areTaken(long maxHold, long yield) {
    assertThat(limits(maxHold, yield).maxHold()).hasMillis(maxHold);
  }

  @ParameterizedTest
  @CsvSource({"99, 50", "5000, 49", "999, 1000", "60001, 1000"})
  void limits_beyondTheirBounds_areRefused(long maxHold, long yield) {
    assertThatThrownBy(() -> limits(maxHold, yield))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(" must be ");
  }

  @Test
  void limits_tailThatOutlastsTheSession_isRefused() {
    assertThat(limits(5_000, 10_000, 200).maxTail()).hasSeconds(10);
    assertThatThrownBy(() -> limits(5_000, 10_001, 200))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limits(5_000, 99, 200)).hasMessageContaining("max tail must be ");
  }

  private static LockLimits limits(long maxHold, long yield) {
    return limits(maxHold, 5_000, yield);
  }

  private static LockLimits limits(long maxHold, long maxTail, long yield) {
    return new LockLimits(
        Duration.ofMillis(maxHold), Duration.ofMillis(maxTail), Duration.ofMillis(yield));
  }
}
