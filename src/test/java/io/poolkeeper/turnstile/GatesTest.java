package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gates of a subscription: they never shorten, and open slowly. */
class GatesTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Gates CLOSED = Gates.OPEN.close(true, T0);

  /** Lets as many through as may pass now. */
  private static Gates drained(Gates gates, Instant now) {
    Gates next = gates;
    for (int turn = 0; turn < 1_000 && next.passable(now); turn++) {
      next = next.passed(now);
    }
    return next;
  }

  @Test
  void passable_neverClosed_withoutALimit() {
    assertThat(drained(Gates.OPEN, T0)).isEqualTo(Gates.OPEN);
    assertThat(Gates.OPEN.readable(T0)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void passable_eitherGateClosed_notBeforeItsEnd(boolean write) {
    Gates gates = Gates.OPEN.close(write, T0);

    assertThat(gates.passable(T0.minusNanos(1))).isFalse();
    assertThat(gates.passable(T0)).isTrue();
    assertThat(gates.nextChange(T0.minusSeconds(60))).isEqualTo(T0);
  }

  @Test
  void readable_writerGateClosed_stillIs() {
    assertThat(CLOSED.readable(T0.minusSeconds(60))).isTrue();
    assertThat(Gates.OPEN.close(false, T0).readable(T0.minusNanos(1))).isFalse();
    assertThat(Gates.OPEN.close(false, T0).readable(T0)).isTrue();
  }

  @Test
  void passable_justOpened_lets1And2And4And8ThroughPerSecond() {
    Gates gates = CLOSED;
    int before = 0;
    for (int second = 0; second < 4; second++) {
      Instant now = T0.plusSeconds(second);
      gates = drained(gates, now.plusMillis(999));
      assertThat(gates.granted() - before).isEqualTo(1 << second);
      assertThat(gates.nextChange(now.plusMillis(999))).isEqualTo(now.plusSeconds(1));
      before = gates.granted();
    }
    assertThat(gates.granted()).isEqualTo(15);
    assertThat(gates.passable(T0.plusSeconds(4))).isTrue();
    assertThat(gates.passed(T0.plusSeconds(4)).granted()).isEqualTo(15);
  }

  @Test
  void passable_nobodyCameInTheFirstSeconds_whatWasAllowedIsStillThere() {
    assertThat(drained(CLOSED, T0.plusSeconds(2)).granted()).isEqualTo(7);
    assertThat(drained(CLOSED, T0.plusMillis(3_999)).granted()).isEqualTo(15);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "0.999999999,1", "1,3", "2,7", "3,15"})
  void passed_untilNoMore_countsExactly(double seconds, int turns) {
    Instant now = T0.plusNanos((long) (seconds * 1e9));

    assertThat(drained(CLOSED, now).granted()).isEqualTo(turns);
    assertThat(drained(CLOSED, now).passable(now)).isFalse();
  }

  @Test
  void close_earlierOrEqual_changesNothing() {
    Gates some = drained(CLOSED, T0.plusSeconds(1));

    assertThat(some.close(true, T0)).isSameAs(some);
    assertThat(some.close(true, T0.minusSeconds(1))).isSameAs(some);
  }

  @Test
  void close_later_startsSlowlyAgain() {
    Gates some = drained(CLOSED, T0.plusSeconds(3));

    Gates again = some.close(true, T0.plusSeconds(30));

    assertThat(again).isEqualTo(new Gates(Instant.EPOCH, T0.plusSeconds(30), 0));
    assertThat(drained(again, T0.plusSeconds(30)).granted()).isEqualTo(1);
  }

  @Test
  void close_otherGateForLess_keepsTheSlowStart() {
    Gates some = drained(CLOSED, T0.plusSeconds(1));

    Gates other = some.close(false, T0.minusSeconds(5));

    assertThat(other).isEqualTo(new Gates(T0.minusSeconds(5), T0, 3));
    assertThat(other.close(false, T0)).isEqualTo(new Gates(T0, T0, 3));
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
        since = gates.turnsFrom().equals(before.turnsFrom()) ? since : 0;
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
