package io.poolkeeper.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Delays that double, half of each certain. */
class BackoffTest {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10), Jitter.EQUAL);

  private record Drawing(double nextDouble) implements RandomGenerator {
    @Override
    public long nextLong() {
      throw new IllegalStateException("one draw, of a double");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, PT0.5S", "1, 0.5, PT0.75S", "1, 0.999, PT0.9995S",
    "2, 0, PT1S", "2, 0.5, PT1.5S", "2, 0.999, PT1.999S",
    "4, 0, PT4S", "4, 0.5, PT6S", "4, 0.999, PT7.996S",
    "5, 0, PT5S", "5, 0.5, PT7.5S", "5, 0.999, PT9.995S",
    "2147483647, 0, PT5S", "2147483647, 0.5, PT7.5S", "2147483647, 0.999, PT9.995S"
  })
  void delay_failuresInARow_isExact(int failures, double drawn, Duration delay) {
    assertThat(BACKOFF.delay(failures, new Drawing(drawn))).isEqualTo(delay);
  }

  @Test
  void delay_atTheCap_stillDiffers() {
    SplittableRandom random = new SplittableRandom(1);

    assertThat(BACKOFF.delay(50, random)).isNotEqualTo(BACKOFF.delay(50, random));
  }

  @Test
  void delay_noFailure_isRefused() {
    assertThatThrownBy(() -> BACKOFF.delay(0, new SplittableRandom(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void constructor_boundsThatMakeNoSense_areRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, second, Jitter.EQUAL))
        .hasMessageContaining("0 < min");
    assertThatThrownBy(() -> new Backoff(second, second.minusNanos(1), Jitter.EQUAL))
        .hasMessageContaining("0 < min");
    assertThatThrownBy(() -> new Backoff(second, Duration.ofDays(1).plusNanos(1), Jitter.EQUAL))
        .hasMessageContaining("0 < min");
    assertThat(new Backoff(second, second, Jitter.EQUAL).delay(3, new Drawing(0.5)))
        .isEqualTo(Duration.ofMillis(750));
    assertThat(new Backoff(second, Duration.ofDays(1), Jitter.EQUAL).max())
        .isEqualTo(Duration.ofDays(1));
  }
}
