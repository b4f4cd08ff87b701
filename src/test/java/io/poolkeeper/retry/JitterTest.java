package io.poolkeeper.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The three ways to spread a delay, to the nanosecond. */
class JitterTest {
  private static final Duration MIN = Duration.ofSeconds(1);
  private static final Duration MAX = Duration.ofMinutes(1);

  /** Just below one. */
  private static final double MOST = Math.nextDown(1.0);

  private record Drawing(double nextDouble) implements RandomGenerator {
    @Override
    public long nextLong() {
      throw new IllegalStateException("one draw, of a double");
    }
  }

  private static Backoff with(Jitter jitter) {
    return new Backoff(MIN, MAX, jitter);
  }

  @ParameterizedTest
  @CsvSource({
    "FULL, 1, 0, PT0S",
    "FULL, 1, 0.5, PT0.5S",
    "FULL, 1, 0.999, PT0.999S",
    "FULL, 3, 0.5, PT2S",
    "FULL, 7, 0, PT0S",
    "FULL, 7, 0.5, PT30S",
    "FULL, 7, 0.999, PT59.94S",
    "EQUAL, 3, 0, PT2S",
    "EQUAL, 3, 0.5, PT3S",
    "EQUAL, 3, 0.999, PT3.998S",
    "EQUAL, 99, 0, PT30S",
    "EQUAL, 99, 0.5, PT45S",
    "EQUAL, 99, 0.999, PT59.97S",
    "DECORRELATED, 1, 0, PT1S",
    "DECORRELATED, 1, 0.5, PT2S",
    "DECORRELATED, 1, 0.999, PT2.998S"
  })
  void delay_everyKind_isExact(Jitter jitter, int failures, double drawn, Duration delay) {
    assertThat(with(jitter).delay(failures, new Drawing(drawn))).isEqualTo(delay);
  }

  @ParameterizedTest
  @CsvSource({
    "PT10S, 0, PT1S",
    "PT10S, 0.5, PT15.5S",
    "PT10S, 0.999, PT29.971S",
    "PT20S, 0.5, PT30.5S",
    "PT60S, 0, PT1S",
    "PT60S, 0.5, PT30.5S",
    "PT60S, 0.999, PT59.941S",
    "PT0S, 0.5, PT2S",
    "PT0.1S, 0.5, PT2S",
    "PT24H, 0.5, PT30.5S"
  })
  void delay_decorrelated_dependsOnThePreviousOneAlone(
      Duration previous, double drawn, Duration delay) {
    for (int failures : new int[] {1, 5, Integer.MAX_VALUE}) {
      assertThat(with(Jitter.DECORRELATED).delay(failures, previous, new Drawing(drawn)))
          .isEqualTo(delay);
    }
  }

  @Test
  void delay_everyFailureAndDraw_staysInItsBounds() {
    for (int failures = 1; failures <= 100; failures++) {
      Duration whole = with(Jitter.EQUAL).doubled(failures);
      for (double drawn : new double[] {0, 1e-9, 0.25, 0.5, 0.999, MOST}) {
        Drawing random = new Drawing(drawn);
        assertThat(with(Jitter.FULL).delay(failures, random))
            .isBetween(Duration.ZERO, whole.minusNanos(1));
        assertThat(with(Jitter.EQUAL).delay(failures, random))
            .isBetween(whole.dividedBy(2), whole.minusNanos(1));
        assertThat(with(Jitter.DECORRELATED).delay(failures, whole, random)).isBetween(MIN, MAX);
      }
    }
  }

  @Test
  void doubled_anyJitter_growsMonotonouslyUpToTheCapAndStays() {
    Duration before = MIN.dividedBy(2);
    for (int failures = 1; failures <= 6; failures++) {
      Duration whole = with(Jitter.EQUAL).doubled(failures);
      assertThat(whole).isEqualTo(before.multipliedBy(2));
      before = whole;
    }
    for (int failures : new int[] {7, 8, 31, 32, 33, 63, 64, 65, 1_000, Integer.MAX_VALUE}) {
      assertThat(with(Jitter.EQUAL).doubled(failures)).isEqualTo(MAX);
    }
  }

  @ParameterizedTest
  @EnumSource
  void delay_atTheCap_isStillSpread(Jitter jitter) {
    SplittableRandom random = new SplittableRandom(7);
    Set<Duration> drawn = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      drawn.add(with(jitter).delay(1_000_000, MAX, random));
    }

    assertThat(drawn).hasSizeGreaterThan(990);
    assertThat(drawn).allMatch(delay -> delay.compareTo(MAX) < 0);
  }

  @Test
  void delay_decorrelatedChain_neverExceedsTheCapNorSticksToIt() {
    for (long seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Duration delay = MIN;
      int near = 0;
      for (int i = 1; i <= 1_000; i++) {
        delay = with(Jitter.DECORRELATED).delay(i, delay, random);
        assertThat(delay).isBetween(MIN, MAX);
        near += delay.compareTo(MAX.multipliedBy(9).dividedBy(10)) > 0 ? 1 : 0;
      }
      assertThat(near).as("draws in the last tenth, seed %d", seed).isBetween(10, 200);
    }
  }

  @Test
  void delay_longestBackoff_doesNotOverflow() {
    Backoff longest = new Backoff(Duration.ofNanos(1), Duration.ofDays(1), Jitter.EQUAL);

    assertThat(longest.delay(Integer.MAX_VALUE, new Drawing(0.5))).isEqualTo(Duration.ofHours(18));
    assertThat(longest.delay(1, new Drawing(MOST))).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, PT1S, 0, 'a backoff must be 0 < min <= max <= 1 day, not PT0S to PT1S'",
    "PT2S, PT1S, 0, 'a backoff must be 0 < min <= max <= 1 day, not PT2S to PT1S'",
    "PT1S, PT24H0.1S, 0, 'a backoff must be 0 < min <= max <= 1 day, not PT1S to PT24H0.1S'",
    "PT1S, PT1S, 0, 'failures must be at least 1, not 0'",
    "PT1S, PT1S, -1, 'failures must be at least 1, not -1'"
  })
  void delay_argumentsThatMakeNoSense_areNamed(
      Duration min, Duration max, int failures, String message) {
    assertThatThrownBy(() -> new Backoff(min, max, Jitter.FULL).delay(failures, new Drawing(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
