package io.poolkeeper.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code -o}, as a mixin. */
@Command
final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init") // It has a default.
  private Output output;

  Output value() {
    return output;
  }
}
