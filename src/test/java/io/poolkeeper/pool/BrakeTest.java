package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.edit;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.pool.Leftover.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrakeTest {
  private static final Duration DELAY = Duration.ofSeconds(15);
  private static final Brake BRAKE = new Brake(500, 3, DELAY);

  /** The removal of n1 and so on from a pool of n1 and so on, and what is added. */
  private static Optional<Instant> until(
      Brake brake, int entries, int removed, String added, Map<Leftover, Instant> since) {
    return brake.until(
        pool(numbers(entries, "n%d ")), edit(numbers(removed, "-%d ") + added), since, T0);
  }

  private static String numbers(int count, String form) {
    return IntStream.rangeClosed(1, count).mapToObj(form::formatted).collect(Collectors.joining());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, true", // the last one
    "2, 1, false",
    "2, 2, true",
    "3, 2, false", // fewer than 3
    "4, 2, false",
    "4, 3, true",
    "6, 3, false", // half is not more than half
    "6, 4, true",
    "7, 3, false",
    "7, 4, true",
    "7, 0, false"
  })
  void removal_ofMoreThanHalf_orOfTheLast_waits(int entries, int removed, boolean waits) {
    Optional<Instant> expected = waits ? Optional.of(T0.plus(DELAY)) : Optional.empty();

    assertThat(until(BRAKE, entries, removed, "", Map.of())).isEqualTo(expected);
    assertThat(until(Brake.OFF, entries, removed, "", Map.of())).isEmpty();
  }

  @Test
  void removal_ofTheLast_besideAnAddition_doesNotEmptyThePool() {
    assertThat(until(BRAKE, 1, 1, "+n9", Map.of())).isEmpty();
  }

  /** The fourth of seven makes it too much; the first was wanted before, the fifth comes later. */
  @Test
  void wait_beginsWithTheOneThatMakesItTooMuch() {
    Map<Leftover, Instant> since = new TreeMap<>();
    List<Integer> ago = List.of(60, 9, 8, 7, 1);
    for (int i = 0; i < ago.size(); i++) {
      Leftover entry =
          new Leftover(Kind.ADDRESS, "n" + (i + 1), Optional.empty(), Optional.empty());
      since.put(entry, T0.minusSeconds(ago.get(i)));
    }

    assertThat(until(BRAKE, 7, 5, "", since)).contains(T0.minusSeconds(7).plus(DELAY));
  }

  @Test
  void limits_outOfRange_areRefused() {
    assertThatThrownBy(() -> new Brake(0, 3, DELAY)).hasMessageContaining("removal must be 1");
    assertThatThrownBy(() -> new Brake(1_001, 3, DELAY)).hasMessageContaining("not 1001");
    assertThatThrownBy(() -> new Brake(500, 0, DELAY)).hasMessageContaining("entries must be 1");
    assertThatThrownBy(() -> new Brake(500, 3, Duration.ofHours(2))).hasMessageContaining("PT2H");
  }
}
