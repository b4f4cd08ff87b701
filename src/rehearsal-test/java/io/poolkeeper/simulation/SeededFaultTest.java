package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The faults of {@link SeededFaultsIT} can still be put into the program. */
class SeededFaultTest {
  private static final Path DOCUMENT = Path.of("docs/simulation.md");

  @ParameterizedTest
  @MethodSource("io.poolkeeper.simulation.SeededFault#all")
  void search_ofAFault_isInAProgramThatHasIt(SeededFault fault) throws Exception {
    assertThat(fault.search()).isNotNull();
  }

  @Test
  void all_hasEachNameOnce_andTheTableNamesThemAll() throws IOException {
    List<String> rows =
        Files.readAllLines(DOCUMENT).stream()
            .filter(line -> line.startsWith("| "))
            .map(line -> line.split("\\|", -1)[1].strip().replace("`", ""))
            .toList();

    assertThat(SeededFault.all().map(SeededFault::name)).doesNotHaveDuplicates().isSubsetOf(rows);
  }

  @Test
  void mutant_ofANameThatFitsNone_isRefused() {
    Mutation none = new Mutation("pool.PoolCore", "gone", "CONDITIONALS_BOUNDARY");

    assertThatThrownBy(() -> new Mutant(List.of(none)))
        .hasMessageContaining("pool.PoolCore")
        .hasMessageContaining("fits 0 mutations");
  }

  @Test
  void mutant_ofANameThatFitsSeveral_isRefused() {
    Mutation either =
        new Mutation("simulation.SeededFaultTest$Two", "negatives", "CONDITIONALS_BOUNDARY");

    assertThatThrownBy(() -> new Mutant(List.of(either))).hasMessageContaining("fits 2 mutations");
    assertThat(new Mutant(List.of(either.number(2, 2)))).isNotNull();
  }

  /** Two conditions in one method. */
  static final class Two {
    private Two() {}

    static int negatives(int one, int other) {
      return (one < 0 ? 1 : 0) + (other < 0 ? 1 : 0);
    }
  }
}
