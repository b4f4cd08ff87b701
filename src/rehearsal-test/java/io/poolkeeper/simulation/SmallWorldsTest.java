package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One pool, two changes and up to so many faults among the first exchanges with ARM: every such
 * world there is, not a sample of them.
 */
class SmallWorldsTest {
  private static final int EXCHANGES = 4;

  /** Stands for an exchange that meets nothing. */
  private static final Fault NOTHING = Fault.PORTAL;

  private static final List<Fault> FAULTS =
      List.of(
          Fault.CONFLICT,
          Fault.THROTTLE,
          Fault.LOST_REQUEST,
          Fault.LOST_REPLY,
          Fault.FAILED_OPERATION,
          Fault.SLOW_OPERATION,
          Fault.REFUSAL);

  private final Map<List<Fault>, String> broken =
      new TreeMap<>(Comparator.comparing(List::toString));
  private final SeededSystem system = new SeededSystem();
  private int worlds;

  @AfterEach
  void close() {
    system.close();
  }

  @Test
  void everyWorldOfOneFaultConverges() {
    enumerate(new ArrayList<>(), 1);

    assertThat(broken).isEmpty();
    assertThat(worlds).isEqualTo(1 + 4 * 7);
  }

  @Test
  @Tag("full")
  void everyWorldOfThreeFaultsConverges() {
    enumerate(new ArrayList<>(), 3);

    assertThat(broken).isEmpty();
    assertThat(worlds).isEqualTo(1 + 4 * 7 + 6 * 49 + 4 * 343);
  }

  private void enumerate(List<Fault> script, int left) {
    if (script.size() == EXCHANGES) {
      worlds++;
      Run.small(system, Collections.unmodifiableList(new ArrayList<>(script)))
          .violation()
          .ifPresent(rule -> broken.put(List.copyOf(script), rule));
      return;
    }
    with(script, NOTHING, left);
    if (left > 0) {
      FAULTS.forEach(fault -> with(script, fault, left - 1));
    }
  }

  private void with(List<Fault> script, Fault next, int left) {
    script.add(next);
    enumerate(script, left);
    script.removeLast();
  }
}
