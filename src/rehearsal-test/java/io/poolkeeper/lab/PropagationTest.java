package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lab.Expectations.Damage;
import io.poolkeeper.lab.Expectations.Signal;
import io.poolkeeper.lab.Propagation.Took;
import io.poolkeeper.lab.judge.PoolWrite;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Finds changes that were not written in time, and how long things took; times in milliseconds. */
class PropagationTest {
  private static final long MILLI = 1_000_000;
  private static final PoolId WEB = new LoadBalancerId("s", "rg", "lb").pool("web");
  private static final Set<String> WANTED = Set.of("10.0.0.1");
  private static final List<Change> CHANGES = List.of(change(0, WANTED));

  private static Change change(long at, Set<String> addresses) {
    return new Change(at * MILLI, WEB, addresses);
  }

  private static PoolWrite put(long accepted, Set<String> addresses, String... down) {
    long nanos = accepted * MILLI;
    Map<String, String> states = down.length == 0 ? Map.of() : Map.of(down[0], "Down");
    return new PoolWrite(
        0,
        "",
        new LoadBalancerId("s", "rg", "LB").pool("WEB"),
        nanos,
        nanos,
        addresses,
        true,
        Set.of(),
        states);
  }

  @Test
  void measure_toTheWriteWithItOrALaterOne_quietAfterAnInterval() {
    Set<String> other = Set.of("10.0.0.2");
    List<Change> changes =
        List.of(
            change(1_000, WANTED),
            change(1_010, other),
            change(1_020, other),
            change(3_000, WANTED));
    List<PoolWrite> writes = List.of(put(1_100, other), put(3_050, WANTED));

    Propagation found = Propagation.measure(changes, writes, Duration.ofSeconds(1));

    assertThat(found.millis(Took::quiet)).containsExactly(100L, 50L);
    assertThat(found.millis(took -> !took.quiet())).containsExactly(90L);
  }

  @Test
  void late_writtenAtTheLimit_isInTime() {
    assertThat(Propagation.overdue(CHANGES, List.of(put(500, WANTED)), Duration.ofMillis(500)))
        .isEmpty();
  }

  @Test
  void late_writtenAfterTheLimit_saysAfterWhatTime() {
    List<PoolWrite> puts = List.of(put(100, Set.of("10.0.0.9")), put(501, WANTED));

    assertThat(Propagation.overdue(CHANGES, puts, Duration.ofMillis(500)))
        .containsExactly("lb/web after 501 ms");
  }

  @Test
  void late_neverWritten_saysSo() {
    assertThat(Propagation.overdue(CHANGES, List.of(), Duration.ofMillis(500)))
        .containsExactly("lb/web after no time at all");
  }

  @Test
  void repairs_untilTheNextWriteOfThePool_announcedOnesApart() {
    List<Damage> damages =
        List.of(new Damage(100 * MILLI, WEB, true), new Damage(600 * MILLI, WEB, false));
    List<PoolWrite> puts = List.of(put(99, WANTED), put(350, WANTED), put(1_600, WANTED));

    assertThat(Propagation.repairs(damages, puts, true)).containsExactly(250L);
    assertThat(Propagation.repairs(damages, puts, false)).containsExactly(1_000L);
  }

  @Test
  void drains_fromEachTimedSignalToTheWritesOfStatesBeforeTheNext() {
    List<Signal> signals = List.of(new Signal(10 * MILLI, true), new Signal(50 * MILLI, false));
    List<PoolWrite> puts =
        List.of(
            put(5, WANTED, "10.0.0.1"),
            put(15, WANTED),
            put(20, WANTED, "10.0.0.1"),
            put(31, WANTED, "10.0.0.1"),
            put(60, WANTED, "10.0.0.1"));

    assertThat(Propagation.drains(signals, puts, true)).containsExactly(10L);
    assertThat(Propagation.drains(signals, puts, false)).containsExactly(21L);
  }
}
