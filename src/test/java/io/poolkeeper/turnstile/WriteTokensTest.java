package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.TokenBucket.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may spend which tokens, and what fills the reserve of the drains. */
class WriteTokensTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final List<Lane> LANES = List.of(Lane.values());

  private static WriteTokens tokens(int common, int reserve) {
    return new WriteTokens(
        TokenBucket.holding(new Rate(10, 2_000), common, T0),
        TokenBucket.holding(new Rate(5, 777), reserve, T0),
        Instant.EPOCH);
  }

  private static void assertTokens(WriteTokens tokens, double common, double reserve) {
    assertThat(tokens.common().tokens()).isEqualTo(common);
    assertThat(tokens.reserve().tokens()).isEqualTo(reserve);
  }

  @Test
  void at_commonHasRoom_reserveGetsNothing() {
    assertTokens(tokens(4, 1).at(T0.plusSeconds(3)), 10.0, 1.0);
  }

  @Test
  void at_commonIsFull_reserveGetsTheRestAtTheCommonRate() {
    assertTokens(tokens(4, 1).at(T0.plusSeconds(4)), 10.0, 3.0);
    assertTokens(tokens(10, 0).at(T0.plusMillis(500)), 10.0, 1.0);
    assertTokens(tokens(4, 1).at(T0.plus(Duration.ofDays(9))), 10.0, 5.0);
  }

  @Test
  void at_reserveLargerThanTheCommonBucket_isFilledInOneStep() {
    WriteTokens tokens =
        new WriteTokens(
            TokenBucket.holding(new Rate(1, 1_000), 0, T0),
            TokenBucket.holding(new Rate(500, 1_000), 0, T0),
            Instant.EPOCH);

    assertTokens(tokens.at(T0.plusSeconds(501)), 1.0, 500.0);
  }

  @Test
  void at_afterAnEarlyTurn_reserveGetsAFifthOfTheRateForFiveMinutes() {
    WriteTokens tokens =
        new WriteTokens(
                TokenBucket.holding(new Rate(1_000, 1_000), 0, T0),
                TokenBucket.holding(new Rate(1_000, 777), 0, T0),
                Instant.EPOCH)
            .afterEarly();

    assertTokens(tokens.at(T0.plusSeconds(10)), 8.0, 2.0);
    assertTokens(tokens.at(T0.plusSeconds(300)), 240.0, 60.0);
    assertTokens(tokens.at(T0.plusSeconds(400)), 340.0, 60.0);
  }

  @Test
  void at_afterAnEarlyTurn_nobodyGetsMoreThanThereIsRoomFor() {
    assertTokens(tokens(0, 4).afterEarly().at(T0.plusMillis(2_500)), 4.0, 5.0);
    assertTokens(tokens(0, 4).afterEarly().at(T0.plusMillis(5_500)), 10.0, 5.0);
    assertTokens(tokens(9, 0).afterEarly().at(T0.plusMillis(1_500)), 10.0, 2.0);
    assertTokens(tokens(-2, 5).afterEarly().at(T0.plusSeconds(1)), 0.0, 5.0);
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
  void sent_empty_overdrawsTheCommonBucketAlone() {
    assertTokens(tokens(0, 1).sent(), -1.0, 1.0);
    assertTokens(tokens(0, 1).sent().sent().at(T0.plusSeconds(1)), 0.0, 1.0);
  }

  @Test
  void paidByReserve_asFarAsItCan_givesTheCommonTokenBack() {
    assertTokens(tokens(4, 2).sent().paidByReserve(), 4.0, 1.0);
    assertTokens(tokens(4, 0).sent().paidByReserve(), 3.0, 0.0);
    assertTokens(tokens(10, 2).paidByReserve(), 10.0, 1.0);
  }

  @ParameterizedTest
  @EnumSource(names = {"UPDATE", "RETRY", "REPAIR"})
  void allow_noDrain_needsACommonTokenMoreThanTurnsAreOut(Lane lane) {
    assertThat(tokens(3, 5).allow(lane, 2, 0)).isTrue();
    assertThat(tokens(3, 5).allow(lane, 3, 0)).isFalse();
    assertThat(tokens(0, 5).allow(lane, 0, 0)).isFalse();
  }

  @Test
  void allow_early_leavesAnEighthOfTheCommonBucket() {
    WriteTokens most =
        new WriteTokens(
            TokenBucket.holding(new Rate(80, 1_000), 13, T0),
            TokenBucket.holding(new Rate(5, 1_000), 5, T0),
            Instant.EPOCH);

    assertThat(most.allow(Lane.EARLY, 2, 0)).isTrue();
    assertThat(most.allow(Lane.EARLY, 3, 0)).isFalse();
    assertThat(most.allowAt(Lane.EARLY, 4, 0)).isEqualTo(T0.plusSeconds(2));
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAIN", "DRAIN_RETRY"})
  void allow_drain_takesEither(Lane lane) {
    assertThat(tokens(3, 0).allow(lane, 2, 0)).isTrue();
    assertThat(tokens(3, 0).allow(lane, 3, 0)).isFalse();
    assertThat(tokens(0, 2).allow(lane, 9, 1)).isTrue();
    assertThat(tokens(0, 2).allow(lane, 9, 2)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"UPDATE,0,2.5", "UPDATE,5,5", "DRAIN,0,2.5", "DRAIN,9,7", "DRAIN_RETRY,0,2.5"})
  void allowAt_overdrawn_isExact(Lane lane, int inFlight, double seconds) {
    assertThat(tokens(-4, 0).allowAt(lane, inFlight, 0))
        .isEqualTo(T0.plusMillis((long) (1_000 * seconds)));
  }

  @Test
  void allowAt_moreThanThereIsRoomFor_isNever() {
    assertThat(tokens(10, 5).allowAt(Lane.UPDATE, 10, 0)).isEqualTo(Instant.MAX);
    assertThat(tokens(10, 5).allowAt(Lane.DRAIN_RETRY, 10, 5)).isEqualTo(Instant.MAX);
    assertThat(tokens(10, 5).allowAt(Lane.DRAIN, 10, 5)).isEqualTo(Instant.MAX);
    assertThat(tokens(10, 0).allowAt(Lane.DRAIN, 10, 1)).isEqualTo(T0.plusSeconds(1));
  }

  @Test
  void allowAt_everyHistory_isTheFirstNanosecond() {
    for (long seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      WriteTokens tokens = any(random);
      Lane lane = LANES.get(random.nextInt(LANES.size()));
      int inFlight = random.nextInt(9);
      int drains = random.nextInt(inFlight + 1);
      Instant at = tokens.allowAt(lane, inFlight, drains);
      if (at.equals(Instant.MAX)) {
        assertThat(tokens.at(T0.plus(Duration.ofDays(1))).allow(lane, inFlight, drains)).isFalse();
      } else {
        assertThat(tokens.at(at).allow(lane, inFlight, drains)).as("%s %s", lane, tokens).isTrue();
        assertThat(at.equals(T0) || !tokens.at(at.minusNanos(1)).allow(lane, inFlight, drains))
            .isTrue();
      }
    }
  }
}
