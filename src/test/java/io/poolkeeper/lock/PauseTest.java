package io.poolkeeper.lock;

import static io.poolkeeper.lock.LockDriver.LIMITS;
import static io.poolkeeper.lock.LockDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gaps between sessions of at most 5 s, with a yield of 1 s. */
class PauseTest {
  private static Pause after(Pause pause, long sessionMillis) {
    return pause.after(Duration.ofMillis(sessionMillis), LIMITS, T0);
  }

  @ParameterizedTest
  @CsvSource({"0, 50", "12, 50", "13, 52", "100, 400", "250, 1000", "4999, 1000", "5000, 1000"})
  void after_oneSession_fourTimesItsLengthWithinBounds(long session, long pause) {
    Pause after = after(Pause.NONE, session);

    assertThat(after.until(false)).isEqualTo(T0.plusMillis(pause));
    assertThat(after.until(true)).isEqualTo(T0.plusMillis(pause));
  }

  @Test
  void after_fullSessionsInARow_doublesFromYieldToMaxHold_butNotForDrains() {
    Pause pause = Pause.NONE;
    for (long millis : new long[] {1_000, 2_000, 4_000, 5_000, 5_000}) {
      pause = after(pause, 5_001);
      assertThat(pause.until(false)).isEqualTo(T0.plusMillis(millis));
      assertThat(pause.until(true)).isEqualTo(T0.plusSeconds(1));
    }

    pause = after(pause, 4_999);

    assertThat(pause.until(false)).isEqualTo(T0.plusSeconds(1));
    assertThat(after(pause, 5_000).until(false)).isEqualTo(T0.plusSeconds(1));
  }

  @Test
  void none_isOverAtOnce() {
    assertThat(Pause.NONE.until(false)).isBefore(T0);
  }
}
