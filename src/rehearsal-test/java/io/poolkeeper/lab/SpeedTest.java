package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lab.LabReport.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedTest {
  private static final Spread NONE = Spread.of(List.of());

  @Test
  void words_sayEachKindThatWasMeasured() {
    Spread quiet = Spread.of(List.of(120L, 180L, 340L));
    var speed =
        new LabReport.Speed(quiet, NONE, Spread.of(List.of(5_040L)), Spread.of(List.of(29_960L)));

    assertThat(speed.words(30_000))
        .containsExactly(
            "after a quiet interval a change was at Azure within 0.2 s (half of 3), 0.3 s (99 of 100)",
            "of those that Azure made wait within 5.0 s (half of 1), 5.0 s (99 of 100)",
            "with one tick every 30 s for all pools it would be 30.0 s (half of 1), 30.0 s (99 of 100)");
  }

  @Test
  void words_nothingMeasured_none() {
    assertThat(new LabReport.Speed(NONE, NONE, NONE, NONE).words(30_000)).isEmpty();
  }
}
