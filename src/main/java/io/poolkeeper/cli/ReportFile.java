package io.poolkeeper.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file that {@code --report} names. It could be written when it was opened, before the work of
 * minutes that it is to report.
 */
public final class ReportFile {
  private final Path file;

  private ReportFile(Path file) {
    this.file = file;
  }

  /**
   * Checks that the file can be written.
   *
   * @throws CommandFailure if it cannot
   */
  public static ReportFile at(Path file) {
    Path directory = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
    if (!Files.isDirectory(directory)) {
      throw unusable(file, "there is no directory " + directory);
    }
    if (Files.isDirectory(file)) {
      throw unusable(file, "it is a directory, expected the name of a file");
    }
    if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      throw unusable(file, "no permission to write");
    }
    return new ReportFile(file);
  }

  public void write(String json) {
    try {
      Files.writeString(file, json + "\n");
    } catch (IOException failed) {
      throw unusable(file, String.valueOf(failed.getMessage()));
    }
  }

  private static CommandFailure unusable(Path file, String why) {
    return new CommandFailure("--report %s: cannot be written: %s".formatted(file, why));
  }
}
