package io.poolkeeper.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica that does not lead mirrors everything and tells no pool anything. */
class ServiceMapStandbyTest {
  private final Story story = new Story(ServiceMapDriver.standby());

  /** Everything is known, and listed. */
  @BeforeEach
  void warm() {
    story.plays("node n4\nslice s1 web n4\nlocal web\nall synced\nlist lb-1/web[] ->\nafter 1m");
  }

  @Test
  void changes_areMirrored_andCostNoListingBeforeTheResync() {
    story.plays("slice s2 api n4 ->\nlocal api ->\nwrote web ->\nlabel no ->\nwakes 9m");
  }

  /** Even if all was right it is looked at three times: who led before may have just written. */
  @Test
  void lead_listsAtOnce_andTellsOnlyWhatThatListingShows() {
    story.plays(
        """
        lead ->
        slice s1 web n4 ->
        wakes 0s
        list lb-1/web -> lb-1/web shown [n4]; lb-1/web web#1 [n4]!
        pass 35,85,180,600 lb-1/web
        """);
  }

  @Test
  void lead_again_isNoNews() {
    story.plays("lead\nlist lb-1/web");
    ServiceMapState before = story.map.state();

    story.plays("lead ->");

    assertThat(story.map.state()).isEqualTo(before);
  }

  @Test
  void lead_whileAListingIsUnderWay_doesNotWaitForIt() {
    story.plays(
        """
        after 9m
        start
        after 1s
        lead ->
        wakes 0s
        list lb-1/web -> lb-1/web shown [n4]; lb-1/web web#1 [n4]
        """);
  }

  @Test
  void listed_whatBeganBeforeItLed_isNotUsed() {
    story.plays(
        """
        after 9m
        start
        after 1s
        lead
        listed lb-1/web[] ->
        wakes 0s
        """);
  }

  @Test
  void lead_withoutElection_isLookedAtThreeTimes_unlessThatIsOff() {
    new Story().plays("list\npass 35,85,180,600");
    new Story(new ServiceMapDriver(Duration.ZERO)).plays("list\npass 600");
  }

  /** Nobody has left behind what a change is about that comes while the leader starts. */
  @Test
  void change_whileTheLeaderStarts_isSaidToBeFresh() {
    story.plays(
        """
        lead
        slice s1 web
        list lb-1/web -> lb-1/web shown [n4]; lb-1/web web#1 []!
        slice s1 web n4 -> lb-1/web web#1 [n4]
        """);
  }

  @Test
  void change_onStandby_isNotFreshWhenTheLeaderStarts() {
    story.plays("slice s1 web\nlead\nlist lb-1/web -> lb-1/web shown [n4]; lb-1/web web#1 []");
  }
}
