package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.RESYNC;
import static io.poolkeeper.service.ServiceFixtures.T0;
import static io.poolkeeper.service.ServiceFixtures.VERIFY_AFTER;
import static io.poolkeeper.service.ServiceFixtures.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pcollections.TreePSet;

/** Architecture, When load balancers are listed: to the instant. */
class ListingScheduleTest {
  private static final ListingSchedule AT_START = ListingSchedule.startingAt(T0);
  private static final ListingSchedule LISTED = listed(AT_START, T0);

  /** After a listing that showed all groups. */
  private static ListingSchedule listed(ListingSchedule before, Instant now) {
    return before.started(RESYNC, now, 0.5).finished(false, UnreadGroups.NONE);
  }

  private static Instant at(double seconds) {
    return T0.plusMillis(Math.round(seconds * 1000));
  }

  @Test
  void due_atTheStart_isNow() {
    assertThat(AT_START.due()).contains(T0);
  }

  @Test
  void due_whileOneIsUnderWay_isNever() {
    ListingSchedule underWay = AT_START.started(RESYNC, T0, 0.5);

    assertThat(underWay.due()).isEmpty();
    assertThat(underWay.ask(at(5)).due()).isEmpty();
  }

  @Test
  void due_nothingAsked_isAResyncAfterTheLastStart() {
    assertThat(LISTED.due()).contains(T0.plus(RESYNC));
  }

  @ParameterizedTest
  @CsvSource({"0, 540000", "0.5, 600000", "0.999, 659880"})
  void due_nothingAsked_isSpreadByATenth(double random, long millis) {
    ListingSchedule listed =
        AT_START.started(RESYNC, T0, random).finished(false, UnreadGroups.NONE);

    assertThat(listed.due()).contains(T0.plusMillis(millis));
  }

  @Test
  void ask_afterAQuietTime_isDueASecondLater() {
    assertThat(LISTED.ask(at(100)).due()).contains(at(101));
  }

  @Test
  void ask_beforeTheFirstListing_doesNotPutItOff() {
    assertThat(AT_START.ask(at(0.5)).due()).contains(T0);
  }

  @Test
  void ask_severalTimes_keepsTheFirstInstant() {
    assertThat(LISTED.ask(at(100)).ask(at(100.5)).ask(at(100.9)).due()).contains(at(101));
  }

  @Test
  void ask_whileAListingIsUnderWay_isDueAfterIt() {
    ListingSchedule underWay = AT_START.started(RESYNC, T0, 0.5).ask(at(0.2));

    assertThat(underWay.finished(false, UnreadGroups.NONE).due()).contains(at(1.2));
  }

  @Test
  void ask_laterThanTheResync_doesNotPutItOff() {
    ListingSchedule asked = LISTED.ask(T0.plus(RESYNC).minusMillis(500));

    assertThat(asked.due()).contains(T0.plus(RESYNC));
  }

  @Test
  void ask_withoutEndAndEveryListingShowsSomethingNew_isServedEverySecond() {
    assertThat(distances(true)).allMatch(distance -> distance == 1);
  }

  /** The seconds between listings while something asks ten times a second. */
  private static List<Long> distances(boolean news) {
    ListingSchedule schedule = LISTED;
    List<Long> distances = new ArrayList<>();
    Instant last = T0;
    for (int tenth = 0; tenth < 6000; tenth++) {
      Instant now = T0.plusMillis(100L * tenth);
      schedule = schedule.ask(now);
      if (!schedule.due().orElseThrow().isAfter(now)) {
        schedule = schedule.started(RESYNC, now, 0.5).finished(news, UnreadGroups.NONE);
        distances.add(Duration.between(last, now).toSeconds());
        last = now;
      }
    }
    return distances;
  }

  @Test
  void ask_aQuietMinuteAfterMany_isDueASecondLaterAgain() {
    ListingSchedule schedule = LISTED;
    Instant now = T0;
    for (int i = 0; i < 10; i++) {
      schedule = schedule.ask(now);
      now = schedule.due().orElseThrow();
      schedule = listed(schedule, now);
    }
    assertThat(schedule.ask(now).due()).contains(now.plusSeconds(60));

    Instant later = now.plusSeconds(60);
    assertThat(schedule.ask(later).due()).contains(later.plusSeconds(1));
  }

  @Test
  void failed_inARow_isRepeatedAtADistanceThatDoublesToAMinute() {
    ListingSchedule schedule = AT_START;
    Instant now = T0;
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      schedule = failed(schedule.started(RESYNC, now, 0.5), now);
      Instant due = schedule.due().orElseThrow();
      waits.add(Duration.between(now, due).toSeconds());
      now = due;
    }

    assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
  }

  /** A right that is missing may be so for days, and each try lists all groups. */
  @Test
  void outage_isRepeated30SecondsApartInTheEnd() {
    ArmFailure away = new ArmFailure(ArmFailure.Kind.RESPONSE, 503, "ServerBusy", "later");
    UnreadGroups unread = UnreadGroups.NONE;
    for (int i = 0; i < 9; i++) {
      unread =
          unread.after(new Listing("rg", List.of(), List.of(), Set.of(), Map.of("rg", away)), T0);
    }

    assertThat(unread.ownRetryAt()).contains(T0.plusSeconds(30));
  }

  @Test
  void failed_thenOneSucceeds_countsAnew() {
    ListingSchedule twice =
        failed(failed(AT_START.started(RESYNC, T0, 0.5), T0).started(RESYNC, at(1), 0.5), at(1));
    ListingSchedule listed = twice.started(RESYNC, at(3), 0.5).finished(true, UnreadGroups.NONE);
    ListingSchedule schedule = failed(listed.started(RESYNC, at(100), 0.5), at(101));

    assertThat(schedule.due()).contains(at(102));
  }

  @Test
  void anyHistory_neverHasTwoListingsUnderWayNorForgetsTheResync() {
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ListingSchedule schedule = AT_START;
      Instant now = T0;
      for (int step = 0; step < 100; step++) {
        now = now.plusMillis(random.nextInt(20_000));
        schedule =
            switch (random.nextInt(6)) {
              case 0 -> schedule.ask(now);
              case 1 -> schedule.verify(VERIFY_AFTER, now);
              case 2 -> schedule.cloudProviderWrote(key("default/web"), now);
              default -> goesOn(schedule, now, random);
            };
        Instant latest = schedule.listings().lastStart().map(last -> last.plus(RESYNC)).orElse(T0);
        if (schedule.inFlight()) {
          assertThat(schedule.due())
              .as("seed %d", seed)
              .isEqualTo(schedule.listings().first(ListingCause.PEER));
        } else {
          assertThat(schedule.due().orElseThrow()).as("seed %d", seed).isBeforeOrEqualTo(latest);
        }
      }
    }
  }

  /** The listing under way shows no group. */
  private static ListingSchedule failed(ListingSchedule schedule, Instant now) {
    return schedule.finished(false, schedule.unread().after(ServiceFixtures.UNLISTED, now));
  }

  private static ListingSchedule goesOn(
      ListingSchedule schedule, Instant now, SplittableRandom random) {
    if (schedule.inFlight()) {
      return random.nextBoolean()
          ? schedule.finished(random.nextBoolean(), UnreadGroups.NONE)
          : failed(schedule, now);
    }
    return schedule.due().orElseThrow().isAfter(now)
        ? schedule
        : schedule.started(RESYNC, now, 0.5);
  }

  @Test
  void ask_withoutEnd_isServedAtADistanceThatDoublesToAMinute() {
    assertThat(distances(false)).startsWith(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
  }

  @Test
  void verify_quiet_isServedThreeTimes() {
    ListingSchedule wanted = LISTED.verify(VERIFY_AFTER, at(100));

    assertThat(starts(wanted, at(500)))
        .containsExactly("LOOK at 135", "LOOK at 220", "LOOK at 400");
  }

  @Test
  void verify_withVerifyAfterZero_never() {
    ListingSchedule off = ListingSchedule.startingAt(T0).started(RESYNC, T0, 0.5);

    assertThat(off.finished(false, UnreadGroups.NONE).verify(Duration.ZERO, at(100)).due())
        .contains(T0.plus(RESYNC));
  }

  @Test
  void verify_byManyPools_isOneListingPer30Seconds() {
    ListingSchedule schedule = LISTED;
    for (int pool = 0; pool < 40; pool++) {
      schedule = schedule.verify(VERIFY_AFTER, at(100 + pool));
    }

    assertThat(starts(schedule, at(500)))
        .containsExactly(
            "LOOK at 135",
            "LOOK at 165",
            "LOOK at 195",
            "LOOK at 225",
            "LOOK at 255",
            "LOOK at 285",
            "LOOK at 400",
            "LOOK at 430",
            "LOOK at 460");
  }

  @Test
  void verify_whileNoListingCanStart_keepsOneThatIsOverdue() {
    ListingSchedule schedule = LISTED;
    for (int second = 0; second < 3_600; second += 20) {
      schedule = schedule.verify(VERIFY_AFTER, at(100 + second));
    }

    assertThat(looks(schedule).headSet(at(3_680), true)).hasSize(1);
  }

  @Test
  void verify_again_putsOffNoLookThatIsDue() {
    ListingSchedule schedule = LISTED.verify(VERIFY_AFTER, at(100));
    for (int second = 101; second < 135; second++) {
      schedule = schedule.verify(VERIFY_AFTER, at(second));
    }

    assertThat(schedule.due()).contains(at(135));
  }

  @Test
  void verify_withoutEnd_keepsAFewInstants() {
    ListingSchedule schedule = LISTED;
    int looks = 0;
    for (int tenth = 1_000; tenth < 21_000; tenth++) {
      Instant now = T0.plusMillis(100L * tenth);
      schedule = schedule.verify(VERIFY_AFTER, now);
      if (!schedule.due().orElseThrow().isAfter(now)) {
        looks += schedule.cause(now) == ListingCause.LOOK ? 1 : 0;
        schedule = listed(schedule, now);
      }
      assertThat(looks(schedule)).hasSizeLessThanOrEqualTo(12);
    }
    assertThat(looks).isBetween(60, 67);
  }

  @Test
  void looksAndListingsThatWereAskedFor_doNotPutEachOtherOff() {
    ListingSchedule schedule = LISTED.verify(VERIFY_AFTER, at(100)).ask(at(134));

    assertThat(starts(schedule, at(200))).containsExactly("LOOK at 135");
    assertThat(starts(schedule.ask(at(135.5)), at(200))).containsExactly("LOOK at 135");
  }

  @Test
  void cloudProviderWrote_isServedASecondLater() {
    ListingSchedule wrote = LISTED.cloudProviderWrote(key("default/web"), at(100));

    assertThat(wrote.cloudProviderWrote(key("default/api"), at(100.9)).due()).contains(at(101));
    assertThat(wrote.cause(at(101))).isEqualTo(ListingCause.PEER);
  }

  @Test
  void cloudProviderWrote_withoutEnd_isServedEveryTwoSecondsWhateverElseAsks() {
    ListingSchedule schedule = LISTED;
    List<Long> distances = new ArrayList<>();
    Instant last = T0;
    for (int tenth = 0; tenth < 600; tenth++) {
      Instant now = T0.plusMillis(100L * tenth);
      schedule = schedule.cloudProviderWrote(key("default/web"), now).ask(now);
      if (!schedule.due().orElseThrow().isAfter(now)) {
        schedule = listed(schedule, now).shown(Set.of(), now);
        distances.add(Duration.between(last, now).toMillis());
        last = now;
      }
    }

    assertThat(distances).hasSizeBetween(29, 33);
    assertThat(distances.subList(3, 25)).containsOnly(2_000L);
  }

  @Test
  void cloudProviderWrote_whileAListingIsUnderWay_isServedByAnother() {
    ListingSchedule underWay = LISTED.ask(at(100)).started(RESYNC, at(101), 0.5);

    ListingSchedule after =
        underWay
            .cloudProviderWrote(key("default/web"), at(101.5))
            .finished(false, UnreadGroups.NONE)
            .shown(Set.of(), at(104));

    assertThat(after.due()).contains(at(103));
  }

  @Test
  void cloudProviderWrote_whileAListingIsUnderWay_aRoundOfGetsMayBegin_andNoOtherBesideIt() {
    ListingSchedule underWay =
        LISTED
            .ask(at(100))
            .started(RESYNC, at(101), 0.5)
            .cloudProviderWrote(key("default/web"), at(110));
    assertThat(underWay.due()).contains(at(111));
    assertThat(underWay.few(List.of(ServiceFixtures.webPoolId("lb-1")), at(111))).hasSize(1);

    ListingSchedule both =
        underWay
            .verifying(List.of(ServiceFixtures.webPoolId("lb-1")))
            .cloudProviderWrote(key("default/api"), at(112));

    assertThat(both.due()).isEmpty();
    assertThat(both.finished(false, UnreadGroups.NONE).due()).contains(at(113));
    assertThat(both.verified(Set.of(), at(114)).due()).contains(at(113));
  }

  @Test
  void cloudProviderWrote_poolStillUpdating_isLookedAtAgainAFewTimes() {
    ListingSchedule schedule = LISTED.cloudProviderWrote(key("default/web"), at(100));
    List<Long> starts = new ArrayList<>();
    while (schedule.due().orElseThrow().isBefore(at(200))) {
      Instant now = schedule.due().orElseThrow();
      starts.add(Duration.between(T0, now).toSeconds());
      schedule =
          listed(schedule, now).shown(schedule.cloudProvider().written(), now.plusMillis(500));
    }

    assertThat(starts).containsExactly(101L, 103L, 105L, 110L, 118L, 135L);
    assertThat(schedule.cloudProvider()).isEqualTo(CloudProviderWrites.NONE);
  }

  @Test
  void cloudProviderWrote_poolNotUpdatingAnyMore_endsIt() {
    ListingSchedule schedule =
        LISTED
            .cloudProviderWrote(key("default/web"), at(100))
            .started(RESYNC, at(101), 0.5)
            .finished(true, UnreadGroups.NONE)
            .shown(Set.of(), at(101.2));

    assertThat(schedule.cloudProvider()).isEqualTo(CloudProviderWrites.NONE);
    assertThat(schedule.due()).contains(at(101).plus(RESYNC));
  }

  private static TreePSet<Instant> looks(ListingSchedule schedule) {
    return schedule.listings().all().getOrDefault(ListingCause.LOOK, TreePSet.empty());
  }

  /** The listings until then, each with its cause. */
  private static List<String> starts(ListingSchedule schedule, Instant end) {
    List<String> starts = new ArrayList<>();
    ListingSchedule next = schedule;
    while (next.due().orElseThrow().isBefore(end)) {
      Instant now = next.due().orElseThrow();
      starts.add(next.cause(now) + " at " + Duration.between(T0, now).toSeconds());
      next = listed(next, now).shown(Set.of(), now);
    }
    return starts;
  }
}
