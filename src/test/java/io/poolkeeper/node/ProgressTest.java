package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.DRAINING;
import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.SHUTDOWN;
import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.WINDOW;
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
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a signal has reached all pools, and what people hear of it. */
class ProgressTest {
  private static final ArmFailure THROTTLED =
      ArmFailure.throttled("TooManyRequests", "slow down", T0.plusSeconds(9));
  private static final ArmFailure FORBIDDEN =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no rights");

  /** Two pools that have dealt with version 1, and n4 leaving since version 2. */
  private static NodeDriver leaving() {
    NodeDriver driver =
        synced(node("n4"), node("n5"))
            .appeared("a", "b")
            .send(new NodeEvent.Listed(1))
            .reported("a", 1)
            .reported("b", 1)
            .change(node("n4", OUT))
            .snapshot();
    driver.effects();
    return driver;
  }

  private static ObjectEvent event(ObjectEvent.Type type, String reason, String message) {
    return new ObjectEvent(new ObjectReference.OfNode(key("n4"), "uid-n4"), type, reason, message);
  }

  @Test
  void leaving_whenTheLastPoolShowsIt_isAnEventAndATime() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2)).reported("a", 2, "n4");
    driver.reported("b", 2).after(Duration.ofSeconds(3));
    assertThat(driver.effects()).isEmpty();

    driver.reported("a", 2);

    assertThat(driver.effects())
        .containsExactly(
            new NodeEffect.Emit(
                event(
                    ObjectEvent.Type.NORMAL,
                    "LoadBalancerAdminStateDown",
                    "Load balancer admin state is Down in all backend pools: no new connections"
                        + " (out of service)")),
            new NodeEffect.Propagated(Duration.ofMillis(3_020)));
  }

  private static final String HELD =
      "Load balancer admin state is not set to Down in 2 backend pools, such as lb/a: too few"
          + " entries would be left in service (admin-state.min-active)";

  @Test
  void leaving_ifPoolsKeepTheNodeInService_isAWarningAndDone() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2)).holding("b", 2, "n4");
    assertThat(driver.effects()).containsExactly(new NodeEffect.Held(pool("b"), Set.of(key("n4"))));

    driver.holding("a", 2, "n4");

    assertThat(driver.effects())
        .containsExactly(
            new NodeEffect.Held(pool("a"), Set.of(key("n4"))),
            new NodeEffect.Emit(
                event(ObjectEvent.Type.WARNING, "LoadBalancerAdminStateHeld", HELD)),
            new NodeEffect.Propagated(WINDOW));
    assertThat(driver.view().items().getFirst().done()).isTrue();
    assertThat(driver.view().items().getFirst().held()).containsExactly(pool("a"), pool("b"));
  }

  @Test
  void held_whenNoPoolKeepsTheNodeAnyMore_isDown_andAgainWhenOneDoes() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2)).holding("a", 2, "n4");
    driver.reported("b", 2).effects();

    driver.reported("a", 2, "n4");
    assertThat(driver.effects()).isEmpty();
    driver.reported("a", 2);

    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateDown");
    assertThat(driver.holding("a", 2, "n4").reasons())
        .containsExactly("LoadBalancerAdminStateHeld");
    assertThat(driver.send(new NodeEvent.PoolGone(pool("a"))).reasons())
        .containsExactly("LoadBalancerAdminStateDown");
  }

  /** The process before has reported it. */
  @Test
  void held_sinceBeforeTheProcessBegan_isNoNewsButCounts() {
    NodeDriver driver = synced(node("n4", OUT)).appeared("a");
    driver.effects();

    driver.holding("a", 1, "n4").send(new NodeEvent.Listed(1));

    assertThat(driver.effects()).containsExactly(new NodeEffect.Held(pool("a"), Set.of(key("n4"))));
  }

  /** Sets have another order in each process; a run of the simulator must be the same in all. */
  @Test
  void failure_ofSeveralNodes_isReportedInTheOrderOfTheirNames() {
    String[] nodes = {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"};
    NodeView[] out = Stream.of(nodes).map(node -> node(node, OUT)).toArray(NodeView[]::new);
    NodeDriver driver = synced(out).appeared("a");
    driver.effects();

    driver.failed("a", 1, FORBIDDEN, nodes);

    assertThat(driver.events()).extracting(event -> event.about().name()).containsExactly(nodes);
  }

  @Test
  void leaving_forSeveralReasons_namesThemInOneOrder() {
    NodeDriver driver = synced(node("n4"));
    driver.change(node("n4", DRAINING, SHUTDOWN, OUT)).snapshot();

    driver.send(new NodeEvent.Listed(2));

    assertThat(driver.events().getFirst().message())
        .endsWith("(out of service, shutdown, spot eviction)");
  }

  @Test
  void leaving_beforeAListingShowedAllPools_isNotDone() {
    NodeDriver driver = leaving().reported("a", 2).reported("b", 2);
    assertThat(driver.effects()).isEmpty();

    driver.send(new NodeEvent.Listed(1));
    assertThat(driver.effects()).isEmpty();
    driver.send(new NodeEvent.Listed(2));

    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateDown");
  }

  @Test
  void leaving_poolThatAppearsMeanwhile_mustShowItToo() {
    NodeDriver driver = leaving().appeared("c").send(new NodeEvent.Listed(2));
    driver.reported("a", 2).reported("b", 2);
    assertThat(driver.effects()).isEmpty();

    driver.reported("c", 2);

    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateDown");
  }

  @Test
  void leaving_poolThatGoesMeanwhile_isNotWaitedFor() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2));
    driver.reported("a", 2, "n4").reported("b", 2);

    driver.send(new NodeEvent.PoolGone(NodeDriver.pool("a")));
    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateDown");
    driver.reported("a", 2, "n4").send(new NodeEvent.PoolGone(NodeDriver.pool("a")));

    assertThat(driver.state().seen().pending()).isEmpty();
    assertThat(driver.state().seen().pools()).hasSize(1);
  }

  @Test
  void leaving_poolWhoseActorIsNew_isAskedAgain() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2)).reported("a", 2, "n4");
    driver.appeared("a").reported("b", 2);
    assertThat(driver.effects()).isEmpty();

    driver.reported("a", 2);

    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateDown");
  }

  @Test
  void returning_whenTheLastPoolShowsIt_isAnEvent() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2));
    driver.reported("a", 2).reported("b", 2).change(node("n4")).snapshot();
    driver.effects();
    driver.send(new NodeEvent.Listed(3)).reported("a", 3, "n4").reported("b", 3);
    assertThat(driver.effects()).isEmpty();

    driver.reported("a", 3);

    assertThat(driver.effects())
        .containsExactly(
            new NodeEffect.Emit(
                event(
                    ObjectEvent.Type.NORMAL,
                    "LoadBalancerAdminStateNone",
                    "Load balancer admin state is None again in all backend pools")),
            new NodeEffect.Propagated(Duration.ofMillis(40)));
    assertThat(driver.state().transitions()).isEmpty();
  }

  @Test
  void returning_beforeItHasLeft_isReportedAlone() {
    NodeDriver driver = leaving().reported("a", 2, "n4").change(node("n4")).snapshot();

    driver.send(new NodeEvent.Listed(3)).reported("a", 3).reported("b", 3);

    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateNone");
  }

  @Test
  void done_andReportedAgain_isNoSecondEvent() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2));
    driver.reported("a", 2).reported("b", 2).effects();

    driver.reported("a", 2, "n4").reported("a", 2);
    driver.change(node("n4", OUT, SHUTDOWN), node("n5", OUT)).snapshot();
    driver.send(new NodeEvent.Listed(3)).reported("a", 3).reported("b", 3);

    assertThat(driver.events())
        .extracting(event -> event.about().name())
        .as("that n4 leaves for one more reason is no transition")
        .containsExactly("n5");
  }

  @Test
  void returning_whileTheWatchIsLost_isDoneOnlyWhenPoolsHaveFollowedTheNextLiveVersion() {
    NodeDriver driver = leaving().change(node("n4")).snapshot();
    driver.send(new NodeEvent.WatchLost()).snapshot();
    driver.effects();

    driver.send(new NodeEvent.Listed(4)).reported("a", 4).reported("b", 4);
    assertThat(driver.effects()).as("nothing is set back while it is lost").isEmpty();
    driver.send(new NodeEvent.Synced()).snapshot().effects();
    driver.reported("a", 5).reported("b", 5);
    assertThat(driver.effects()).isEmpty();
    driver.send(new NodeEvent.Listed(5));

    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateNone");
  }

  @Test
  void deletedWhileLeaving_isNotReported() {
    NodeDriver driver = leaving().delete("n4").snapshot();
    driver.effects();

    driver.send(new NodeEvent.Listed(3)).reported("a", 3).reported("b", 3);

    assertThat(driver.effects()).isEmpty();
    assertThat(driver.state().transitions()).isEmpty();
  }

  @Test
  void replacedWhileLeaving_isNotReportedAsReturned() {
    NodeDriver driver = leaving().change(of(node("n4"), "uid-new")).snapshot();
    driver.effects();

    driver.send(new NodeEvent.Listed(3)).reported("a", 3).reported("b", 3);

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void optOutWhileLeaving_isNotReportedAsReturned() {
    NodeDriver driver = leaving().change(ignored(node("n4", OUT))).snapshot();
    driver.effects();

    driver.send(new NodeEvent.Listed(3)).reported("a", 3).reported("b", 3);

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void optOutWhileReturning_isNotReportedAsReturned() {
    NodeDriver driver = leaving().change(node("n4")).after(WINDOW);
    driver.reported("a", 3, "n4").change(ignored(node("n4"))).after(WINDOW);
    driver.effects();

    driver.send(new NodeEvent.Listed(4)).reported("a", 4).reported("b", 4);

    assertThat(driver.effects()).as("its entry may still be Down").isEmpty();
    assertThat(driver.state().transitions()).isEmpty();
  }

  @Test
  void replacedWhileReturning_isNotReportedAsReturned() {
    NodeDriver driver = leaving().change(node("n4")).after(WINDOW);
    driver.reported("a", 3, "n4").change(of(node("n4"), "uid-new")).after(WINDOW);
    driver.effects();

    driver.send(new NodeEvent.Listed(3)).reported("a", 3).reported("b", 3);

    assertThat(driver.effects()).as("the Node is gone").isEmpty();
  }

  @Test
  void failed_retriable_namesPoolAndErrorOncePerClass() {
    NodeDriver driver = leaving();

    driver.failed("a", 2, THROTTLED, "n4").failed("b", 2, THROTTLED, "n4");
    driver.failed("a", 2, THROTTLED, "n4");

    assertThat(driver.events())
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
    NodeDriver driver = leaving().change(node("n4")).snapshot();
    driver.effects();

    driver.failed("a", 3, FORBIDDEN, "n4", "n5");

    assertThat(driver.events())
        .as("n5 has no signal")
        .singleElement()
        .satisfies(event -> assertThat(event.message()).contains("not set to None in"));
  }

  @Test
  void failed_thenShownByAll_isDoneAndAFailureAfterThatIsNewsAgain() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2)).reported("b", 2);
    driver.failed("a", 2, THROTTLED, "n4").reported("a", 2);
    assertThat(driver.reasons())
        .containsExactly("LoadBalancerAdminStateUpdateFailed", "LoadBalancerAdminStateDown");

    driver.failed("a", 2, THROTTLED, "n4").failed("a", 2, THROTTLED, "n4").reported("a", 2);

    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateUpdateFailed");
  }

  @Test
  void restart_nodeThatIsDownAlready_isNotReportedAgain() {
    NodeDriver driver = synced(node("n4", OUT)).appeared("a");

    driver.send(new NodeEvent.Listed(1)).reported("a", 1);

    assertThat(driver.effects()).isEmpty();
    assertThat(driver.state().transitions().get(key("n4")).done()).isTrue();
  }

  @Test
  void restart_beforeAllPoolsShowedIt_isReportedByTheNewProcess() {
    NodeDriver driver = synced(node("n4", OUT)).appeared("a").send(new NodeEvent.Listed(1));

    driver.reported("a", 1, "n4").reported("a", 1);

    assertThat(driver.reasons()).containsExactly("LoadBalancerAdminStateDown");
  }

  @Test
  void manyNodesInManyPools_isOneEventPerNode() {
    NodeView[] in = IntStream.range(1, 101).mapToObj(i -> node("n" + i)).toArray(NodeView[]::new);
    NodeView[] out =
        IntStream.range(1, 101).mapToObj(i -> node("n" + i, OUT)).toArray(NodeView[]::new);
    String[] names = IntStream.range(1, 101).mapToObj(i -> "n" + i).toArray(String[]::new);
    NodeDriver driver = synced(in);
    IntStream.range(0, 200).forEach(i -> driver.appeared("p" + i).reported("p" + i, 1));
    driver.change(out).snapshot().send(new NodeEvent.Listed(2)).effects();

    IntStream.range(0, 200).forEach(i -> driver.reported("p" + i, 2, names));
    assertThat(driver.effects()).isEmpty();
    IntStream.range(0, 200).forEach(i -> driver.reported("p" + i, 2));

    assertThat(driver.reasons()).hasSize(100).containsOnly("LoadBalancerAdminStateDown");
    assertThat(driver.state().seen().pending()).isEmpty();
    assertThat(driver.state().seen().versions()).hasSize(1);
  }
}
