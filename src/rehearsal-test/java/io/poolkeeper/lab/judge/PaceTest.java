package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The level of a bucket with two tokens at the start, which wins one a second, up to three. */
class PaceTest {
  private static int lowest(long... millis) {
    Requests requests = new Requests();
    for (long at : millis) {
      requests.add(at, "PUT", "lb/a", 409, "Busy").add(at, "GET", "lb/a", 200, "");
    }
    return new Pace(0, 2, 3, 1).lowest(requests.list());
  }

  @Test
  void lowest_isTheLevelAfterTheWorstWrite() {
    assertThat(lowest()).isEqualTo(2);
    assertThat(lowest(0, 200)).isZero();
    assertThat(lowest(0, 200, 9_000)).isZero();
    assertThat(lowest(0, 200, 300)).isEqualTo(-1);
    assertThat(lowest(100_000, 100_000, 100_000)).isZero();
  }
}
