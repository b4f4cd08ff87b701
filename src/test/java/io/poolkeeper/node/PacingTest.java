package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.WINDOW;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.synced;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When snapshots go to the pools. */
class PacingTest {
  private static final Duration QUIET = Duration.ofSeconds(2);

  /** Milliseconds from the first change of each snapshot, if there is a change so often. */
  private static List<Long> snapshots(Duration window, Duration step, Duration time) {
    Pacing pacing = Pacing.NONE;
    List<Long> sent = new ArrayList<>();
    for (Duration at = Duration.ZERO; at.compareTo(time) < 0; at = at.plusMillis(1)) {
      Instant now = T0.plus(at);
      if (at.toMillis() % step.toMillis() == 0) {
        pacing = pacing.changed(window, now);
      }
      if (pacing.isDue(now)) {
        pacing = pacing.passed(true, window, now);
        sent.add(at.toMillis());
      }
    }
    return sent;
  }

  @Test
  void changed_again_andAgain_spacingDoublesToASecond() {
    assertThat(snapshots(WINDOW, Duration.ofMillis(1), Duration.ofSeconds(5)))
        .containsExactly(20L, 41L, 81L, 161L, 321L, 641L, 1281L, 2281L, 3281L, 4281L);
  }

  @Test
  void changed_afterAQuietTime_waitsForTheWindowOnly() {
    assertThat(snapshots(WINDOW, Duration.ofMillis(2_100), Duration.ofSeconds(7)))
        .containsExactly(20L, 2_120L, 4_220L, 6_320L);
  }

  @Test
  void changed_withoutAWindow_goesAtOnceAndIsSpacedAllTheSame() {
    assertThat(snapshots(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(200)))
        .containsExactly(0L, 20L, 60L, 140L);
  }

  @Test
  void changed_withAWindowBeyondASecond_isSpacedByTheWindow() {
    assertThat(snapshots(Duration.ofSeconds(3), Duration.ofMillis(1), Duration.ofSeconds(10)))
        .containsExactly(3_000L, 6_001L, 9_002L);
  }

  @Test
  void moved_waitsASecond_andDelaysNoNodeThatLeaves() {
    Pacing pacing = Pacing.NONE.moved(T0);
    assertThat(pacing.due()).hasValue(T0.plusSeconds(1));
    assertThat(pacing.changed(WINDOW, T0.plusMillis(1)).due())
        .hasValue(T0.plusMillis(1).plus(WINDOW));
    assertThat(pacing.changed(WINDOW, T0.plusMillis(999)).due())
        .as("what is due takes it along")
        .hasValue(T0.plusSeconds(1));

    Pacing after = pacing.passed(true, WINDOW, T0.plusSeconds(1));

    assertThat(after.changed(WINDOW, T0.plusMillis(1_001)).due())
        .hasValue(T0.plusMillis(1_001).plus(WINDOW));
  }

  @Test
  void passed_withNothingNew_doesNotCount() {
    Pacing pacing = Pacing.NONE.changed(WINDOW, T0).passed(false, WINDOW, T0.plus(WINDOW));

    assertThat(pacing).isEqualTo(Pacing.NONE);
  }

  /** A hundred nodes that leave within two and a half seconds are nine snapshots. */
  @Test
  void nodesThatLeaveOneAfterTheOther_areFewSnapshots() {
    NodeView[] all = IntStream.range(0, 100).mapToObj(i -> node("n" + i)).toArray(NodeView[]::new);
    NodeDriver driver = synced(all).after(QUIET);

    for (int i = 0; i < 100; i++) {
      driver.change(node("n" + i, OUT)).after(Duration.ofMillis(25));
    }
    driver.after(QUIET);

    assertThat(driver.view().outOfService().leaving()).hasSize(100);
    assertThat(driver.effects()).hasSize(9).hasOnlyElementsOfType(NodeEffect.Broadcast.class);
  }

  @Test
  void since_isTheFirstChangeThatIsNotSentYet() {
    Pacing pacing = Pacing.NONE.changed(WINDOW, T0).changed(WINDOW, T0.plusMillis(5));

    assertThat(pacing.since()).hasValue(T0);
    assertThat(pacing.passed(true, WINDOW, T0.plus(WINDOW)).since()).isEqualTo(Optional.empty());
  }
}
