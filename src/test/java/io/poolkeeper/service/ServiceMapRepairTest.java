package io.poolkeeper.service;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What asks for a listing, what a dirty pool is told, and how a crashed pool begins again. */
class ServiceMapRepairTest {
  private final Story story = new Story();

  /** Everything is known, and the last listing is a quiet minute ago. */
  @BeforeEach
  void ready() {
    story.plays(
        """
        node n4 n5
        slice s1 web n4
        local web
        all synced
        list lb-1/web
        after 10m
        list lb-1/web
        after 1m
        """);
  }

  @ParameterizedTest
  @CsvSource({
    "cluster shop, 1s",
    "local web digest=2, 1s",
    "report lb-1/web LISTING_WANTED, 1s",
    "crash lb-1/web, 1s",
    "report lb-1/web VERIFICATION_WANTED, 35s",
    // Even if no pool wants anything else: the cloud provider's updater acts on each slice.
    "slice s2 web n4, 35s",
    "slice s1 web n5, 35s",
    // It is the same again, gone, being deleted, or of another type.
    "local web, 9m",
    "gone web, 9m",
    "cluster web, 9m",
    "plain plain, 9m",
    "slice s2 none n4, 9m"
  })
  void event_asksForAListing_orForNone(String event, String wakes) {
    story.plays(event + "\nwakes " + wakes);
  }

  @ParameterizedTest
  @CsvSource({
    "local shop, slice s2 shop n4, 1s",
    "local web ip=46, slice s1 web n5, 1s",
    "cluster shop, slice s2 shop n4, 10m"
  })
  void endpoints_ofAServiceThatLacksAPool_askForAListing(
      String service, String endpoints, String wakes) {
    story.plays(service + "\nlist lb-1/web\n");

    story.plays(wakes.equals("1s") ? "after 1m\n" + endpoints : endpoints);

    story.plays("wakes " + wakes);
  }

  @Test
  void dirtyPool_onNewsOfItsService_isToldTheEqualLevelAgain_andByAListingIsShownItOnly() {
    story.plays(
        """
        report lb-1/web FAILING
        slice s1 web n4 -> lb-1/web web#1 [n4]
        local web digest=2 -> lb-1/web web#1 [n4]
        slice s9 other n4 ->
        list lb-1/web -> lb-1/web shown [n4]
        """);
  }

  /** At most once in five seconds, and not of a pool that is clean already or that nobody owns. */
  @Test
  void dirtyPool_whenAnotherTurnsClean_isToldThatItRecovered() {
    twoDirtyPools();

    story.plays(
        """
        report lb-1/api RECOVERED -> lb-1/web another recovered
        report lb-1/api RECOVERED ->
        after 1s
        report lb-1/api FAILING
        report lb-1/api RECOVERED ->
        wakes 4s
        due -> lb-1/web another recovered
        """);
  }

  /** No other pool may be there that recovers first. */
  @Test
  void dirtyPool_onAListingAfterOneThatFailed_isToldThatArmRecovered() {
    story.plays(
        """
        report lb-1/web FAILING
        due
        failed ->
        due
        listed lb-1/web ~> lb-1/web another recovered
        due
        listed lb-1/web -> lb-1/web shown [n4]
        """);
  }

  @Test
  void dirtyPool_whenAnotherIsUnownedOrNotThere_isToldNothing() {
    twoDirtyPools();

    story.plays("report lb-1/api DROPPED ->\nreport lb-1/api RECOVERED ->");
  }

  /** The pool, and one of another Service. */
  private void twoDirtyPools() {
    story.plays(
        """
        local api
        slice s2 api n4
        list lb-1/web lb-1/api
        report lb-1/web FAILING
        report lb-1/api FAILING
        """);
  }

  /** It was forgotten, or its actor is a new one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "list lb-1/api\nlist lb-1/web lb-1/api",
        "crash lb-1/web\ndue 1s\nlisted lb-1/web lb-1/api"
      })
  void dirtyPool_thatBeginsAnew_isDirtyNoMore(String begins) {
    twoDirtyPools();
    story.plays(begins);

    story.plays("report lb-1/api RECOVERED ->");
  }

  @Test
  void crashedPool_aSecondLater_isToldEverythingAnew() {
    story.plays(
        """
        crash lb-1/web ->
        due 1s -> lb-1/web shown [n4] -61s; lb-1/web web#1 [n4]; list ASKED
        """);
  }

  @Test
  void crashedPool_whatChangedMeanwhile_isToldWhenItBeginsAgain() {
    story.plays(
        """
        crash lb-1/web
        slice s1 web n5 ->
        after 0.999999999s
        timer ->
        due 0.000000001s ~> lb-1/web web#1 [n5]
        slice s1 web n4 -> lb-1/web web#1 [n4]
        """);
  }

  /** It crashes as soon as it lives again. */
  @Test
  void crashedPool_againAndAgain_waitsTwiceAsLongUpToHalfAMinute_untilFiveMinutesPass() {
    story.plays("crash lb-1/web\ndue 1s ~> web#1");
    for (int wait : new int[] {2, 4, 8, 16, 30, 30}) {
      story.plays("listed lb-1/web\ncrash lb-1/web");
      story.plays("after %d.999s\ntimer\nafter 0.001s\ntimer ~> web#1".formatted(wait - 1));
    }

    story.plays("listed lb-1/web\nafter 4m30s\ncrash lb-1/web\nafter 1s\ntimer ~> web#1");
  }

  @Test
  void crashedPool_releasedOrForgottenMeanwhile_isToldNothing() {
    story.plays(
        """
        crash lb-1/web
        gone web ->
        due 1s -> lb-1/web shown [n4] -61s; list ASKED
        listed -> lb-1/web forgotten
        local web
        list lb-1/web ~> web#2
        start
        crash lb-1/web
        listed -> lb-1/web forgotten
        due 1s -> list ASKED
        """);
  }

  /** Ever rarer while they show nothing new. */
  @ParameterizedTest
  @CsvSource({"lb-1/web, 2s, 4s", "lb-1/web lb-1/api, 1s, 2s"})
  void listingsThatAreAskedForAgainAndAgain_comeSoonerAfterNews(
      String shown, String second, String third) {
    story.plays("slice s2 api n4\nlocal api\ndue 1s\nlisted " + shown);

    story.plays("local web digest=2\ndue %s\nlisted %s".formatted(second, shown));
    story.plays("local web digest=3\ndue %s".formatted(third));
  }

  @Test
  void stop_isSentToEveryPool_andNothingElse() {
    story.plays("stop -> lb-1/web Stop[]\nslice s1 web n5 ->\nwakes never");
  }

  @Test
  void start_nothingKnown_listsAtOnce() {
    new Story().plays("wakes 0s\ndue -> list START");
  }
}
