package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The faults of {@link SeededFaultsIT} can still be put into the program. */
class SeededFaultTest {
  private static final Path PROGRAM = Path.of("src/main/java/io/poolkeeper");

  @ParameterizedTest
  @MethodSource("io.poolkeeper.simulation.SeededFault#all")
  void edit_ofTheSource_changesIt(SeededFault fault) throws IOException {
    for (SeededFault.Edit edit : fault.edits()) {
      String source = Files.readString(PROGRAM.resolve(edit.file()));

      assertThat(edit.apply(source)).isNotEqualTo(source);
    }
  }
}
