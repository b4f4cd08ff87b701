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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When snapshots go to the pools. */
class SnapshotCoalescingTest {
  private static final Duration QUIET = Duration.ofSeconds(2);

  /** Milliseconds from the first change of each snapshot, if there is a change so often. */
  private static String snapshots(Duration window, long step, long time) {
    SnapshotCoalescing coalescing = SnapshotCoalescing.NONE;
    List<String> sent = new ArrayList<>();
    for (long at = 0; at < time; at++) {
      Instant now = T0.plusMillis(at);
      coalescing = at % step == 0 ? coalescing.changed(window, now) : coalescing;
      if (coalescing.isDue(now)) {
        coalescing = coalescing.passed(true, window, now);
        sent.add(Long.toString(at));
      }
    }
    return String.join(" ", sent);
  }

  /**
   * The spacing doubles to a second, or is the window if that is longer; after a quiet time only
   * the window is waited for.
   */
  @ParameterizedTest
  @CsvSource({
    "20, 1, 5000, 20 41 81 161 321 641 1281 2281 3281 4281",
    "20, 2100, 7000, 20 2120 4220 6320",
    "0, 1, 200, 0 20 60 140",
    "3000, 1, 10000, 3000 6001 9002"
  })
  void changed_soOften_isSentThen(long window, long step, long time, String sent) {
    assertThat(snapshots(Duration.ofMillis(window), step, time)).isEqualTo(sent);
  }

  @Test
  void moved_waitsASecond_andDelaysNoNodeThatLeaves() {
    SnapshotCoalescing coalescing = SnapshotCoalescing.NONE.moved(T0);
    assertThat(coalescing.due()).hasValue(T0.plusSeconds(1));
    assertThat(coalescing.changed(WINDOW, T0.plusMillis(1)).due())
        .hasValue(T0.plusMillis(1).plus(WINDOW));
    assertThat(coalescing.changed(WINDOW, T0.plusMillis(999)).due())
        .as("what is due takes it along")
        .hasValue(T0.plusSeconds(1));

    SnapshotCoalescing after = coalescing.passed(true, WINDOW, T0.plusSeconds(1));

    assertThat(after.changed(WINDOW, T0.plusMillis(1_001)).due())
        .hasValue(T0.plusMillis(1_001).plus(WINDOW));
  }

  @Test
  void passed_withNothingNew_doesNotCount() {
    SnapshotCoalescing coalescing =
        SnapshotCoalescing.NONE.changed(WINDOW, T0).passed(false, WINDOW, T0.plus(WINDOW));

    assertThat(coalescing).isEqualTo(SnapshotCoalescing.NONE);
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
    SnapshotCoalescing coalescing =
        SnapshotCoalescing.NONE.changed(WINDOW, T0).changed(WINDOW, T0.plusMillis(5));

    assertThat(coalescing.since()).hasValue(T0);
    assertThat(coalescing.passed(true, WINDOW, T0.plus(WINDOW)).since())
        .isEqualTo(Optional.empty());
  }
}
