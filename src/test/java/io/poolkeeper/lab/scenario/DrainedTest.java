package io.poolkeeper.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lab.judge.PoolWrite;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which writes a signal allows. */
class DrainedTest {
  private static final long MILLI = 1_000_000;
  private static final Map<String, String> DOWN = Map.of("10.0.0.1", "Down");

  private static Signal signal(long atMillis, String what, Map<String, Integer> pools) {
    return new Signal(atMillis * MILLI, what, true, pools);
  }

  private static PoolWrite write(long atMillis, String pool, Map<String, String> states) {
    return new PoolWrite(
        0,
        "",
        new LoadBalancerId("s", "rg", "LB").pool(pool),
        atMillis * MILLI,
        atMillis * MILLI,
        Set.of(),
        false,
        Set.of(),
        Set.of(),
        states);
  }

  @Test
  void wrong_oneWriteOfEachPool_isNone() {
    Drained drained =
        new Drained(
            List.of(signal(10, "one", Map.of("lb/a", 1, "lb/b", 1)), signal(50, "two", Map.of())),
            List.of(write(5, "A", Map.of()), write(20, "A", DOWN), write(31, "b", DOWN)));

    assertThat(drained.wrong()).isEmpty();
    assertThat(drained.millis(true)).containsExactly(10L);
    assertThat(drained.millis(false)).containsExactly(21L);
  }

  @Test
  void wrong_moreOrFewerWrites_areNamed() {
    Drained drained =
        new Drained(
            List.of(
                signal(10, "one", Map.of("lb/a", 1, "lb/b", 1)),
                signal(50, "two", Map.of("lb/c", 2))),
            List.of(
                write(5, "a", DOWN),
                write(20, "a", DOWN),
                write(21, "a", DOWN),
                write(51, "c", DOWN),
                write(52, "c", DOWN),
                write(53, "d", DOWN)));

    assertThat(drained.wrong())
        .containsExactly(
            "the start: 1 writes of lb/a, at most 0",
            "one: 2 writes of lb/a, at most 1",
            "one: no write of lb/b",
            "two: 1 writes of lb/d, at most 0");
  }

  @Test
  void millis_signalsThatAreNotTimed_areLeftOut() {
    Drained drained =
        new Drained(
            List.of(new Signal(10 * MILLI, "a revert", false, Map.of("lb/a", 1))),
            List.of(write(20, "a", DOWN)));

    assertThat(drained.millis(true)).isEmpty();
  }

  @Test
  void late_onlyTheSignalsAskedFor_andArmsOwnTimeDoesNotCount() {
    Signal leaves = signal(10, "leaves", Map.of("lb/a", 1, "lb/b", 1, "lb/c", 1));
    Signal back = signal(5_000, "back", Map.of("lb/a", 1));
    Drained drained =
        new Drained(
            List.of(leaves, back),
            List.of(write(1_010, "a", DOWN), write(1_011, "b", DOWN), write(9_000, "a", DOWN)));

    assertThat(drained.late(List.of(leaves), Duration.ofSeconds(1), ArmTime.NONE))
        .containsExactly("leaves: lb/b after 1001 ms", "leaves: lb/c after no time at all");
    assertThat(drained.late(List.of(back), Duration.ofSeconds(1), ArmTime.NONE))
        .containsExactly("back: lb/a after 4000 ms");
    assertThat(
            drained.late(List.of(back), Duration.ofSeconds(1), (lb, from, until) -> 3_000 * MILLI))
        .isEmpty();
  }

  @Test
  void up_writtenByTheController_isNamed() {
    assertThat(new Drained(List.of(), List.of(write(1, "A", Map.of("10.0.0.1", "Up")))).up())
        .containsExactly("lb/a");
  }
}
