package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.ratelimit.TokenBucket.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens to the trillionth and times to the nanosecond. */
class TokenBucketTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final long TOKEN = 5_000_000_000_000L;

  /** Nanoseconds until the slowest rate has brought a token. */
  private static final long SLOWEST = 1_000_000_000_000L;

  private static TokenBucket bucket(int burst, int milliPerSecond, int tokens) {
    return TokenBucket.holding(new Rate(burst, milliPerSecond), tokens, T0);
  }

  private static TokenBucket at(TokenBucket bucket, Duration later) {
    return bucket.at(T0.plus(later)).bucket();
  }

  @Test
  void at_timePasses_fillsExactlyUpToTheBurst() {
    TokenBucket bucket = bucket(3, 1_500, 0);

    assertThat(at(bucket, Duration.ofNanos(1)).amount()).isEqualTo(7_500);
    assertThat(at(bucket, Duration.ofSeconds(1)).tokens()).isEqualTo(1.5);
    assertThat(at(bucket, Duration.ofSeconds(2).minusNanos(1)).amount())
        .isEqualTo(3 * TOKEN - 7_500);
    assertThat(at(bucket, Duration.ofSeconds(2)).tokens()).isEqualTo(3.0);
    assertThat(at(bucket, Duration.ofDays(400)).tokens()).isEqualTo(3.0);
  }

  @Test
  void at_full_spillsWhatDoesNotFit_andInALongGapEnoughForTheLargestOther() {
    TokenBucket.Filled filled = bucket(3, 1_000, 2).at(T0.plusSeconds(5));
    assertThat(filled.bucket().tokens()).isEqualTo(3.0);
    assertThat(filled.spilled()).isEqualTo(4 * TOKEN);

    assertThat(bucket(1, 1_000_000, 1).at(T0.plus(Duration.ofDays(365_000))).spilled())
        .isGreaterThanOrEqualTo(100_000 * TOKEN);
  }

  @Test
  void at_timeGoesBack_changesNothing() {
    TokenBucket bucket = bucket(3, 1_000, 2);

    assertThat(bucket.at(T0)).isEqualTo(new TokenBucket.Filled(bucket, 0));
    assertThat(bucket.at(T0.minusSeconds(9))).isEqualTo(new TokenBucket.Filled(bucket, 0));
  }

  @Test
  void minus_moreThanThereIs_overdraws() {
    TokenBucket bucket = bucket(3, 1_000, 2).minus(5);

    assertThat(bucket.tokens()).isEqualTo(-3.0);
    assertThat(bucket.holds(1)).isFalse();
    assertThat(bucket.holdsAt(1)).isEqualTo(T0.plusSeconds(4));
    assertThat(at(bucket, Duration.ofSeconds(4)).holds(1)).isTrue();
    assertThat(at(bucket, Duration.ofDays(1_000)).tokens()).isEqualTo(3.0);
  }

  @Test
  void refundedOrHolding_noRoom_staysFull() {
    assertThat(bucket(3, 1_000, 1).refunded().tokens()).isEqualTo(2.0);
    assertThat(bucket(3, 1_000, 3).refunded().tokens()).isEqualTo(3.0);
    assertThat(bucket(3, 1_000, 3).plus(1, T0).amount()).isEqualTo(3 * TOKEN);
    assertThat(bucket(3, 1_000, 9).tokens()).isEqualTo(3.0);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        1, 2, 3, 7, 11, 100, 333, 999, 1_000, 1_001, 1_500, 3_333, 15_000, 999_999, 1_000_000
      })
  void holdsAt_everyRate_isExactToTheNanosecond(int milliPerSecond) {
    for (int missing = 0; missing <= 10; missing++) {
      TokenBucket bucket = bucket(10, milliPerSecond, 10 - missing);
      Instant full = bucket.holdsAt(10);

      assertThat(bucket.at(full).bucket().holds(10)).isTrue();
      if (missing > 0) {
        assertThat(bucket.at(full.minusNanos(1)).bucket().holds(10)).isFalse();
      } else {
        assertThat(full).isEqualTo(T0);
      }
    }
  }

  @Test
  void holdsAt_moreThanTheBurst_isNever() {
    assertThat(bucket(3, 1_000, 3).holdsAt(4)).isEqualTo(Instant.MAX);
    assertThat(bucket(3, 1_000, 0).holdsAt(3)).isEqualTo(T0.plusSeconds(3));
  }

  @ParameterizedTest
  @CsvSource({
    "0,1,'burst must be 1 to 100000, not 0'",
    "100001,1,'burst must be 1 to 100000, not 100001'",
    "1,0,'thousandths per second must be 1 to 1000000, not 0'",
    "1,1000001,'thousandths per second must be 1 to 1000000, not 1000001'"
  })
  void rate_outOfBounds_isRefused(int burst, int milliPerSecond, String message) {
    assertThatThrownBy(() -> new Rate(burst, milliPerSecond)).hasMessage(message);
    assertThat(new Rate(100_000, 1_000_000)).isNotEqualTo(new Rate(1, 1));
  }

  @Test
  void everyHistory_takenWhileHeld_isAtMostTheBurstAndTheRateInAnyWindow() {
    for (long seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int burst = random.nextInt(1, 20);
      int rate = random.nextInt(1, 20_000);
      TokenBucket bucket = bucket(burst, rate, random.nextInt(burst + 1));
      List<Instant> taken = new ArrayList<>();
      Instant now = T0;
      for (int step = 0; step < 200; step++) {
        now = now.plusNanos(random.nextLong(2 * SLOWEST / rate));
        bucket = bucket.at(now).bucket();
        for (int i = random.nextInt(4); i > 0 && bucket.holds(1); i--) {
          bucket = bucket.minus(1);
          taken.add(now);
        }
      }
      assertThat(taken).hasSizeGreaterThan(50);
      checkWindows(taken, burst, rate);
    }
  }

  private static void checkWindows(List<Instant> taken, int burst, int rate) {
    for (int first = 0; first < taken.size(); first++) {
      for (int last = first; last < taken.size(); last++) {
        long nanos = Duration.between(taken.get(first), taken.get(last)).toNanos();
        assertThat((last - first + 1) * TOKEN)
            .isLessThanOrEqualTo(burst * TOKEN + 5L * rate * nanos);
      }
    }
  }

  @Test
  void at_anyStepsBetween_endsTheSame() {
    for (long seed = 0; seed < 1_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TokenBucket start =
          bucket(random.nextInt(1, 9), random.nextInt(1, 9_999), 9).minus(random.nextInt(20));
      Instant end = T0.plusNanos(random.nextLong(10 * SLOWEST));
      TokenBucket stepwise = start;
      long spilled = 0;
      for (Instant now = T0; now.isBefore(end); now = now.plusNanos(random.nextLong(SLOWEST) + 1)) {
        TokenBucket.Filled filled = stepwise.at(now);
        stepwise = filled.bucket();
        spilled += filled.spilled();
      }
      TokenBucket.Filled last = stepwise.at(end);

      assertThat(last.bucket()).isEqualTo(start.at(end).bucket());
      assertThat(spilled + last.spilled()).isEqualTo(start.at(end).spilled());
    }
  }
}
