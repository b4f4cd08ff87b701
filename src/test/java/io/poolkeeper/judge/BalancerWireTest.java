package io.poolkeeper.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.judge.Call.Shows;
import org.junit.jupiter.api.Test;

/** A pool that goes on showing a write, although none runs: five minutes, and again. */
class BalancerWireTest {
  private final Scene scene = new Scene();

  private void runs(double seconds) {
    scene.answered(seconds, scene.get(seconds), 200, Shows.RUNS);
  }

  private void waitForTheLimit() {
    scene.wants(10, "a", "b");
    runs(10);
    double pause = 1;
    for (double at = 11; at < 310; at += pause) {
      runs(at);
      pause = Math.min(30, 2 * pause);
    }
  }

  @Test
  void attemptAfterTheLimit_isNoLook() {
    waitForTheLimit();
    runs(312);

    assertThat(scene.until(312 + 7)).hasSize(1);
  }

  @Test
  void attemptsAfterTheLimit_thatWriteNothing_waitAnew() {
    waitForTheLimit();
    runs(312);
    runs(313);
    runs(314);
    runs(316);

    // The next look is due at 320 s.
    assertThat(scene.until(320)).isEmpty();
  }
}
