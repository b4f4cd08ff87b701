package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The judge finds writes without a token: two at the start, one a second. */
class PaceTest {
  private static final Pace PACE = new Pace(0, 2, 3, 1);

  @Test
  void tooMany_oneMoreThanThereWere_isSeen() {
    Requests requests = new Requests();
    for (int at = 0; at < 3; at++) {
      requests.add(at, "PUT", "lb/a", 200, "");
    }

    assertThat(PACE.tooMany(requests.list()))
        .containsExactly("write a 0.0 s after the start, when 0.00 tokens were left");
  }

  @Test
  void tooMany_asFastAsTheyCome_isFine() {
    Requests requests = new Requests();
    for (int at = 0; at < 10; at++) {
      requests
          .add(at * 1_000L, "PUT", "lb/a", 409, "Busy")
          .add(at * 1_000L, "GET", "lb/a", 200, "");
    }

    assertThat(PACE.tooMany(requests.list())).isEmpty();
  }

  @Test
  void lowest_isTheLevelAfterTheWorstWrite() {
    Requests requests = new Requests().add(0, "PUT", "lb/a", 200, "");

    assertThat(PACE.lowest(new Requests().list())).isEqualTo(2);
    assertThat(PACE.lowest(requests.add(200, "PUT", "lb/b", 409, "Busy").list())).isZero();
    assertThat(PACE.lowest(requests.add(9_000, "PUT", "lb/b", 200, "").list())).isZero();
  }

  @Test
  void tooMany_afterAPauseNoMoreThanCanBeSaved_isSeen() {
    Requests requests = new Requests();
    for (int at = 0; at < 4; at++) {
      requests.add(100_000, "PUT", "lb/a", 200, "");
    }

    assertThat(PACE.tooMany(requests.list())).hasSize(1);
  }

  @Test
  void tooMany_repetitionsOfACall_takeTokensButAskNobody() {
    Requests requests =
        new Requests()
            .add(0, "PUT", "lb/a", 503, "")
            .add(1, "PUT", "lb/a", 503, "")
            .add(2, "PUT", "lb/a", 200, "")
            .add(1_500, "PUT", "lb/b", 200, "");

    assertThat(PACE.tooMany(requests.list()))
        .containsExactly("write b 1.5 s after the start, when 0.50 tokens were left");
  }
}
