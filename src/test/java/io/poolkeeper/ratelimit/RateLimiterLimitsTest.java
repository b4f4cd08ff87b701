package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.ratelimit.RateLimiterLimits.Early;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of the rate limiter's own limits. */
class RateLimiterLimitsTest {
  /**
   * Initial writes and reserve, permits in flight, and in ms: deadline, settle limit and pauses.
   */
  private static RateLimiterLimits limits(String numbers) {
    List<Integer> all = List.of(numbers.split(" ", -1)).stream().map(Integer::valueOf).toList();
    RateLimiterLimits shipped = RateLimiterFixtures.SHIPPED;
    return new RateLimiterLimits(
        shipped.writes(),
        all.get(0),
        shipped.reserve(),
        all.get(1),
        shipped.reads(),
        shipped.early(),
        all.get(2),
        Duration.ofMillis(all.get(3)),
        Duration.ofMillis(all.get(4)),
        new RateLimiterLimits.Pauses(Duration.ofMillis(all.get(5)), Duration.ofMillis(all.get(6))),
        shipped.budget(),
        false);
  }

  @ParameterizedTest
  @CsvSource({"0 0 1 1000 1000 1 1,1", "150 200 1000 600000 3600000 3600000 3600000,1000"})
  void constructor_atTheBounds_isAccepted(String numbers, int inFlight) {
    assertThat(limits(numbers).maxInFlight()).isEqualTo(inFlight);
  }

  @ParameterizedTest
  @CsvSource({
    "-1 0 1 1000 1000 1 1,'initial writes must be 0 to 150, not -1'",
    "151 0 1 1000 1000 1 1,'initial writes must be 0 to 150, not 151'",
    "0 -1 1 1000 1000 1 1,'initial reserve must be 0 to 200, not -1'",
    "0 201 1 1000 1000 1 1,'initial reserve must be 0 to 200, not 201'",
    "0 0 0 1000 1000 1 1,'max in flight must be 1 to 1000, not 0'",
    "0 0 1001 1000 1000 1 1,'max in flight must be 1 to 1000, not 1001'",
    "0 0 1 999 1000 1 1,'turn deadline must be PT1S to PT10M, not PT0.999S'",
    "0 0 1 600001 1000 1 1,'turn deadline must be PT1S to PT10M, not PT10M0.001S'",
    "0 0 1 1000 999 1 1,'settle limit must be PT1S to PT1H, not PT0.999S'",
    "0 0 1 1000 3600001 1 1,'settle limit must be PT1S to PT1H, not PT1H0.001S'",
    "0 0 1 1000 1000 0 1,'first pause must be PT0.000000001S to PT0.001S, not PT0S'",
    "0 0 1 1000 1000 2 1,'first pause must be PT0.000000001S to PT0.001S, not PT0.002S'",
    "0 0 1 1000 1000 1 3600001,'longest pause must be PT0.001S to PT1H, not PT1H0.001S'"
  })
  void constructor_beyondTheBounds_namesWhatAndWhatWasFound(String numbers, String message) {
    assertThatThrownBy(() -> limits(numbers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "30,1000"})
  void early_atTheBounds_isAccepted(int initial, int share) {
    assertThat(new Early(new Rate(30, 1_000), initial, share).share()).isEqualTo(share);
  }

  @ParameterizedTest
  @CsvSource({
    "-1,1,'initial early tokens must be 0 to 30, not -1'",
    "31,1,'initial early tokens must be 0 to 30, not 31'",
    "0,0,'share of early permits must be 1 to 1000, not 0'",
    "0,1001,'share of early permits must be 1 to 1000, not 1001'"
  })
  void early_beyondTheBounds_namesWhatAndWhatWasFound(int initial, int share, String message) {
    assertThatThrownBy(() -> new Early(new Rate(30, 1_000), initial, share))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
