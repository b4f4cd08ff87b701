package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.DRAINING;
import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.SHUTDOWN;
import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.ignored;
import static io.poolkeeper.node.NodeDriver.key;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.of;
import static io.poolkeeper.node.NodeDriver.pool;
import static io.poolkeeper.node.NodeDriver.synced;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a signal has reached all pools, and what people hear of it. */
class SignalProgressTest {
  private static final ArmFailure THROTTLED =
      ArmFailure.throttled("TooManyRequests", "slow down", T0.plusSeconds(9));
  private static final ArmFailure FORBIDDEN =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no rights");

  /** Two pools that have dealt with version 1, and n4 leaving since version 2 and 20 ms. */
  private static NodeDriver leaving() {
    NodeDriver driver = synced(node("n4"), node("n5")).appeared("a", "b").listed(1).bothReported(1);
    return driver.change(node("n4", OUT)).snapshot().forget();
  }

  private static ObjectEvent event(ObjectEvent.Type type, String reason, String message) {
    return new ObjectEvent(ObjectReference.of(key("n4"), "uid-n4"), type, reason, message);
  }

  @Test
  void leaving_whenTheLastPoolShowsIt_isAnEventAndATime() {
    NodeDriver driver = leaving().listed(2).reported("a", 2, "n4").reported("b", 2).seconds(3);

    driver.came("").reported("a", 2).came("Down n4, took 3020");
  }

  @Test
  void leaving_ifPoolsKeepTheNodeInService_isAWarningAndDone() {
    NodeDriver driver = leaving().listed(2).holding("b", 2, "n4").came("hold b n4");

    driver.holding("a", 2, "n4").came("hold a n4, Held n4, took 20");
    NodesView.Item item = driver.view().items().getFirst();
    assertThat(item.done()).isTrue();
    assertThat(item.held()).containsExactly(pool("a"), pool("b"));
    assertThat(item.pending()).isEmpty();
  }

  /** People read the messages of these events. */
  @Test
  void ended_anyWay_saysSo() {
    assertThat(leaving().listed(2).bothReported(2).events())
        .containsExactly(
            event(
                ObjectEvent.Type.NORMAL,
                "LoadBalancerAdminStateDown",
                "Load balancer admin state is Down in all backend pools: no new connections"
                    + " (out of service)"));
    assertThat(leaving().listed(2).holding("a", 2, "n4").holding("b", 2, "n4").events())
        .containsExactly(
            event(
                ObjectEvent.Type.WARNING,
                "LoadBalancerAdminStateHeld",
                "Load balancer admin state is not set to Down in 2 backend pools, such as lb/a: too"
                    + " few entries would be left in service (admin-state.min-active)"));
    NodeDriver back = leaving().listed(2).bothReported(2).change(node("n4")).snapshot().forget();
    assertThat(back.listed(3).bothReported(3).events())
        .containsExactly(
            event(
                ObjectEvent.Type.NORMAL,
                "LoadBalancerAdminStateNone",
                "Load balancer admin state is None again in all backend pools"));
  }

  @Test
  void ended_butInGroupsThatCannotBeRead_namesThem_andIsNotMeasured() {
    leaving().listedBut(2, "edge").bothReported(2).came("Down n4");
    NodeDriver driver = leaving().listedBut(2, "edge").bothReported(2);
    assertThat(driver.events().getLast().message())
        .isEqualTo(
            "Load balancer admin state is Down in all backend pools but those of resource group"
                + " edge, which cannot be read: no new connections (out of service)");

    driver.change(node("n4")).snapshot().forget();
    assertThat(driver.listedBut(3, "b", "a", "d", "c").bothReported(3).events().getLast().message())
        .isEqualTo(
            "Load balancer admin state is None again in all backend pools but those of resource"
                + " groups a, b, c and others, which cannot be read");
  }

  @Test
  void held_whenNoPoolKeepsTheNodeAnyMore_isDown_andAgainWhenOneDoes() {
    NodeDriver driver = leaving().listed(2).holding("a", 2, "n4").reported("b", 2).forget();

    driver.reported("a", 2, "n4").came("").reported("a", 2).came("Down n4");
    driver.holding("a", 2, "n4").came("hold a n4, Held n4").gone("a").came("Down n4");
  }

