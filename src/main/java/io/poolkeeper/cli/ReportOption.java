package io.poolkeeper.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --report FILE}, as a mixin of the commands that end with a report. */
public final class ReportOption {
  @Option(names = "--report", paramLabel = "FILE", description = "Writes the report as JSON.")
  private @Nullable Path file;

  /** The file, if one is named; opened before the run, so that a wrong path fails at once. */
  public Optional<ReportFile> open() {
    return Optional.ofNullable(file).map(ReportFile::at);
  }
}
