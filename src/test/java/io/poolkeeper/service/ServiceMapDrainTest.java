package io.poolkeeper.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.node.NodeEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How pools hear of nodes that are out of service, and which pools do. */
class ServiceMapDrainTest {
  private static final String FILLED =
      """
      node n4
      local web
      slice web-1 web n4
      all synced
      """;
  private static final String READY = FILLED + "list lb-1/web\n";
  private static final String QUIET = READY + "after 10m\nlist lb-1/web\nafter 1m\n";

  private final Story story = new Story();

  @Test
  void outOfService_isSentToEveryPool_andListedAtOnce_untilTheWatchIsBack() {
    story.plays(
        QUIET
            + """
            nodes 1 n4 -> lb-1/web nodes v1[n4]
            due 0s -> list DRAIN
            listed lb-1/web -> lb-1/web shown [n4]; all shown v1
            after 5s
            nodes 2 n4 -> lb-1/web nodes v2[n4]
            wakes 10s
            oldnodes 3 n4
            list lb-1/web
            after 5s
            nodes 4 n4
            wakes 0s
            """);
  }

  @Test
  void outOfService_updaterIsOff_isSentToEveryPoolOfTheNode_andNoMembersAreWanted() {
    new Story(ServiceMapDriver.withoutOwners())
        .plays(READY + "nodes 1 n4 -> lb-1/web nodes v1[n4]; lb-1/web shown [n4]");
  }

  @Test
  void interfacesThatDoNotSayWhoseTheyAre_areReportedOnceAndFollowedWhenTheyAreKnown() {
    String configuration = "/x/networkinterfaces/n/ipconfigurations/c";
    PoolEntry entry =
        new PoolEntry(
            "e",
            Optional.empty(),
            Optional.of("/x/networkInterfaces/N/ipConfigurations/C"),
            AdminState.NONE);
    PoolView pool =
        new PoolView(MapWords.pool("lb-1/.vm"), "", false, List.of(entry), Set.of("rule"), true);
    story.plays(FILLED + "start");
    story.map.listed(ServiceFixtures.listing(pool));

    story.plays("nodes 1 -> sees [" + configuration + "]\nstart");
    assertThat(story.map.listed(ServiceFixtures.listing(pool)))
        .containsExactly(new ServiceMapEffect.ToNodes(new NodeEvent.Listed(1, Map.of(), Set.of())));

    ClusterNodes nodes =
        new ClusterNodes(Map.of(), Map.of("vm", new NodeKey("n4")), Map.of(configuration, "vm"));
    assertThat(
            story.map.send(
                new ServiceMapEvent.NodesOutOfService(
                    new OutOfService(2, nodes, new TreeMap<>(), true, 0))))
        .hasSize(2)
        .last()
        .isEqualTo(ServiceFixtures.show(pool.id(), pool, story.map.now()));
  }

  @Test
  void outOfService_severalInASecond_areListedSecondsApart_andProveWhatWasKnownThen() {
    story.plays(
        READY
            + """
            after 1m
            nodes 1 n4
            start
            nodes 2 n4 n5
            listed lb-1/web ~> all shown v1
            wakes 2s
            list lb-1/web ~> all shown v2
            """);
  }

  /** A listing costs the more the larger the cluster is, and known pools do not wait for it. */
  @Test
  void outOfService_changesEachSecond_isListedAtADistanceThatDoublesTo15Seconds() {
    story.plays(READY + "after 1m\nnodes 1 n4\nlist lb-1/web");
    for (int wakes : new int[] {2, 4, 8, 15, 15}) {
      story.plays(
          "after 1s\nnodes 2\nreport lb-1/web READ_BACK_WANTED\nwakes %ds".formatted(wakes - 1));
      story.plays("list lb-1/web");
    }

    story.plays("after 30s\nlist lb-1/web\nafter 1s\nnodes 3 n4\nwakes 0s");
  }

  @Test
  void outOfService_isLookedAfterOftenAndThenRarely_andAtTheEndAsAfterAWrite() {
    story.plays(QUIET + "nodes 1 n4\nlist lb-1/web");
    story.plays("pass 15 lb-1/web\n".repeat(20));
    story.plays("pass 30,60,120,120,120 lb-1/web\nafter 10s");

    story.plays("nodes 2\npass 0,35,85,180,600 lb-1/web");
  }

  @Test
  void written_isReadBackASecondLater() {
    story.plays(READY + "nodes 1 n4\nlist lb-1/web\nafter 10s");

    story.plays("report lb-1/web READ_BACK_WANTED\nwakes 1s");
  }

  @Test
  void listed_beforeTheCachesAreFilled_saysNothing_andPoolsAreFollowedOnceTheyAre() {
    story.plays("nodes 1 n4 ->\nlist lb-1/.kubernetes{rule} ->\nsynced NODES\nsynced SERVICES");

    story.plays(
        """
        synced NAMESPACES ->
        synced ENDPOINT_SLICES -> lb-1/.kubernetes nodes v1[n4]; lb-1/.kubernetes shown [n4]
        """);
  }

  /** One without nodes, without rules or of another load balancer is not. */
  @Test
  void poolOfNoService_thatHoldsANode_isFollowedOnceNodesAreKnown_untilItIsGone() {
    String others = " lb-1/.empty[x=10.9.9.9]{rule} lb-1/.spare{} lb-9/.theirs{rule}";
    story.plays(
        """
        list lb-1/web lb-1/.kubernetes{rule}%s
        nodes 1 -> lb-1/web nodes v1[]; lb-1/.kubernetes nodes v1[]; lb-1/.kubernetes shown [n4]
        nodes 2 n4 -> lb-1/web nodes v2[n4]; lb-1/.kubernetes nodes v2[n4]
        list lb-1/web ~> lb-1/.kubernetes forgotten
        nodes 3 n4 -> lb-1/web nodes v3[n4]
        gone web
        list lb-1/web -> lb-1/web shown [n4]; all shown v3
        nodes 4 n4 -> lb-1/web nodes v4[n4]
        """
            .formatted(others)
            .replaceFirst("^", FILLED));
  }

  @Test
  void poolWhoseActorFailed_hearsAgainWhoIsOutOfService() {
    story.plays(READY + "nodes 1 n4\nlist lb-1/web\ncrash lb-1/web\nafter 1s");

    story.plays("timer ~> lb-1/web nodes v1[n4] -2s; lb-1/web shown [n4] -1s; lb-1/web web#1 [n4]");
  }

  /** The new machine may be in pools that no listing has shown since. */
  @Test
  void outOfService_anotherNodeOfThatName_isListedAtOnce() {
    story.plays(QUIET + "nodes 1 n4\nlist lb-1/web\nafter 5s\nnodes 2 n4\nwakes 10s");

    story.plays("nodes 3 n4=other\nwakes 0s");
  }
}