  /** The process before has reported it. */
  @Test
  void held_sinceBeforeTheProcessBegan_isNoNewsButCounts() {
    synced(node("n4", OUT)).appeared("a").holding("a", 1, "n4").listed(1).came("hold a n4");
  }

  /** Sets have another order in each process; a run of the simulator must be the same in all. */
  @Test
  void failure_ofSeveralNodes_isReportedInTheOrderOfTheirNames() {
    String[] nodes = {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"};
    NodeView[] out = Stream.of(nodes).map(node -> node(node, OUT)).toArray(NodeView[]::new);
    NodeDriver driver = synced(out).appeared("a").failed("a", 1, FORBIDDEN, nodes);

    assertThat(driver.events()).extracting(event -> event.about().name()).containsExactly(nodes);
  }

  @Test
  void leaving_forSeveralReasons_namesThemInOneOrder() {
    NodeDriver driver = synced(node("n4")).change(node("n4", DRAINING, SHUTDOWN, OUT)).snapshot();

    assertThat(driver.listed(2).events().getFirst().message())
        .endsWith("(out of service, shutdown, spot eviction)");
  }

  @Test
  void leaving_beforeAListingShowedAllPools_isNotDone() {
    leaving().bothReported(2).listed(1).came("").listed(2).came("Down n4, took 20");
  }

  @Test
  void leaving_poolThatAppearsMeanwhileOrWhoseActorIsNew_mustShowItToo() {
    NodeDriver driver = leaving().appeared("c").listed(2).reported("a", 2, "n4").appeared("a");

    driver.reported("b", 2).reported("c", 2).came("").reported("a", 2).came("Down n4, took 20");
  }

  /** Row 12 of docs/operations/reports.md: its load balancer cannot be read any more. */
  @Test
  void reported12_poolGoesWithItsStates_isWaitedForUntilAListingShowsItAgain() {
    NodeDriver driver = leaving().listed(2).reported("a", 2, "n4").reported("b", 2);

    driver.send(NodeEvent.Listed.NOTHING).gone("a").came("");
    driver.change(node("n4")).snapshot().reported("b", 3).forget();
    driver.appeared("a").listed(3).reported("a", 3, "n4").came("");
    driver.reported("a", 3).came("None n4, took 40");
  }

  @Test
  void leaving_poolThatGoesMeanwhile_isNotWaitedFor_andIsNotHeardAnyMore() {
    NodeDriver driver = leaving().listed(2).reported("a", 2, "n4").reported("b", 2).came("");

    driver.gone("a").came("Down n4, took 20").reported("a", 2, "n4").gone("a").came("");

    assertThat(driver.view().items().getFirst().pending()).isEmpty();
  }

  /** The role for its group was revoked; it has nothing to write, so it reports nothing. */
  @Test
  void leaving_poolThatNoListingShowsAnyMore_isNotWaitedFor_untilOneDoes() {
    NodeDriver driver = leaving().listedWithout("b", 2).came("").reported("a", 2);
    driver.came("Down n4, took 20").change(node("n4")).snapshot().forget();
    assertThat(driver.view().drainingSince()).isEmpty();

    driver.listed(3).reported("a", 3).came("").reported("b", 3).came("None n4, took 40");
  }

  @Test
  void leaving_poolThatNoListingShowsAnyMore_andHasTheNodeToWrite_isWaitedFor() {
    NodeDriver driver = leaving().failed("b", 1, FORBIDDEN, "n4").forget();

    driver.listedWithout("b", 2, "n4").reported("a", 2).came("");
    driver.change(node("n4", OUT), node("n5", OUT)).snapshot().forget();
    driver.listedWithout("b", 3, "n4").reported("a", 3).came("Down n5, took 40");

    driver.reported("b", 3).came("Down n4, took 60");
  }

  /** Its drain waits for a permit, or for the shared Lease, while the listing does not. */
  @Test
  void leaving_poolThatNoListingShowsAnyMore_andHadTheNode_isWaitedFor_beforeItReports() {
    NodeDriver driver = leaving().listedWithout("b", 2, "n4").reported("a", 2).came("");
    assertThat(driver.view().items().getFirst().unreported()).isOne();

    driver.reported("b", 2).came("Down n4, took 20");

    leaving().reported("a", 2).listedWithout("b", 2, "n4").gone("b").came("Down n4, took 20");
    leaving()
        .reported("a", 2)
        .listedWithout("b", 2, "n4")
        .listedWithout("b", 2)
        .came("Down n4, took 20");
  }

  @Test
  void returning_whenTheLastPoolShowsIt_isAnEvent() {
    NodeDriver driver = leaving().listed(2).bothReported(2).change(node("n4")).snapshot();
    driver.came("Down n4, took 20, v3").listed(3).reported("a", 3, "n4").reported("b", 3);

    driver.came("").reported("a", 3).came("None n4, took 40");
    assertThat(driver.view().items()).isEmpty();
  }

  @Test
  void returning_beforeItHasLeft_isReportedAlone() {
    NodeDriver driver = leaving().reported("a", 2, "n4").change(node("n4")).snapshot();

    driver.listed(3).bothReported(3).came("v3, None n4, took 40");
  }

  @Test
  void done_andReportedAgain_isNoSecondEvent() {
    NodeDriver driver = leaving().listed(2).bothReported(2).came("Down n4, took 20");
    driver.reported("a", 2, "n4").reported("a", 2).came("");

    driver.change(node("n4", OUT, SHUTDOWN), node("n5", OUT)).snapshot().forget();
    driver.listed(3).bothReported(3).came("Down n5, took 40");
  }

  @Test
  void returning_whileTheWatchIsLost_isDoneOnlyWhenPoolsHaveFollowedTheNextLiveVersion() {
    NodeDriver driver = leaving().change(node("n4")).snapshot().lose().snapshot().forget();
    driver.listed(4).bothReported(4).came("").sync().snapshot().came("v5");

    driver.bothReported(5).came("").listed(5).came("None n4, took 280");
  }

  /** Its entry may still be Down, or the Node is gone. */
  @Test
  void neitherLeavingNorReturningAnyMore_isNotReported() {
    List<UnaryOperator<NodeDriver>> ends =
        List.of(
            driver -> driver.delete("n4"),
            driver -> driver.change(of(node("n4"), "uid-new")),
            driver -> driver.change(ignored(node("n4", OUT))));
    for (UnaryOperator<NodeDriver> end : ends) {
      NodeDriver whileLeaving = end.apply(leaving()).snapshot().came("v3");
      whileLeaving.listed(3).bothReported(3).came("");
      assertThat(whileLeaving.view().items()).isEmpty();

      NodeDriver whileReturning = leaving().change(node("n4")).snapshot().reported("a", 3, "n4");
      end.apply(whileReturning).seconds(2).forget();
      whileReturning.listed(4).bothReported(4).came("");
      assertThat(whileReturning.view().items()).isEmpty();
    }
  }

  @Test
  void failed_retriable_namesPoolAndErrorOncePerClass() {
    NodeDriver driver = leaving().failed("a", 2, THROTTLED, "n4").failed("b", 2, THROTTLED, "n4");

    assertThat(driver.failed("a", 2, THROTTLED, "n4").events())
        .containsExactly(
            event(
                ObjectEvent.Type.WARNING,
                "LoadBalancerAdminStateUpdateFailed",
                "Load balancer admin state not set to Down in backend pool lb/a: HTTP 429"
                    + " TooManyRequests: slow down. Poolkeeper tries again."));
    driver.failed("b", 2, FORBIDDEN, "n4").failed("a", 2, THROTTLED, "n4");
    assertThat(driver.events())
        .containsExactly(
            event(
                ObjectEvent.Type.WARNING,
                "LoadBalancerAdminStateUpdateFailed",
                "Load balancer admin state not set to Down in backend pool lb/b (non-retriable):"
                    + " HTTP 403 AuthorizationFailed: no rights. Poolkeeper tries again."));
  }

  @Test
  void failed_onTheWayBack_saysSo() {
    NodeDriver driver = leaving().change(node("n4")).snapshot().forget();

    assertThat(driver.failed("a", 3, FORBIDDEN, "n4").events())
        .singleElement()
        .satisfies(event -> assertThat(event.message()).contains("not set to None in"));
  }

  @Test
  void failed_thenShownByAll_isDoneAndAFailureAfterThatIsNewsAgain() {
    NodeDriver driver = leaving().listed(2).reported("b", 2).failed("a", 2, THROTTLED, "n4");
    driver.reported("a", 2).came("UpdateFailed n4, Down n4, took 20");

    driver.failed("a", 2, THROTTLED, "n4").failed("a", 2, THROTTLED, "n4").reported("a", 2);

    driver.came("UpdateFailed n4");
  }

  @Test
  void restart_nodeThatIsDownAlready_isNotReportedAgain() {
    NodeDriver driver = synced(node("n4", OUT)).appeared("a").listed(1).reported("a", 1).came("");

    assertThat(driver.view().items().getFirst().done()).isTrue();
  }

  @Test
  void restart_beforeAllPoolsShowedIt_isReportedByTheNewProcess() {
    NodeDriver driver = synced(node("n4", OUT)).appeared("a").listed(1);

    driver.reported("a", 1, "n4").reported("a", 1).came("Down n4");
  }

  @Test
  void manyNodesInManyPools_isOneEventPerNode() {
    String[] names = IntStream.range(1, 101).mapToObj(i -> "n" + i).toArray(String[]::new);
    NodeDriver driver = synced(Stream.of(names).map(NodeDriver::node).toArray(NodeView[]::new));
    IntStream.range(0, 200).forEach(i -> driver.appeared("p" + i).reported("p" + i, 1));
    driver.change(Stream.of(names).map(name -> node(name, OUT)).toArray(NodeView[]::new));
    driver.snapshot().listed(2).forget();

    IntStream.range(0, 200).forEach(i -> driver.reported("p" + i, 2, names));
    driver.came("");
    IntStream.range(0, 200).forEach(i -> driver.reported("p" + i, 2));

    assertThat(driver.events())
        .extracting(ObjectEvent::reason)
        .hasSize(100)
        .containsOnly("LoadBalancerAdminStateDown");
  }

  /** Its taint went while another replica led, or none. */
  @Test
  void restart_nodeThatPoolsStillHaveToSetBack_isReportedByTheNewProcess() {
    NodeDriver driver = synced(node("n4"), node("n5")).appeared("a", "b").listed(1).forget();

    driver.failed("a", 1, FORBIDDEN, "n4").came("UpdateFailed n4").reported("b", 1).came("");
    assertThat(driver.view().items()).singleElement().matches(item -> !item.leaves());
    driver.reported("a", 1).came("None n4");
    assertThat(driver.view().items()).isEmpty();
  }

  /** A report of no level says nothing about other pools, which may have the node Down as well. */
  @Test
  void restart_firstAttemptFails_waitsForEveryPool() {
    NodeDriver driver = synced(node("n4"), node("n5")).appeared("a", "b").listed(1).forget();

    driver.failed("a", 0, FORBIDDEN, "n4").reported("a", 1, "n4").reported("a", 1).came("");
    driver.reported("b", 1).came("None n4");
  }

  /** Nobody is to hear of those nodes. */
  @Test
  void restart_nodeThatIsIgnoredOrUnknown_isNotReported() {
    NodeDriver driver = synced(ignored(node("n4"))).appeared("a").listed(1).forget();

    driver.reported("a", 1, "n4", "n6").reported("a", 1).came("");
  }

  /** The Node may have been replaced, or another client has set it Down. */
  @Test
  void pending_nodeWithoutASignalInALaterReport_isNotReported() {
    NodeDriver driver = synced(node("n4")).appeared("a").listed(1).reported("a", 1).forget();

    driver.reported("a", 1, "n4").reported("a", 1).came("");
  }
}
