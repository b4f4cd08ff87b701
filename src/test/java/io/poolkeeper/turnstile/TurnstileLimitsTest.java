package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.turnstile.TokenBucket.Rate;
import io.poolkeeper.turnstile.TurnstileLimits.Early;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of the turnstile's own limits. */
class TurnstileLimitsTest {
  private static TurnstileLimits limits(
      int writes,
      int reserve,
      int inFlight,
      Duration deadline,
      Duration settle,
      Duration first,
      Duration longest) {
    TurnstileLimits shipped = TurnstileFixtures.SHIPPED;
    return new TurnstileLimits(
        shipped.writes(),
        writes,
        shipped.reserve(),
        reserve,
        shipped.reads(),
        shipped.early(),
        inFlight,
        deadline,
        settle,
        first,
        longest,
        shipped.budget(),
        false);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0,1,PT1S,PT1S,PT0.001S,PT0.001S", "150,200,1000,PT10M,PT1H,PT1H,PT1H",
  })
  void constructor_atTheBounds_isAccepted(
      int writes, int reserve, int inFlight, Duration turn, Duration settle, Duration a, Duration b) {
    assertThat(limits(writes, reserve, inFlight, turn, settle, a, b).turnDeadline())
        .isEqualTo(turn);
  }

  @ParameterizedTest
  @CsvSource({
    "-1,0,1,PT1S,PT1S,PT1S,PT1S,initial writes out of range: -1",
    "151,0,1,PT1S,PT1S,PT1S,PT1S,initial writes out of range: 151",
    "0,-1,1,PT1S,PT1S,PT1S,PT1S,initial reserve out of range: -1",
    "0,201,1,PT1S,PT1S,PT1S,PT1S,initial reserve out of range: 201",
    "0,0,0,PT1S,PT1S,PT1S,PT1S,max in flight out of range: 0",
    "0,0,1001,PT1S,PT1S,PT1S,PT1S,max in flight out of range: 1001",
    "0,0,1,PT0.999S,PT1S,PT1S,PT1S,turn deadline out of range: PT0.999S",
    "0,0,1,PT10M0.001S,PT1S,PT1S,PT1S,turn deadline out of range: PT10M0.001S",
    "0,0,1,PT1S,PT0.999S,PT1S,PT1S,settle limit out of range: PT0.999S",
    "0,0,1,PT1S,PT1H0.001S,PT1S,PT1S,settle limit out of range: PT1H0.001S",
    "0,0,1,PT1S,PT1S,PT0S,PT1S,first pause out of range: PT0S",
    "0,0,1,PT1S,PT1S,PT2S,PT1S,first pause out of range: PT2S",
    "0,0,1,PT1S,PT1S,PT1S,PT1H0.001S,longest pause out of range: PT1H0.001S"
  })
  void constructor_beyondTheBounds_namesWhatAndWhatWasFound(
      int writes,
      int reserve,
      int inFlight,
      Duration turn,
      Duration settle,
      Duration first,
      Duration longest,
      String message) {
    assertThatThrownBy(() -> limits(writes, reserve, inFlight, turn, settle, first, longest))
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
    "-1,1,initial early tokens out of range: -1",
    "31,1,initial early tokens out of range: 31",
    "0,0,share of early turns out of range: 0",
    "0,1001,share of early turns out of range: 1001"
  })
  void early_beyondTheBounds_namesWhatAndWhatWasFound(int initial, int share, String message) {
    assertThatThrownBy(() -> new Early(new Rate(30, 1_000), initial, share))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
