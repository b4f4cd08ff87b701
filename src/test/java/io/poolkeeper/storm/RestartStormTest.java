package io.poolkeeper.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.storm.RestartStorm.End;
import io.poolkeeper.turnstile.TurnstileFixtures;
import io.poolkeeper.turnstile.TurnstileLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scenario restart-storm at full length, seed by seed. */
class RestartStormTest {
  private static final double MOST_PUTS_PER_POOL = 1.2;

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 20).boxed().toList();
  }

  /** The storm itself throws if a turn is granted while a drain could have had one. */
  @ParameterizedTest
  @MethodSource("seeds")
  void everyPoolConvergesWithFewWritesAndDrainsGoFirst(long seed) {
    End end = RestartStorm.run(seed);

    StormBooks books = end.books();
    assertThat(books.count()).isEqualTo(RestartStorm.POOLS);
    assertThat(end.restless()).isZero();
    assertThat(books.amplification()).isBetween(1.0, MOST_PUTS_PER_POOL);
    assertThat(end.overlaps()).isZero();
    assertThat(end.lostTurns()).isZero();
    assertThat(books.drainWaits()).hasSize(RestartStorm.DRAINS);
    assertNeverMoreThanBurstAndRate(books);
    assertNothingSentWhileTheGateIsClosed(books);
  }

  /** In all windows, whatever their length; what drains write may use up the reserve as well. */
  private static void assertNeverMoreThanBurstAndRate(StormBooks books) {
    TurnstileLimits limits = TurnstileFixtures.SHIPPED;
    double perSecond = limits.writes().milliPerSecond() / 1_000.0;
    assertThat(StormBooks.overdraft(books.writes(), limits.writes().burst(), perSecond))
        .isNegative();
    List<Double> all = new ArrayList<>(books.writes());
    all.addAll(books.drainWrites());
    double burst = limits.writes().burst() + limits.reserve().burst();
    assertThat(StormBooks.overdraft(all, burst, perSecond)).isNegative();
  }

  /** But for what was on its way when the gate closed, and the one call that found out. */
  private static void assertNothingSentWhileTheGateIsClosed(StormBooks books) {
    double from = RestartStorm.GATE_FROM.toSeconds() + 1;
    double to = RestartStorm.GATE_FROM.plus(RestartStorm.GATE_LENGTH).toSeconds();
    assertThat(books.writes()).noneMatch(at -> at > from && at < to);
    assertThat(books.writes()).anyMatch(at -> at < from).anyMatch(at -> at > to);
  }

  @Test
  void overdraft_isThatOfTheWorstWindow() {
    assertThat(StormBooks.overdraft(List.of(0.0, 10.0, 10.0, 11.0), 2, 0.5)).isEqualTo(0.5);
    assertThat(StormBooks.overdraft(List.of(0.0, 10.0), 2, 0.5)).isEqualTo(-1);
  }
}
