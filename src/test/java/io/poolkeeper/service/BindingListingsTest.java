package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.RESYNC;
import static io.poolkeeper.service.ServiceFixtures.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The listings that bindings of unknown pools cause, beside those that Services ask for. */
class BindingListingsTest {
  private static final ListingSchedule AT_START = ListingSchedule.startingAt(T0);
  private static final ListingSchedule LISTED =
      AT_START.started(RESYNC, T0, 0.5).finished(false, UnreadGroups.NONE);

  private static Instant at(double seconds) {
    return T0.plusMillis((long) (seconds * 1000));
  }

  @Test
  void soon_isOneTenSecondsAfterTheLast_howeverManyAsk() {
    assertThat(LISTED.askForBinding(at(1)).askForBinding(at(2)).due()).contains(at(10));
    assertThat(LISTED.askForBinding(at(100)).due()).contains(at(101));
    assertThat(LISTED.askForBinding(T0.plus(RESYNC)).due()).contains(T0.plus(RESYNC));
    assertThat(AT_START.askForBinding(T0).due()).contains(T0);
    ListingSchedule again =
        LISTED.askForBinding(at(1)).started(RESYNC, at(10), 0.5).finished(false, UnreadGroups.NONE);
    assertThat(again.due()).contains(at(610));
    assertThat(again.askForBinding(at(10.5)).due()).contains(at(20));
  }

  @Test
  void soon_andAskAfterIt_orBefore_leavesTheAskWhereItIs() {
    assertThat(LISTED.askForBinding(at(1)).ask(at(2)).due()).contains(at(3));
    assertThat(LISTED.ask(at(2)).askForBinding(at(2)).due()).contains(at(3));
  }

  /** Services have asked in vain so long that what they ask for comes once a minute. */
  @ParameterizedTest
  @CsvSource({"11, 60", "59.5, 60.5", "70, 71", "300, 301"})
  void ask_afterListingsOfBindings_isDueAsWithoutThem(double asked, double due) {
    ListingSchedule slow = LISTED;
    Instant start = T0;
    while (slow.distance().toSeconds() < 60) {
      slow = slow.ask(start);
      start = slow.due().orElseThrow();
      slow = slow.started(RESYNC, start, 0.5).finished(false, UnreadGroups.NONE);
    }
    ListingSchedule bindings = slow;
    for (int second = 10; second < asked; second += 10) {
      Instant then = start.plusSeconds(second);
      bindings =
          bindings
              .askForBinding(then.minusSeconds(1))
              .started(RESYNC, then, 0.5)
              .finished(false, UnreadGroups.NONE);
    }
    Instant now = start.plusMillis((long) (asked * 1000));
    Instant expected = start.plusMillis((long) (due * 1000));

    assertThat(slow.ask(now).due()).contains(expected);
    assertThat(bindings.ask(now).due()).contains(expected);
  }
}
