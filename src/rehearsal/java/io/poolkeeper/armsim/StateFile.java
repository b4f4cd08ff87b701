package io.poolkeeper.armsim;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletionException;

/** The simulator's state on disk, replaced as a whole: a reader sees the old one or the new one. */
record StateFile(Path path) {
  SavedState load() {
    if (!Files.exists(path)) {
      return SavedState.empty();
    }
    try {
      return SavedState.load(ArmJson.MAPPER.readTree(path.toFile()));
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(
          "state file %s is not JSON: %s".formatted(path, wrong.getOriginalMessage()), wrong);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "state file %s: %s".formatted(path, wrong.getMessage()), wrong);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(
          "state file %s cannot be read: %s".formatted(path, unreadable.getMessage()), unreadable);
    }
  }

  /**
   * The same, after checking that the file can be written, so that a failure shows at the start.
   * The file itself is not changed, as another simulator may still use it.
   */
  SavedState open() {
    SavedState state = load();
    Path directory = path.toAbsolutePath().getParent();
    try {
      Files.delete(Files.createTempFile(directory, ".poolkeeper", ".new"));
    } catch (IOException unwritable) {
      throw new UncheckedIOException(
          "state file %s cannot be written: %s".formatted(path, unwritable), unwritable);
    }
    return state;
  }

  /**
   * Replaces the file. A saved state survives the end of the process at any moment, but maybe not a
   * crash of the machine, as there is no fsync.
   */
  void save(SavedState state) {
    Path target = path.toAbsolutePath();
    Path fresh = target.resolveSibling(target.getFileName() + ".new");
    try {
      try (JsonGenerator out = ArmJson.MAPPER.createGenerator(Files.newOutputStream(fresh))) {
        state.write(out);
      }
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException unwritable) {
      throw new UncheckedIOException(
          "state file %s cannot be written: %s".formatted(path, unwritable), unwritable);
    }
  }

  static String reason(Throwable failed) {
    Throwable inner = failed instanceof CompletionException ? failed.getCause() : null;
    Throwable cause = inner == null ? failed : inner;
    return cause instanceof UncheckedIOException
        ? String.valueOf(cause.getMessage())
        : String.valueOf(cause);
  }
}
