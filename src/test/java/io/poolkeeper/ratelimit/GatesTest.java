package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pcollections.HashTreePMap;

/** Gates of a subscription: they never shorten, and open slowly. */
class GatesTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Gates CLOSED = Gates.OPEN.close(true, T0);

  /** Lets as many through as may pass now. */
  private static Gates drained(Gates gates, Instant now) {
    Gates next = gates;
    for (int permit = 0; permit < 1_000 && next.passable(now); permit++) {
      next = next.passed(now);
    }
    return next;
  }

  @Test
  void passable_neverClosed_withoutALimit() {
    assertThat(drained(Gates.OPEN, T0)).isEqualTo(Gates.OPEN);
    assertThat(Gates.OPEN.readsFrom()).isBefore(T0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void passable_eitherGateClosed_notBeforeItsEnd_andReadsGoThroughThatOfWrites(boolean write) {
    Gates gates = Gates.OPEN.close(write, T0);

    assertThat(gates.passable(T0.minusNanos(1))).isFalse();
    assertThat(gates.passable(T0)).isTrue();
    assertThat(gates.nextChange(T0.minusSeconds(60))).isEqualTo(T0);
    assertThat(gates.readsFrom()).isEqualTo(write ? Instant.EPOCH : T0);
  }

  /** 1, 2, 4 and 8 in the first seconds; what nobody took is still there. */
  @ParameterizedTest
  @CsvSource({"0,1", "999,1", "1000,3", "2000,7", "3999,15"})
  void passable_justOpened_letsTwiceAsManyThroughInEachSecond(long millis, int permits) {
    Instant now = T0.plusMillis(millis);
    Gates gates = drained(CLOSED, now);

    assertThat(gates.granted()).isEqualTo(permits);
    assertThat(gates.passable(now)).isFalse();
    assertThat(gates.nextChange(now)).isEqualTo(T0.plusSeconds(millis / 1_000 + 1));
    assertThat(gates.passed(T0.plusSeconds(4)).granted()).isEqualTo(permits);
  }

  @Test
  void close_later_startsSlowlyAgain_andEarlierOrEqualChangesNothing() {
    Gates some = drained(CLOSED, T0.plusSeconds(3));

    assertThat(some.close(true, T0)).isSameAs(some);
    assertThat(some.close(true, T0.minusSeconds(1))).isSameAs(some);
    assertThat(some.close(true, T0.plusSeconds(30)))
        .isEqualTo(new Gates(Instant.EPOCH, T0.plusSeconds(30), 0, HashTreePMap.empty()));
  }

  @Test
  void close_otherGateForLess_keepsTheSlowStart() {
    Gates some = drained(CLOSED, T0.plusSeconds(1));

    Gates other = some.close(false, T0.minusSeconds(5));

    assertThat(other).isEqualTo(new Gates(T0.minusSeconds(5), T0, 3, HashTreePMap.empty()));
    assertThat(other.close(false, T0)).isEqualTo(new Gates(T0, T0, 3, HashTreePMap.empty()));
  }

  @Test
  void everyHistory_neverShortensAndNeverHurries() {
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Gates gates = Gates.OPEN;
      Instant now = T0;
      int since = 0;
      for (int step = 0; step < 100; step++) {
        Gates before = gates;
        switch (random.nextInt(3)) {
          case 0 ->
              gates =
                  gates.close(random.nextBoolean(), now.plusMillis(random.nextInt(-900, 3_000)));
          case 1 -> now = now.plusMillis(random.nextInt(1_500));
          default -> gates = gates.passable(now) ? gates.passed(now) : gates;
        }
        assertThat(gates.readsFrom()).isAfterOrEqualTo(before.readsFrom());
        assertThat(gates.writesFrom()).isAfterOrEqualTo(before.writesFrom());
        since = gates.permitsFrom().equals(before.permitsFrom()) ? since : 0;
        since += gates.granted() > before.granted() ? 1 : 0;
        assertThat(gates.granted()).isEqualTo(since);
        if (!gates.passable(now)) {
          Instant next = gates.nextChange(now);
          assertThat(gates.passable(next)).isTrue();
          assertThat(gates.passable(next.minusNanos(1))).isFalse();
          assertThat(Duration.between(now, next)).isPositive();
        }
      }
    }
  }
}
