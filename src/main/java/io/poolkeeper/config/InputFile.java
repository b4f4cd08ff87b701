package io.poolkeeper.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Rejects a file that cannot be read or is too large to be configuration. */
final class InputFile {
  /** The limit of a ConfigMap or Secret. */
  static final long MAX_BYTES = 1 << 20;

  private InputFile() {}

  /** Why the file cannot be read; empty if it can. */
  static Optional<String> objection(Path file) {
    if (!Files.exists(file)) {
      return Optional.of("no such file");
    }
    if (Files.isDirectory(file)) {
      return Optional.of("a directory");
    }
    if (!Files.isReadable(file)) {
      return Optional.of("a file that may not be read");
    }
    try {
      long size = Files.size(file);
      return size > MAX_BYTES ? Optional.of("a file of " + size + " bytes") : Optional.empty();
    } catch (IOException e) {
      return Optional.of("a file that cannot be read (" + e.getMessage() + ")");
    }
  }
}
