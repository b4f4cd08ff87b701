package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventSpamFilterTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final EventCorrelator.SpamFilter<String> filter =
      new EventCorrelator.SpamFilter<>(Duration.ofMinutes(5));

  @Test
  void admit_burst_lets25Through() {
    assertThat(admitted("a", 30, START)).isEqualTo(25);
  }

  @Test
  void admit_afterABurst_lets1ThroughPerRefill() {
    admitted("a", 25, START);

    assertThat(filter.admit("a", START.plus(Duration.ofMinutes(5)).minusNanos(1))).isFalse();
    assertThat(filter.admit("a", START.plus(Duration.ofMinutes(5)))).isTrue();
    assertThat(filter.admit("a", START.plus(Duration.ofMinutes(5)))).isFalse();
    assertThat(admitted("a", 5, START.plus(Duration.ofMinutes(15)))).isEqualTo(2);
  }

  @Test
  void admit_refusals_costNothing() {
    admitted("a", 100, START);

    assertThat(filter.admit("a", START.plus(Duration.ofMinutes(5)))).isTrue();
  }

  @Test
  void admit_afterAnyPause_letsNoMoreThan25Through() {
    admitted("a", 25, START);

    assertThat(admitted("a", 60, START.plus(Duration.ofDays(30)))).isEqualTo(25);
  }

  @Test
  void admit_otherKey_hasItsOwnBucket() {
    admitted("a", 25, START);

    assertThat(admitted("b", 30, START)).isEqualTo(25);
  }

  @Test
  void admit_clockGoingBack_neitherFailsNorRefills() {
    admitted("a", 25, START);

    assertThat(filter.admit("a", START.minusSeconds(3600))).isFalse();
    assertThat(filter.admit("a", START.minusSeconds(3600).plus(Duration.ofMinutes(5)))).isTrue();
  }

  @Test
  void admit_moreKeysThanRemembered_forgetsTheOneUsedLongestAgo() {
    admitted("first", 25, START);
    admitted("second", 25, START);
    IntStream.range(0, 8190).forEach(i -> filter.admit("key-" + i, START));
    assertThat(filter.admit("first", START)).isFalse();

    filter.admit("one more", START);

    assertThat(filter.size()).isEqualTo(8192);
    assertThat(filter.admit("first", START)).isFalse();
    assertThat(filter.admit("second", START)).isTrue();
  }

  private long admitted(String key, int attempts, Instant now) {
    return IntStream.range(0, attempts).filter(i -> filter.admit(key, now)).count();
  }
}
