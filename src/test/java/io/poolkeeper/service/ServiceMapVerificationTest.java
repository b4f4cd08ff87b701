package io.poolkeeper.service;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is looked at, and how, when the cloud provider says that it has written pools. */
class ServiceMapVerificationTest {
  private static final String LISTING_HANGS =
      "report lb-1/s0 LISTING_WANTED\ndue -> list ASKED\ngranted -> lists until +60s\n";
  private static final String ONE = "wrote s0 ->\ndue 1s -> look\n";
  private static final String LOOK_HANGS = ONE + "lookgranted -> gets [lb-1/s0] until +10s\n";

  private final Story story = new Story();

  private static String each(int services, String line) {
    return IntStream.range(0, services)
        .mapToObj(number -> line.replace("%", "s" + number))
        .collect(Collectors.joining());
  }

  /** All nine pools. */
  private static String all() {
    return each(9, " lb-1/%").strip();
  }

  /** All of them, of which the first is being written. */
  private static String oneUpdating() {
    return all().replace("s0", "s0*");
  }

  /** Nine Services have a pool each; everything is known, and the last listing is a minute ago. */
  @BeforeEach
  void ready() {
    story.plays("node n4\n" + each(9, "slice % % n4\nlocal %\n") + "all synced\nlist " + all());
    story.plays("after 10m\nlist " + all() + "\nafter 1m");
  }

  /** Nor is a verification a listing, which it would put off. */
  @Test
  void cloudProviderWrote_oneService_onlyItsPoolIsReadASecondLaterAndShown() {
    story.plays(LOOK_HANGS + "looked lb-1/s0 -> lb-1/s0 shown [n4]\nwakes 539s");
  }

  @Test
  void cloudProviderWrote_eightPools_areRead_andMoreAreListed() {
    story.plays(each(8, "wrote % ->\n") + "due 1s -> look\n");
    story.plays("lookgranted ~> until +10s\nlooked");

    story.plays(each(9, "wrote % ->\n") + "due 1s -> list PEER\ngranted -> lists until +60s");
  }

  @Test
  void cloudProviderWrote_withoutEnd_isLookedAtOnceASecond() {
    for (int look = 0; look < 10; look++) {
      story.plays(
          """
          wrote s%d ->
          due %ds -> look
          lookgranted
          wrote s%d ->
          looked
          """
              .formatted(look % 8, 1, (look + 1) % 8));
    }
  }

  /** What is new must be listed; what fails is read by its own retries, when a refusal allows. */
  @ParameterizedTest
  @CsvSource({"local new", "report lb-1/s0 FAILING"})
  void cloudProviderWrote_aListingIsDueByThenOrThePoolFails_isListed(String before) {
    story.plays(before + " ->\nwrote s0 ->\ndue 1s ~> list");
  }

  @Test
  void cloudProviderWrote_aServiceThatNeedsNoPool_asksForNothing() {
    story.plays("cluster other ->\ndue ~> list\nlisted " + all() + "\nafter 1m");

    story.plays("wrote other ->\nwrote made-up ->\nwakes 540s");
  }

  /** The listing of its change came before the cloud provider had made its pool. */
  @Test
  void cloudProviderWrote_aServiceThatLacksItsPool_asksForAListing() {
    story.plays("slice other other n4\nlocal other ->\ndue ~> list\nlisted " + all());

    story.plays("after 20s\nwrote other ->\ndue 1s -> list ASKED");

    story.plays("listed " + all() + " lb-1/other ~> lb-1/other other");
  }

  @Test
  void cloudProviderWaits_onlyForALoadBalancerServiceThatThereIs_counts() {
    story.plays(
        """
        plain plain
        cluster shop
        waits plain ->
        waits made-up ->
        waits shop -> shop waits
        """);
  }

  @Test
  void looked_poolIsStillUpdating_isReadAgainAFewTimes() {
    story.plays(LOOK_HANGS + "looked lb-1/s0* -> lb-1/s0 shown [n4]");
    for (int pause : new int[] {1, 2, 4, 8, 16}) {
      story.plays("due %ds -> look\nlookgranted\nlooked lb-1/s0*".formatted(pause));
    }
    story.plays("wakes 508s");
  }

  @Test
  void listed_poolIsStillUpdating_isReadAgain_andSoItIsAfterAListingThatFailed() {
    String again = "due -> look\nlookgranted ~> gets [lb-1/s0]\nlooked lb-1/s0\n";
    String nine = each(9, "wrote %\n") + "due -> list PEER\n";
    story.plays(nine + "listed " + oneUpdating() + "\n" + again);

    story.plays(nine + "failed ->\ndue -> list ASKED\nlisted " + oneUpdating() + "\n" + again);
  }

  @Test
  void shown_anotherGetHasNotEnded_isShownAtOnce() {
    story.plays(
        "wrote s0\nwrote s1\ndue -> look\nlookgranted\nshown lb-1/s0[] -> lb-1/s0 shown []");
  }

  /** The pool is deleted, or ARM refuses to show it; or it has lost its rule. */
  @ParameterizedTest
  @CsvSource({"lookfailed", "looked lb-1/s0{}"})
  void look_inVain_aListingServes(String end) {
    story.plays(LOOK_HANGS + end + "\ndue -> list ASKED\ngranted -> lists until +60s");
  }

  @Test
  void looked_poolWasForgottenMeanwhile_getsNoActorAgain() {
    story.plays(LOOK_HANGS + "gone s0\nlooked lb-1/s0 ->");
  }

  /** A verification that hangs stops no listing, whatever that is for. */
  @ParameterizedTest
  @CsvSource({
    "report lb-1/s0 LISTING_WANTED, 1s -> list ASKED",
    "report lb-1/s0 READ_BACK_WANTED, 1s -> list DRAIN",
    "report lb-1/s0 VERIFICATION_WANTED, 35s -> list LOOK",
    "wrote s1, 1s -> list PEER"
  })
  void lookHangs_aListingIsAskedFor_begins(String asks, String lists) {
    story.plays(LOOK_HANGS + asks + " ->\ndue " + lists + "\ngranted -> lists until +60s");
  }

  @Test
  void listingHangs_poolIsWritten_isReadBesideItASecondLater() {
    story.plays(LISTING_HANGS + "after 20s\n" + LOOK_HANGS);
  }

  @Test
  void listingHangs_ninePoolsAreWritten_waitForAnotherListing() {
    story.plays(LISTING_HANGS + each(9, "wrote %\n") + "due 2s ->\n".repeat(9));

    story.plays("listed " + all() + "\ndue -> list PEER");
  }

  /** At most one of each; and nothing wakes the map in vain. */
  @Test
  void bothHang_nothingElseBegins() {
    story.plays(LOOK_HANGS + LISTING_HANGS);

    story.plays("wrote s1\nreport lb-1/s0 LISTING_WANTED\nafter 1h\ntimer ->\nwakes never");
  }

  /** What each of two that run side by side has shown is kept apart. */
  @Test
  void looked_besideAListing_poolIsStillUpdating_isReadAgain() {
    story.plays(LOOK_HANGS + LISTING_HANGS + "listed " + all());

    story.plays("looked lb-1/s0*\ndue -> look\nlookgranted -> gets [lb-1/s0] until +10s");
  }
}
