package io.poolkeeper.lab.armsim;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.poolkeeper.lab.armsim.model.ArmState;
import io.poolkeeper.lab.armsim.protocol.ArmJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The simulator's state on disk, replaced as a whole: a reader sees the old one or the new one. */
record StateFile(Path path) {
  /** The state in the file; empty if there is no file. */
  ArmState load() {
    if (!Files.exists(path)) {
      return ArmState.empty();
    }
    try {
      return ArmState.load(ArmJson.MAPPER.readTree(path.toFile()));
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
   * The same, once it is certain that it can be written, too: better refused at the start than lost
   * at the end. The file itself is left alone, as it may belong to one who is still running.
   */
  ArmState open() {
    ArmState state = load();
    Path directory = path.toAbsolutePath().getParent();
    try {
      Files.delete(Files.createTempFile(directory, ".poolkeeper", ".new"));
    } catch (IOException unwritable) {
      throw new UncheckedIOException(
          "state file %s cannot be written: %s".formatted(path, unwritable), unwritable);
    }
    return state;
  }

  void save(ArmState state) throws IOException {
    Path target = path.toAbsolutePath();
    Path fresh = target.resolveSibling(target.getFileName() + ".new");
    Files.write(fresh, ArmJson.bytes(out -> out.writeTree(state.dump())));
    Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
