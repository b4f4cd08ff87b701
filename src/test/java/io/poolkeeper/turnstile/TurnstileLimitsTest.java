package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.turnstile.TokenBucket.Rate;
import io.poolkeeper.turnstile.TurnstileLimits.Early;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of the turnstile's own limits. */
class TurnstileLimitsTest {
  private static TurnstileLimits limits(
      int writes, int reserve, int inFlight, Duration deadline, Duration settle) {
    return new TurnstileLimits(
        new Rate(150, 1_500),
        writes,
        new Rate(200, 1_500),
        reserve,
        new Rate(200, 15_000),
        TurnstileFixtures.SHIPPED.early(),
        inFlight,
        deadline,
        settle,
        TurnstileFixtures.SHIPPED.firstPause(),
        TurnstileFixtures.SHIPPED.longestPause(),
        TurnstileFixtures.SHIPPED.budget(),
        false);
  }

  @ParameterizedTest
  @CsvSource({"0,0,1,PT1S,PT1S", "150,200,1000,PT10M,PT1H"})
  void constructor_atTheBounds_isAccepted(
      int writes, int reserve, int inFlight, Duration deadline, Duration settle) {
    assertThatCode(() -> limits(writes, reserve, inFlight, deadline, settle))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "-1,0,1,PT1S,PT1S,initial writes out of range: -1",
    "151,0,1,PT1S,PT1S,initial writes out of range: 151",
    "0,-1,1,PT1S,PT1S,initial reserve out of range: -1",
    "0,201,1,PT1S,PT1S,initial reserve out of range: 201",
    "0,0,0,PT1S,PT1S,max in flight out of range: 0",
    "0,0,1001,PT1S,PT1S,max in flight out of range: 1001",
    "0,0,1,PT0.999S,PT1S,turn deadline out of range: PT0.999S",
    "0,0,1,PT10M0.001S,PT1S,turn deadline out of range: PT10M0.001S",
    "0,0,1,PT1S,PT0.999S,settle limit out of range: PT0.999S",
    "0,0,1,PT1S,PT1H0.001S,settle limit out of range: PT1H0.001S"
  })
  void constructor_beyondTheBounds_namesWhatAndWhatWasFound(
      int writes, int reserve, int inFlight, Duration deadline, Duration settle, String message) {
    assertThatThrownBy(() -> limits(writes, reserve, inFlight, deadline, settle))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "30,1000"})
  void early_atTheBounds_isAccepted(int initial, int share) {
    assertThatCode(() -> new Early(new Rate(30, 1_000), initial, share)).doesNotThrowAnyException();
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

  private static TurnstileLimits pauses(Duration first, Duration longest) {
    TurnstileLimits shipped = TurnstileFixtures.SHIPPED;
    return new TurnstileLimits(
        shipped.writes(),
        shipped.initialWrites(),
        shipped.reserve(),
        shipped.initialReserve(),
        shipped.reads(),
        shipped.early(),
        shipped.maxInFlight(),
        shipped.turnDeadline(),
        shipped.settleLimit(),
        first,
        longest,
        shipped.budget(),
        false);
  }

  @ParameterizedTest
  @CsvSource({"PT0.001S,PT0.001S", "PT1H,PT1H"})
  void pauses_atTheBounds_areAccepted(Duration first, Duration longest) {
    assertThatCode(() -> pauses(first, longest)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S,PT1S,first pause out of range: PT0S",
    "PT2S,PT1S,first pause out of range: PT2S",
    "PT1S,PT1H0.001S,longest pause out of range: PT1H0.001S"
  })
  void pauses_beyondTheBounds_nameWhatAndWhatWasFound(
      Duration first, Duration longest, String message) {
    assertThatThrownBy(() -> pauses(first, longest))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
