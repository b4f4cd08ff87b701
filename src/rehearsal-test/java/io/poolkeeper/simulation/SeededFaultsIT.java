package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.simulation.FaultSearch.Found;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator finds faults: each of a list is put into the program, one at a time, and seeds are
 * run from five starts until one breaks a rule, which three of them must. How many that took is in
 * {@code target/seeded-faults.md}.
 */
@Tag("full")
class SeededFaultsIT {
  private static final Path REPORT = Path.of("target/seeded-faults.md");
  private static final List<Long> STARTS = List.of(1L, 1_001L, 2_001L, 3_001L, 4_001L);
  private static final int MOST_SEEDS = 400;

  @BeforeAll
  static void beginTheReport() throws Exception {
    Files.writeString(
        REPORT,
        "| fault | seeds from five starts | median | first rule broken |\n|---|---|---|---|\n");
  }

  @Test
  void theProgramWithoutAFaultBreaksNoRule() throws Exception {
    assertThat(SeededFault.NONE.search().from(1, 20)).isEmpty();
    assertThat(new Mutant(List.of()).search().from(1, 20)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.poolkeeper.simulation.SeededFault#all")
  void everySeededFaultIsFoundFromMostStarts(SeededFault fault) throws Exception {
    List<Found> found = search(fault.search()).stream().flatMap(Optional::stream).toList();

    assertThat(found)
        .as("starts from which a rule is broken in %d seeds", MOST_SEEDS)
        .hasSizeGreaterThan(STARTS.size() / 2);
    report(fault, found);
  }

  private static List<Optional<Found>> search(FaultSearch program) throws Exception {
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Callable<Optional<Found>>> searches =
          STARTS.stream()
              .<Callable<Optional<Found>>>map(from -> () -> program.from(from, MOST_SEEDS))
              .toList();
      List<Optional<Found>> found = new ArrayList<>();
      for (Future<Optional<Found>> search : workers.invokeAll(searches)) {
        found.add(search.get());
      }
      return found;
    }
  }

  private static void report(SeededFault fault, List<Found> found) throws Exception {
    List<Integer> sorted = found.stream().map(Found::seeds).sorted().toList();
    String line =
        "| %s | %s | %d | %s |%n"
            .formatted(
                fault.name(),
                String.join(", ", found.stream().map(one -> "" + one.seeds()).toList()),
                sorted.get(sorted.size() / 2),
                found.getFirst().rule());
    Files.writeString(REPORT, line, StandardOpenOption.APPEND);
  }
}
