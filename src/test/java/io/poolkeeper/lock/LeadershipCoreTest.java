package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.Leadership.Leading;
import io.poolkeeper.lock.Leadership.Over;
import io.poolkeeper.lock.Leadership.Standby;
import io.poolkeeper.lock.LeadershipCore.Effect.Lead;
import io.poolkeeper.lock.LeadershipCore.Effect.Resign;
import io.poolkeeper.lock.LeadershipCore.Event.Ended;
import io.poolkeeper.lock.LeadershipCore.Event.Renewed;
import io.poolkeeper.lock.LeadershipCore.Event.TimerDue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Until when a replica may begin writes, and when it gives up. */
class LeadershipCoreTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final String LATE = "the leader's lease was not renewed for 10 s";

  private final LeadershipCore core = new LeadershipCore(Duration.ofSeconds(10));

  private static Instant at(double seconds) {
    return T0.plusMillis(Math.round(seconds * 1000));
  }

  private Decision<Leadership, LeadershipCore.Effect> decide(
      Leadership state, LeadershipCore.Event event, double seconds) {
    return core.decide(state, event, at(seconds), new SplittableRandom(1));
  }

  @Test
  void standby_mayBeginNothing() {
    assertThat(new Standby().mayBegin(Instant.MIN)).isFalse();
    assertThat(core.wakeAt(new Standby())).isEmpty();
  }

  static Stream<Arguments> decisions() {
    return Stream.of(
        arguments(new Standby(), new Renewed(at(0)), 3, of(new Leading(at(10)), new Lead())),
        arguments(new Standby(), new Renewed(at(0)), 10, of(new Standby())),
        arguments(new Leading(at(10)), new Renewed(at(2)), 2.1, of(new Leading(at(12)))),
        arguments(new Leading(at(12)), new Renewed(at(1)), 2.2, of(new Leading(at(12)))),
        arguments(new Leading(at(10)), new TimerDue(), 9.999, of(new Leading(at(10)))),
        arguments(new Leading(at(10)), new TimerDue(), 10, of(new Over(), new Resign(LATE))),
        arguments(new Leading(at(10)), new Ended("taken"), 5, of(new Over(), new Resign("taken"))),
        arguments(new Over(), new Ended("again"), 5, of(new Over())),
        arguments(new Over(), new Renewed(at(5)), 5, of(new Over())),
        arguments(new Over(), new TimerDue(), 15, of(new Over())));
  }

  private static Decision<Leadership, LeadershipCore.Effect> of(
      Leadership state, LeadershipCore.Effect... effects) {
    return new Decision<>(state, List.of(effects));
  }

  /** It leads until a deadline after a renewal was sent, and gives up once and for good. */
  @ParameterizedTest
  @MethodSource("decisions")
  void decide_everyEvent(
      Leadership before,
      LeadershipCore.Event event,
      double seconds,
      Decision<Leadership, LeadershipCore.Effect> expected) {
    assertThat(decide(before, event, seconds)).isEqualTo(expected);
  }

  @Test
  void leading_mayBeginUntilTheDeadline_andWakesThen() {
    Leadership leads = new Leading(at(10));

    assertThat(leads.mayBegin(at(9.999))).isTrue();
    assertThat(leads.mayBegin(at(10))).isFalse();
    assertThat(core.wakeAt(leads)).contains(at(10));
    assertThat(new Over().mayBegin(at(5))).isFalse();
    assertThat(core.wakeAt(new Over())).isEmpty();
  }

  /**
   * A process stands still for any time, at any moment between two renewals, and another one takes
   * the Lease as soon as it may: the shorter deadline leaves a gap between the two.
   */
  @Test
  void pause_ofAnyLength_leavesNoMomentInWhichBothMayBegin() {
    Duration lease = Duration.ofSeconds(15);
    for (int sent = 0; sent < 4_000; sent += 250) {
      Instant renewed = T0.plusMillis(sent);
      Leadership old = decide(new Leading(at(10)), new Renewed(renewed), sent / 1000.0).state();
      for (int seen = 0; seen <= 5_000; seen += 250) {
        Instant taken = renewed.plusMillis(seen).plus(lease);
        for (int pause = 0; pause < 40_000; pause += 500) {
          Instant resumed = renewed.plusMillis(pause);
          assertThat(old.mayBegin(resumed) && !resumed.isBefore(taken)).isFalse();
        }
      }
      assertThat(Duration.between(old.until(), renewed.plus(lease)))
          .isEqualTo(lease.minusSeconds(10));
    }
  }
}
