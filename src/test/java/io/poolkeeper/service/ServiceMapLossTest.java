package io.poolkeeper.service;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which pools hear of lost watches, when, and in which order. */
class ServiceMapLossTest {
  private final Story story = new Story();

  @BeforeEach
  void ready() {
    story.plays(
        """
        node n4
        slice s1 web n4
        slice s2 api n4
        local web
        all synced
        list lb-1/web
        """);
  }

  @Test
  void theFirstLoss_isSentWithTheNextNumber_andTheLastCacheEndsIt() {
    story.plays(
        """
        lost NODES -> lb-1/web lost #2
        lost ENDPOINT_SLICES ->
        slice s1 web -> lb-1/web web#1 []
        synced NODES ->
        synced ENDPOINT_SLICES -> lb-1/web live
        synced ENDPOINT_SLICES ->
        local api
        list lb-1/web lb-1/api
        lost SERVICES -> lb-1/api lost #3; lb-1/web lost #3
        """);
  }

  @Test
  void poolThatIsNewDuringALoss_hearsOfItBeforeAnythingElse() {
    story.plays(
        """
        lost NODES
        local api
        list lb-1/web lb-1/api ~> lb-1/api lost #2; lb-1/api shown [n4]; lb-1/api api#2 [n4]
        lost ENDPOINT_SLICES ->
        synced NODES ->
        crash lb-1/api
        due 1s ~> lb-1/api lost #2
        """);
  }

  @Test
  void poolWhoseActorIsReplaced_hearsOfTheLossFirst_ifItLasts() {
    story.plays(
        """
        lost NODES
        crash lb-1/web
        due 1s ~> lb-1/web lost #2; lb-1/web shown [n4] -1s; lb-1/web web#1 [n4]
        crash lb-1/web
        synced NODES ->
        due 2s -> lb-1/web shown [n4] -3s; lb-1/web web#1 [n4]
        """);
  }
}
