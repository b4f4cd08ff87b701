package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How many lines of Java each room may have, in {@code room-lines.properties}: a number only falls.
 * A change that needs more raises it in the same commit, and says why.
 */
class RoomLinesTest {
  private static final Path LIMITS = Path.of("src/test/resources/house/room-lines.properties");

  /** Lines: a room that is smaller than its number by more has its number lowered. */
  private static final int LOOSE = 60;

  @Test
  void noRoomGrows_andWhatWasSavedStaysSaved() throws IOException {
    Properties limits = new Properties();
    try (Reader file = Files.newBufferedReader(LIMITS)) {
      limits.load(file);
    }

    Map<String, Long> rooms = new TreeMap<>(lines("", Sources.PROGRAM));
    rooms.putAll(lines("test.", Sources.TESTS));

    assertThat(limits.keySet()).as(LIMITS.toString()).isEqualTo(rooms.keySet());
    assertThat(rooms)
        .as("lines of each room, which %s bounds", LIMITS)
        .allSatisfy(
            (room, count) ->
                assertThat(count)
                    .as(room)
                    .isBetween(limit(limits, room) - LOOSE, limit(limits, room)));
  }

  private static long limit(Properties limits, String room) {
    return Long.parseLong(limits.getProperty(room));
  }

  private static Map<String, Long> lines(String kind, List<Path> roots) throws IOException {
    return Sources.below(roots).stream()
        .collect(
            Collectors.groupingBy(
                file -> kind + Sources.room(file), Collectors.summingLong(RoomLinesTest::count)));
  }

  private static long count(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
