package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The judge finds writes of a pool that are too close to each other. */
class SpacingTest {
  private static final SpacingCheck GROWING =
      new SpacingCheck(Duration.ofSeconds(30), Duration.ofSeconds(2));
  private static final SpacingCheck FIXED =
      new SpacingCheck(Duration.ofSeconds(1), Duration.ofSeconds(1));

  private static Requests writes(long... millis) {
    Requests requests = new Requests();
    for (long at : millis) {
      requests.add(at - 5, "GET", "lb/a", 200, "").add(at, "PUT", "lb/a", 200, "");
    }
    return requests;
  }

  @Test
  void tooSoon_closerThanTheShortestSpacing_isSeen() {
    assertThat(GROWING.tooSoon(writes(10, 1_959).list()))
        .containsExactly("lb/a twice within 1949 ms");
    assertThat(GROWING.tooSoon(writes(10, 1_960).list())).isEmpty();
    assertThat(FIXED.tooSoon(writes(10, 959).list())).containsExactly("lb/a twice within 949 ms");
    assertThat(FIXED.tooSoon(writes(10, 960).list())).isEmpty();
  }

  @Test
  void tooSoon_spacingThatDoubles_isFine() {
    assertThat(GROWING.tooSoon(writes(10, 2_010, 6_010, 14_010, 30_010, 60_010).list())).isEmpty();
  }

  @Test
  void tooSoon_spacingThatDoesNotGrow_isSeen() {
    assertThat(GROWING.tooSoon(writes(10, 2_010, 4_010, 6_010, 8_010).list()))
        .containsExactly("lb/a 5 times within 8000 ms");
    assertThat(GROWING.tooSoon(writes(10, 2_010, 4_010, 6_010, 26_960).list())).isEmpty();
    assertThat(GROWING.tooSoon(writes(10, 2_010, 4_010, 6_010, 26_959).list())).hasSize(1);
  }

  @Test
  void tooSoon_retryOfAnAcceptedWriteThatWentWrong_mayComeATenthEarlier() {
    Requests fine =
        new Requests()
            .ruled(10, "PUT", "lb/a", 200, "", "{\"lro\":\"canceled\"}")
            .add(1_760, "PUT", "lb/a", 200, "");
    Requests soon =
        new Requests()
            .ruled(10, "PUT", "lb/a", 200, "", "{\"lro\":\"canceled\"}")
            .add(1_759, "PUT", "lb/a", 200, "");

    assertThat(GROWING.tooSoon(fine.list())).isEmpty();
    assertThat(GROWING.tooSoon(soon.list())).hasSize(1);
  }

  @Test
  void tooSoon_otherPoolsReadsAndInCallRetries_areFine() {
    Requests requests =
        writes(10)
            .add(15, "PUT", "lb/b", 200, "")
            .add(20, "GET", "lb/a", 200, "")
            .add(25, "PUT", "lb/b", 503, "ServiceUnavailable");

    assertThat(GROWING.tooSoon(requests.list())).isEmpty();
  }

  /** Nine tenths of 2 s, or what ARM has said, less 50 ms of tolerance. */
  @ParameterizedTest
  @CsvSource({
    "{\"status\":412}, 1759, 1",
    "{\"status\":412}, 1760, 0",
    "'{\"status\":429,\"retryAfter\":\"4\"}', 3959, 1",
    "'{\"status\":429,\"retryAfter\":\"date:+4\"}', 3960, 0",
  })
  void tooSoon_nextWriteAfterOneThatWasRefused_waitsAsLongAsARetry(
      String rule, long next, int early) {
    int status = rule.contains("429") ? 429 : 412;
    Requests requests =
        new Requests().ruled(10, "PUT", "lb/a", status, "", rule).add(next, "PUT", "lb/a", 200, "");

    assertThat(GROWING.tooSoon(requests.list())).hasSize(early);
  }

  @Test
  void mostWithinInterval_countsAcceptedWritesOfOnePool() {
    Requests requests =
        writes(10, 2_010, 6_010, 30_009, 30_010, 70_000)
            .add(70_001, "PUT", "lb/a", 412, "PreconditionFailed")
            .add(70_002, "PUT", "lb/b", 200, "");

    assertThat(GROWING.mostWithinInterval(requests.list())).isEqualTo(4);
    assertThat(GROWING.mostWithinInterval(List.of())).isZero();
  }
}
