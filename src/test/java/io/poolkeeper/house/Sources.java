package io.poolkeeper.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The roots of Java sources: the controller, what rehearses it, and the tests of both. */
final class Sources {
  static final Path MAIN = root("main");
  static final Path REHEARSAL = root("rehearsal");
  static final List<Path> PROGRAM = List.of(MAIN, REHEARSAL);
  static final List<Path> TESTS = List.of(root("test"), root("rehearsal-test"));

  private Sources() {}

  private static Path root(String name) {
    return Path.of("src", name, "java", "io", "poolkeeper");
  }

  /** All Java files below some roots. */
  static List<Path> below(List<Path> roots) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
      }
    }
    return found;
  }

  /** The room of a file below a root. */
  static String room(Path file) {
    int first = MAIN.getNameCount(); // all roots are as deep
    return file.getNameCount() == first + 1 ? "(root)" : file.getName(first).toString();
  }

  /** The rooms below a root of the program. */
  static List<String> rooms(Path root) {
    try (Stream<Path> rooms = Files.list(root)) {
      return rooms.filter(Files::isDirectory).map(room -> room.getFileName().toString()).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Whether the program has a type, such as {@code pool/PoolCore}. */
  static boolean hasType(String named) {
    return PROGRAM.stream().anyMatch(root -> Files.isRegularFile(root.resolve(named + ".java")));
  }
}
