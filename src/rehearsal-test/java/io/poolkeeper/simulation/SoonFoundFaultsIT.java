package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Those of the seeded faults that a few seeds find, from the first start alone: so that each build
 * shows in half a minute that the simulator judges. All of them, from all starts: {@link
 * SeededFaultsIT}.
 */
@Execution(ExecutionMode.CONCURRENT)
class SoonFoundFaultsIT {
  private static final int MOST_SEEDS = 6;

  private static final List<String> NAMES =
      List.of(
          "add what no Service wants",
          "skip the fresh GET",
          "report a failed repair as given up",
          "two writes per load balancer",
          "write although others are writing",
          "add a node that leaves as if it stayed",
          "leave a node Down that came back",
          "forget the admin states of what a drain leaves alone");

  static Stream<SeededFault> faults() {
    return SeededFault.all().filter(fault -> NAMES.contains(fault.name()));
  }

  @Test
  void theNamesAreThoseOfFaults() {
    assertThat(faults().map(SeededFault::name)).containsExactlyInAnyOrderElementsOf(NAMES);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void theFaultIsFound(SeededFault fault) throws Exception {
    assertThat(fault.search().from(1, MOST_SEEDS)).isPresent();
  }
}
