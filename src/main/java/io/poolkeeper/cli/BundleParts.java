package io.poolkeeper.cli;

import io.poolkeeper.kube.Causes;
import io.poolkeeper.kube.KubeconfigException;
import io.poolkeeper.kube.NoLeaderException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The parts of a bundle. Each is tried alone; one that cannot be had is named with the reason. */
final class BundleParts {
  private static final FileAttribute<?>[] OWNERS = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  /** The maximum of characters in all files, which fit into the smallest heap of a command. */
  private static final long MOST = 24L << 20;

  private final Map<String, String> files = new LinkedHashMap<>();
  private final List<String> missing = new ArrayList<>();

  /** Adds a file, or that it is missing; returns whether it was added. */
  boolean add(String name, Supplier<String> text) {
    Optional<String> found = attempt(name, text).filter(part -> fits(name, part));
    found.ifPresent(part -> files.put(name, part));
    return found.isPresent();
  }

  private boolean fits(String name, String text) {
    long all = files.values().stream().mapToLong(String::length).sum() + text.length();
    if (all > MOST) {
      lacks(name, "left out, as all parts may have %d MiB".formatted(MOST >> 20));
    }
    return all <= MOST;
  }

  /** What a part needs; if it cannot be had, that is noted. */
  <T> Optional<T> attempt(String name, Supplier<T> part) {
    try {
      return Optional.of(part.get());
    } catch (CommandFailure | NoLeaderException | KubeconfigException failed) {
      lacks(name, String.valueOf(failed.getMessage()));
    } catch (RuntimeException failed) {
      // Whatever it is, the other parts are worth having.
      lacks(name, Causes.text(failed));
    }
    return Optional.empty();
  }

  void lacks(String name, String why) {
    missing.add("%s: %s".formatted(name, why));
  }

  String file(String name) {
    return files.getOrDefault(name, "");
  }

  int size() {
    return files.size();
  }

  /** A line for each part that is missing. */
  List<String> missing() {
    return missing.stream().map(part -> "missing: " + part).toList();
  }

  /** Writes all files, and one that names what is missing. */
  void write(Path file) throws IOException {
    if (!missing.isEmpty()) {
      files.put("missing.txt", String.join("\n", missing) + "\n");
    }
    create(file);
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> part : files.entrySet()) {
        zip.putNextEntry(new ZipEntry("poolkeeper-bundle/" + part.getKey()));
        zip.write(part.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }

  /** Makes the file, which must not exist, for its owner alone: it has the logs of pods. */
  static void create(Path file) throws IOException {
    boolean owned = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    Files.createFile(file, owned ? OWNERS : new FileAttribute<?>[0]);
  }
}
