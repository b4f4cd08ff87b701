package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.Leadership.Leading;
import io.poolkeeper.lock.Leadership.Over;
import io.poolkeeper.lock.Leadership.Standby;
import io.poolkeeper.lock.LeadershipEffect.Lead;
import io.poolkeeper.lock.LeadershipEffect.Resign;
import io.poolkeeper.lock.LeadershipEvent.Ended;
import io.poolkeeper.lock.LeadershipEvent.Renewed;
import io.poolkeeper.lock.LeadershipEvent.TimerDue;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Until when a replica may begin writes, and when it gives up. */
class LeadershipCoreTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private final LeadershipCore core = new LeadershipCore(Duration.ofSeconds(10));

  private static Instant at(double seconds) {
    return T0.plusMillis(Math.round(seconds * 1000));
  }

  private Decision<Leadership, LeadershipEffect> decide(
      Leadership state, LeadershipEvent event, double seconds) {
    return core.decide(state, event, at(seconds), new SplittableRandom(1));
  }

  @Test
  void standby_mayBeginNothing() {
    assertThat(new Standby().mayBegin(Instant.MIN)).isFalse();
    assertThat(core.wakeAt(new Standby())).isEmpty();
  }

  @Test
  void firstRenewal_leads_untilTheDeadlineAfterItWasSent() {
    var leads = decide(new Standby(), new Renewed(at(0)), 3);

    assertThat(leads).isEqualTo(Decision.of(new Leading(at(10)), new Lead()));
    assertThat(leads.state().mayBegin(at(9.999))).isTrue();
    assertThat(leads.state().mayBegin(at(10))).isFalse();
    assertThat(core.wakeAt(leads.state())).contains(at(10));
  }

  @Test
  void firstRenewal_heardOfTooLate_leadsNotYet() {
    assertThat(decide(new Standby(), new Renewed(at(0)), 10)).isEqualTo(Decision.of(new Standby()));
  }

  @Test
  void renewal_prolongsAndIsNoNews() {
    assertThat(decide(new Leading(at(10)), new Renewed(at(2)), 2.1))
        .isEqualTo(Decision.of(new Leading(at(12))));
  }

  @Test
  void renewal_heardOfInAnotherOrder_shortensNothing() {
    assertThat(decide(new Leading(at(12)), new Renewed(at(1)), 2.2))
        .isEqualTo(Decision.of(new Leading(at(12))));
  }

  @Test
  void timer_atTheDeadline_resigns() {
    assertThat(decide(new Leading(at(10)), new TimerDue(), 10))
        .isEqualTo(
            Decision.of(new Over(), new Resign("the leader's lease was not renewed for 10 s")));
  }

  @Test
  void timer_aheadOfTheClock_isNothing() {
    assertThat(decide(new Leading(at(10)), new TimerDue(), 9.999))
        .isEqualTo(Decision.of(new Leading(at(10))));
  }

  @Test
  void endOfTheElection_resignsOnce_andForGood() {
    var over = decide(new Leading(at(10)), new Ended("taken"), 5);

    assertThat(over).isEqualTo(Decision.of(new Over(), new Resign("taken")));
    assertThat(over.state().mayBegin(at(5))).isFalse();
    assertThat(decide(over.state(), new Ended("again"), 5)).isEqualTo(Decision.of(new Over()));
    assertThat(decide(over.state(), new Renewed(at(5)), 5)).isEqualTo(Decision.of(new Over()));
    assertThat(decide(over.state(), new TimerDue(), 15)).isEqualTo(Decision.of(new Over()));
    assertThat(core.wakeAt(over.state())).isEmpty();
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
