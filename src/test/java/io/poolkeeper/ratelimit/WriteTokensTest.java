package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.ratelimit.TokenBucket.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may spend which tokens, and what fills the reserve of the drains. */
class WriteTokensTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final List<PriorityLevel> LEVELS = List.of(PriorityLevel.values());

  /** Of 10, two of which come per second, and of 5. */
  private static WriteTokens tokens(int common, int reserve) {
    return tokens(new Rate(10, 2_000), common, new Rate(5, 777), reserve);
  }

  private static WriteTokens tokens(Rate common, int tokens, Rate reserve, int reserved) {
    return new WriteTokens(
        TokenBucket.holding(common, tokens, T0),
        TokenBucket.holding(reserve, reserved, T0),
        Instant.EPOCH);
  }

  private static void assertTokens(WriteTokens tokens, double common, double reserve) {
    assertThat(tokens.common().tokens()).isEqualTo(common);
    assertThat(tokens.reserve().tokens()).isEqualTo(reserve);
  }

  /** The reserve gets what does not fit, and a fifth of the rate after an early permit. */
  @ParameterizedTest
  @CsvSource({
    "4,1,false,3000,10,1",
    "4,1,false,4000,10,3",
    "10,0,false,500,10,1",
    "4,1,false,777600000,10,5",
    "0,4,true,2500,4,5",
    "0,4,true,5500,10,5",
    "9,0,true,1500,10,2",
    "-2,5,true,1000,0,5"
  })
  void at_laterTime_reserveGetsTheRest(
      int common, int reserve, boolean early, long millis, double commonThen, double reserveThen) {
    WriteTokens tokens = tokens(common, reserve);

    WriteTokens then = (early ? tokens.afterEarly() : tokens).at(T0.plusMillis(millis));

    assertTokens(then, commonThen, reserveThen);
  }

  @Test
  void at_reserveLargerThanTheCommonBucket_isFilledInOneStep() {
    WriteTokens tokens = tokens(new Rate(1, 1_000), 0, new Rate(500, 1_000), 0);

    assertTokens(tokens.at(T0.plusSeconds(501)), 1.0, 500.0);
  }

  @Test
  void at_afterAnEarlyPermit_reserveGetsAFifthOfTheRateForFiveMinutes() {
    WriteTokens tokens = tokens(new Rate(1_000, 1_000), 0, new Rate(1_000, 777), 0).afterEarly();

    assertTokens(tokens.at(T0.plusSeconds(10)), 8.0, 2.0);
    assertTokens(tokens.at(T0.plusSeconds(300)), 240.0, 60.0);
    assertTokens(tokens.at(T0.plusSeconds(400)), 340.0, 60.0);
  }

  @Test
  void at_inSteps_isTheSameAsAtOnce() {
    for (long seed = 0; seed < 1_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      WriteTokens start = any(random);
      WriteTokens steps = start;
      Instant now = T0;
      for (int step = 0; step < 20; step++) {
        now = now.plusNanos(random.nextLong(40_000_000_000L));
        steps = steps.at(now);
      }
      assertThat(steps).isEqualTo(start.at(now));
    }
  }

  private static WriteTokens any(SplittableRandom random) {
    WriteTokens tokens =
        new WriteTokens(
            TokenBucket.holding(new Rate(random.nextInt(1, 9), random.nextInt(1, 9_999)), 9, T0)
                .minus(random.nextInt(12)),
            TokenBucket.holding(new Rate(random.nextInt(1, 9), 1), random.nextInt(9), T0),
            Instant.EPOCH);
    return random.nextBoolean() ? tokens : tokens.afterEarly();
  }

  @Test
  void sent_overdrawsTheCommonBucket_andTheReservePaysAsFarAsItCan() {
    assertTokens(tokens(0, 1).sent(), -1.0, 1.0);
    assertTokens(tokens(0, 1).sent().sent().at(T0.plusSeconds(1)), 0.0, 1.0);
    assertTokens(tokens(4, 2).sent().paidByReserve(), 4.0, 1.0);
    assertTokens(tokens(4, 0).sent().paidByReserve(), 3.0, 0.0);
    assertTokens(tokens(10, 2).paidByReserve(), 10.0, 1.0);
  }

  /** One more than permits are out; drains take either kind. */
  @ParameterizedTest
  @CsvSource({
    "UPDATE,3,5,2,0,true",
    "UPDATE,3,5,3,0,false",
    "UPDATE,0,5,0,0,false",
    "RETRY,3,5,2,0,true",
    "RETRY,3,5,3,0,false",
    "RETRY,0,5,0,0,false",
    "REPAIR,3,5,2,0,true",
    "REPAIR,3,5,3,0,false",
    "REPAIR,0,5,0,0,false",
    "DRAIN,3,0,2,0,true",
    "DRAIN,3,0,3,0,false",
    "DRAIN,0,2,9,1,true",
    "DRAIN,0,2,9,2,false",
    "DRAIN_RETRY,3,0,2,0,true",
    "DRAIN_RETRY,3,0,3,0,false",
    "DRAIN_RETRY,0,2,9,1,true",
    "DRAIN_RETRY,0,2,9,2,false"
  })
  void allow_everyLevel(
      PriorityLevel level, int common, int reserve, int inFlight, int drains, boolean allowed) {
    assertThat(tokens(common, reserve).allow(level, inFlight, drains)).isEqualTo(allowed);
  }

  @Test
  void allow_early_leavesAnEighthOfTheCommonBucket() {
    WriteTokens most = tokens(new Rate(80, 1_000), 13, new Rate(5, 1_000), 5);

    assertThat(most.allow(PriorityLevel.EARLY, 2, 0)).isTrue();
    assertThat(most.allow(PriorityLevel.EARLY, 3, 0)).isFalse();
    assertThat(most.allowAt(PriorityLevel.EARLY, 4, 0)).isEqualTo(T0.plusSeconds(2));
  }

  @ParameterizedTest
  @CsvSource({"UPDATE,0,2.5", "UPDATE,5,5", "DRAIN,0,2.5", "DRAIN,9,7", "DRAIN_RETRY,0,2.5"})
  void allowAt_overdrawn_isExact(PriorityLevel level, int inFlight, double seconds) {
    assertThat(tokens(-4, 0).allowAt(level, inFlight, 0))
        .isEqualTo(T0.plusMillis((long) (1_000 * seconds)));
  }

  @Test
  void allowAt_moreThanThereIsRoomFor_isNever() {
    assertThat(tokens(10, 5).allowAt(PriorityLevel.UPDATE, 10, 0)).isEqualTo(Instant.MAX);
    assertThat(tokens(10, 5).allowAt(PriorityLevel.DRAIN_RETRY, 10, 5)).isEqualTo(Instant.MAX);
    assertThat(tokens(10, 5).allowAt(PriorityLevel.DRAIN, 10, 5)).isEqualTo(Instant.MAX);
    assertThat(tokens(10, 0).allowAt(PriorityLevel.DRAIN, 10, 1)).isEqualTo(T0.plusSeconds(1));
  }

  @Test
  void allowAt_everyHistory_isTheFirstNanosecond() {
    for (long seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      WriteTokens tokens = any(random);
      PriorityLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
      int inFlight = random.nextInt(9);
      int drains = random.nextInt(inFlight + 1);
      Instant at = tokens.allowAt(level, inFlight, drains);
      if (at.equals(Instant.MAX)) {
        assertThat(tokens.at(T0.plus(Duration.ofDays(1))).allow(level, inFlight, drains)).isFalse();
      } else {
        assertThat(tokens.at(at).allow(level, inFlight, drains))
            .as("%s %s", level, tokens)
            .isTrue();
        assertThat(at.equals(T0) || !tokens.at(at.minusNanos(1)).allow(level, inFlight, drains))
            .isTrue();
      }
    }
  }
}
