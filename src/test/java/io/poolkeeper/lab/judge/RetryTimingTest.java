package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The judge finds calls that came too early; the shortest spacing is 2 s. */
class RetryTimingTest {
  private static final RetryTiming PARKING =
      new RetryTiming(Duration.ofSeconds(2), Duration.ofMillis(100), request -> false);
  private static final String FOUR_SECONDS = "{\"status\":429,\"retryAfter\":\"4\"}";
  private static final String LOCKED =
      "{\"status\":429,\"code\":\"RetryableError\",\"retryAfter\":\"4\"}";

  private static List<String> early(Requests requests) {
    return PARKING.early(requests.list());
  }

  @Test
  void early_samePoolBeforeTheTimeThatArmNamed_isSeen() {
    Requests requests =
        new Requests()
            .ruled(0, "PUT", "lb-1/a", 429, "TooManyRequests", FOUR_SECONDS)
            .add(3_900, "GET", "LB-1/A", 200, "");

    assertThat(early(requests))
        .containsExactly("read a 3900 ms after 429 TooManyRequests to write a");
  }

  @Test
  void early_samePoolAtTheTimeThatArmNamed_isFine() {
    Requests requests =
        new Requests()
            .ruled(0, "PUT", "lb-1/a", 429, "TooManyRequests", FOUR_SECONDS)
            .add(4_000, "GET", "lb-1/a", 200, "");

    assertThat(early(requests)).isEmpty();
  }

  @Test
  void early_dateInTheHeader_countsTheSame() {
    Requests requests =
        new Requests()
            .ruled(
                0,
                "GET",
                "lb-1/a",
                429,
                "TooManyRequests",
                "{\"status\":429,\"retryAfter\":\"date:+4\"}")
            .add(3_000, "GET", "lb-1/a", 200, "");

    assertThat(early(requests)).hasSize(1);
  }

  /** Nine tenths of half of 1 s, less 50 ms of tolerance. */
  @ParameterizedTest
  @CsvSource({"400,0", "399,1"})
  void early_drain_isRetriedSooner(int ms, int early) {
    Requests requests =
        new Requests()
            .add(0, "PUT", "lb-1/a", 412, "PreconditionFailed")
            .add(ms, "GET", "lb-1/a", 200, "");

    assertThat(
            new RetryTiming(Duration.ofSeconds(2), Duration.ofMillis(100), request -> true)
                .early(requests.list()))
        .hasSize(early);
  }

  /** Nine tenths of 1 s to a look, and of 2 s to the next write, less 50 ms of tolerance. */
  @ParameterizedTest
  @CsvSource({"850,GET,0", "849,GET,1", "1749,PUT,1", "1750,PUT,0"})
  void early_writeOfUnknownEnd_isLookedForSoonerThanItIsWritten(int ms, String method, int early) {
    Requests requests =
        new Requests()
            .ruled(0, "PUT", "lb-1/a", 200, "", "{\"lro\":\"canceled\"}")
            .add(ms, method, "lb-1/a", 200, "");

    assertThat(early(requests)).hasSize(early);
  }

  @Test
  void early_failureWithoutATime_isParkedForNineTenthsOfTheSpacing() {
    Requests soon =
        new Requests()
            .add(0, "PUT", "lb-1/a", 412, "PreconditionFailed")
            .add(1_700, "GET", "lb-1/a", 200, "");
    Requests later =
        new Requests()
            .add(0, "PUT", "lb-1/a", 412, "PreconditionFailed")
            .add(1_800, "GET", "lb-1/a", 200, "");

    assertThat(early(soon)).hasSize(1);
    assertThat(early(later)).isEmpty();
  }

  @Test
  void early_anotherPoolsAttemptAfterAThrottledWrite_isSeenEverywhere() {
    Requests requests =
        new Requests()
            .ruled(0, "PUT", "lb-1/a", 429, "TooManyRequests", FOUR_SECONDS)
            .add(50, "PUT", "lb-2/on-its-way", 200, "")
            .add(200, "GET", "lb-2/b", 200, "")
            .add(210, "PUT", "lb-2/b", 200, "")
            .add(220, "GET", "", 200, "");

    assertThat(early(requests))
        .containsExactly(
            "read b 200 ms after 429 TooManyRequests to write a",
            "write b 210 ms after 429 TooManyRequests to write a");
  }

  @Test
  void early_readThatRepeatsItself_wasBegunBefore() {
    Requests requests =
        new Requests()
            .add(0, "GET", "lb-2/b", 503, "ServiceUnavailable")
            .ruled(100, "PUT", "lb-1/a", 429, "TooManyRequests", FOUR_SECONDS)
            .add(800, "GET", "lb-2/b", 200, "")
            .add(900, "PUT", "lb-2/b", 200, "");

    assertThat(early(requests))
        .containsExactly("write b 800 ms after 429 TooManyRequests to write a");
  }

  @Test
  void early_lookAtAWriteOfUnknownEndWhileWritesAreThrottled_beginsNoAttempt() {
    Requests requests =
        new Requests()
            .add(0, "PUT", "lb-2/b", 503, "ServiceUnavailable")
            .ruled(100, "PUT", "lb-1/a", 429, "TooManyRequests", FOUR_SECONDS)
            .add(1_500, "GET", "lb-2/b", 200, "")
            .add(1_600, "GET", "lb-2/b", 200, "");

    assertThat(early(requests))
        .containsExactly("read b 1500 ms after 429 TooManyRequests to write a");
  }

  @Test
  void early_anyReadAfterAThrottledRead_isSeenListsIncluded() {
    Requests requests =
        new Requests()
            .ruled(0, "GET", "lb-1/a", 429, "TooManyRequests", FOUR_SECONDS)
            .add(500, "GET", "", 200, "")
            .add(600, "GET", "lb-2/b", 200, "");

    assertThat(early(requests)).hasSize(2);
  }

  @Test
  void early_lockOfALoadBalancer_concernsItsPoolsOnly() {
    Requests requests =
        new Requests()
            .ruled(0, "PUT", "lb-1/a", 429, "RetryableError", LOCKED)
            .add(500, "PUT", "lb-2/b", 200, "")
            .add(600, "PUT", "lb-1/c", 200, "");

    assertThat(early(requests))
        .containsExactly("write c 600 ms after 429 RetryableError to write a");
  }

  @Test
  void early_afterAnAcceptedWriteThatWentWrong_isSeen() {
    Requests requests =
        new Requests()
            .ruled(0, "PUT", "lb-1/a", 200, "", "{\"lro\":\"canceled\"}")
            .add(300, "GET", "lb-1/a", 200, "");

    assertThat(early(requests)).hasSize(1);
  }

  @Test
  void early_afterAnAcceptedWriteOrATerminalError_isNobodysBusinessHere() {
    Requests requests =
        new Requests()
            .add(0, "PUT", "lb-1/a", 200, "")
            .add(100, "PUT", "lb-1/a", 503, "ServiceUnavailable")
            .add(300, "GET", "lb-1/a", 200, "");

    assertThat(early(requests)).isEmpty();
  }
}
