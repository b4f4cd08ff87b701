package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.DRAINING;
import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.SHUTDOWN;
import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.WINDOW;
import static io.poolkeeper.node.NodeDriver.announced;
import static io.poolkeeper.node.NodeDriver.created;
import static io.poolkeeper.node.NodeDriver.handled;
import static io.poolkeeper.node.NodeDriver.ignored;
import static io.poolkeeper.node.NodeDriver.key;
import static io.poolkeeper.node.NodeDriver.labelled;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.of;
import static io.poolkeeper.node.NodeDriver.on;
import static io.poolkeeper.node.NodeDriver.synced;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is out of service, and when pools hear of it. */
class NodeCoreTest {
  private static final String INSTANCE =
      "/subscriptions/S/resourceGroups/RG/providers/Microsoft.Compute/virtualMachineScaleSets/VS/virtualMachines/0";

  private static OutOfService only(NodeDriver driver) {
    List<OutOfService> all = driver.broadcasts();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void nodesChanged_beforeTheCacheIsSynced_isNotBroadcast() {
    NodeDriver driver = new NodeDriver().change(node("n4", OUT)).after(Duration.ofHours(1));

    assertThat(driver.effects()).isEmpty();
    assertThat(driver.wakeAt()).isEmpty();
  }

  @Test
  void synced_firstTime_broadcastsAllNodesAfterTheWindow() {
    NodeDriver driver = new NodeDriver().change(node("n4"), node("n5", OUT));

    driver.send(new NodeEvent.Synced());
    assertThat(driver.wakeAt()).contains(T0.plusMillis(20));
    driver.snapshot();

    OutOfService first = only(driver);
    assertThat(first.version()).isEqualTo(1);
    assertThat(first.live()).isTrue();
    assertThat(first.nodes().byAddress())
        .isEqualTo(Map.of(Address.of("10.0.0.4"), key("n4"), Address.of("10.0.0.5"), key("n5")));
    assertThat(first.leaving())
        .isEqualTo(Map.of(key("n5"), new Leaving("uid-n5", Set.of(Reason.OUT_OF_SERVICE), T0)));
  }

  @ParameterizedTest
  @CsvSource({
    OUT + ",OUT_OF_SERVICE",
    SHUTDOWN + ",SHUTDOWN",
    DRAINING + ",SPOT_EVICTION",
  })
  void taintAdded_ofAnyOfTheThree_makesTheNodeLeave(String taint, Reason reason) {
    NodeDriver driver = synced(node("n4")).after(Duration.ofSeconds(1));

    driver.change(node("n4", taint)).snapshot();

    OutOfService next = only(driver);
    assertThat(next.version()).isEqualTo(2);
    assertThat(next.leaving())
        .isEqualTo(Map.of(key("n4"), new Leaving("uid-n4", Set.of(reason), T0.plusMillis(1_020))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node.kubernetes.io/unschedulable",
        "node.kubernetes.io/Out-Of-Service",
        "node.kubernetes.io/out-of-service-volume",
        "cloudprovider.azure.microsoft.com/draining-soon",
        "ToBeDeletedByClusterAutoscaler"
      })
  void taintAdded_ofAnotherKey_changesNothing(String taint) {
    NodeDriver driver = synced(node("n4"));

    driver.change(node("n4", taint)).snapshot();

    assertThat(driver.effects()).isEmpty();
  }

  /** With one that is configured, whose key must match as those of the others do. */
  private static NodeDriver withExtraTaint() {
    Set<String> extra = Set.of("karpenter.sh/disrupted");
    NodeDriver driver =
        new NodeDriver(new NodeLimits(true, true, NodeDriver.AKS, 0, WINDOW, extra));
    driver.change(node("n4")).send(new NodeEvent.Synced()).snapshot().effects();
    return driver;
  }

  @Test
  void taintAdded_aConfiguredOne_isAReasonUntilItIsGone() {
    NodeDriver driver = withExtraTaint();

    driver.change(node("n4", "karpenter.sh/disrupted", OUT)).snapshot();
    assertThat(only(driver).leaving().get(key("n4")).reasons())
        .containsExactlyInAnyOrder(Reason.OUT_OF_SERVICE, Reason.EXTRA_TAINT);

    driver.change(node("n4", "karpenter.sh/disrupted")).snapshot();
    assertThat(only(driver).leaving().get(key("n4")).reasons()).containsExactly(Reason.EXTRA_TAINT);

    driver.change(node("n4")).snapshot();
    assertThat(only(driver).leaving()).isEmpty();
  }

  @Test
  void taintAdded_likeAConfiguredOne_changesNothing() {
    NodeDriver driver = withExtraTaint();

    driver.change(node("n4", "karpenter.sh/disrupted-soon", "karpenter.sh/Disrupted")).snapshot();

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void taintAdded_aConfiguredOneOnANodeToBeLeftAlone_changesNothing() {
    NodeDriver driver = withExtraTaint();
    driver.change(NodeDriver.ignored(node("n4"))).snapshot().effects();

    driver.change(NodeDriver.ignored(node("n4", "karpenter.sh/disrupted"))).snapshot();

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void taintAdded_aConfiguredOne_isNamedInTheEvent() {
    NodeDriver driver = withExtraTaint();
    driver.change(node("n4", "karpenter.sh/disrupted")).snapshot();

    driver.send(new NodeEvent.Listed(2));

    assertThat(driver.events())
        .extracting(ObjectEvent::message)
        .containsExactly(
            "Load balancer admin state is Down in all backend pools: no new connections (extra"
                + " taint)");
  }

  @Test
  void taintAdded_besideAnother_keepsTheTimeOfTheFirst() {
    NodeDriver driver = synced(node("n4")).change(node("n4", SHUTDOWN)).snapshot();
    driver.effects();

    driver.after(Duration.ofSeconds(5)).change(node("n4", SHUTDOWN, OUT)).snapshot();

    assertThat(only(driver).leaving())
        .isEqualTo(
            Map.of(
                key("n4"),
                new Leaving(
                    "uid-n4", Set.of(Reason.SHUTDOWN, Reason.OUT_OF_SERVICE), T0.plusMillis(20))));
  }

  @Test
  void taintRemoved_theLastOne_bringsTheNodeBack() {
    NodeDriver driver = synced(node("n4", OUT, SHUTDOWN));

    driver.change(node("n4", OUT)).snapshot();
    assertThat(only(driver).leaving()).containsOnlyKeys(key("n4"));
    driver.change(node("n4")).snapshot();

    assertThat(only(driver).leaving()).isEmpty();
  }

  @Test
  void nodesChanged_manyInOneWindow_areOneBroadcast() {
    NodeView[] nodes =
        IntStream.range(1, 101).mapToObj(i -> node("n" + i)).toArray(NodeView[]::new);
    NodeDriver driver = synced(nodes);

    IntStream.range(1, 101).forEach(i -> driver.change(node("n" + i, OUT)));
    driver.after(Duration.ofSeconds(1));

    OutOfService all = only(driver);
    assertThat(all.version()).isEqualTo(2);
    assertThat(all.leaving()).hasSize(100);
  }

  @Test
  void nodesChanged_withinTheWindow_doesNotPutTheBroadcastOff() {
    NodeDriver driver = synced(node("n4"), node("n5"));

    driver.change(node("n4", OUT)).after(Duration.ofMillis(19)).change(node("n5", OUT));

    assertThat(driver.wakeAt()).contains(T0.plusMillis(40));
  }

  @Test
  void taint_addedAndRemovedWithinTheWindow_isNotBroadcast() {
    NodeDriver driver = synced(node("n4"));

    driver.change(node("n4", OUT)).change(node("n4")).snapshot();

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void nodesChanged_nothingThatMatters_costsNothing() {
    NodeView before = node("n4");
    NodeDriver driver = synced(before);

    driver.change(before);
    driver.change(labelled(before, "zone", "1"));
    driver.change(announced(before, "Freeze Scheduled: Wed, 26 Feb 2025 10:13:13 GMT."));
    driver.change(handled(before, "anything"));

    assertThat(driver.wakeAt()).isEmpty();
    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void nodeReplaced_underTheSameName_startsClean() {
    NodeDriver driver = synced(node("n4", OUT)).after(Duration.ofSeconds(1));

    driver.change(of(node("n4"), "uid-new")).snapshot();
    assertThat(only(driver).leaving()).isEmpty();
    driver.after(Duration.ofSeconds(1)).change(of(node("n4", OUT), "uid-new")).snapshot();

    assertThat(only(driver).leaving().get(key("n4")))
        .isEqualTo(new Leaving("uid-new", Set.of(Reason.OUT_OF_SERVICE), T0.plusMillis(2_040)));
  }

  @Test
  void nodeReplaced_whileBothLeave_isAnotherSignal() {
    NodeDriver driver = synced(node("n4", OUT)).after(Duration.ofSeconds(1));

    driver.change(of(node("n4", OUT), "uid-new")).snapshot();

    assertThat(only(driver).leaving().get(key("n4")))
        .isEqualTo(new Leaving("uid-new", Set.of(Reason.OUT_OF_SERVICE), T0.plusMillis(1_020)));
  }

  @Test
  void nodeDeleted_whileLeaving_isNowhereAnyMore() {
    NodeDriver driver = synced(node("n4", OUT), node("n5"));

    driver.delete("n4").snapshot();

    OutOfService next = only(driver);
    assertThat(next.leaving()).isEmpty();
    assertThat(next.nodes().byAddress()).containsOnlyKeys(Address.of("10.0.0.5"));
  }

  @Test
  void nodeWithOptOut_isNeitherPlacedNorLeaving() {
    NodeDriver driver = synced(node("n4", OUT), node("n5"));

    driver.change(ignored(node("n4", OUT))).snapshot();

    OutOfService next = only(driver);
    assertThat(next.leaving()).isEmpty();
    assertThat(next.nodes().byAddress()).containsOnlyKeys(Address.of("10.0.0.5"));
  }

  @Test
  void optOut_ofAnotherValue_isNone() {
    NodeDriver driver = synced();

    driver.change(labelled(node("n4", OUT), "poolkeeper.io/admin-state", "true")).snapshot();

    assertThat(only(driver).leaving()).containsOnlyKeys(key("n4"));
  }

  @Test
  void providerId_ofAzure_placesTheMachineFolded() {
    NodeDriver driver = synced();

    driver.change(on(node("n4"), "azure://" + INSTANCE), on(node("n5"), "kind://docker/n5"));
    driver.snapshot();

    assertThat(only(driver).nodes().byMachine())
        .isEqualTo(Map.of(INSTANCE.toLowerCase(java.util.Locale.ROOT), key("n4")));
  }

  @Test
  void address_ofTwoNodes_isTheNewerOnes() {
    NodeView newer = created(node("n4", OUT), T0.plusSeconds(1));
    NodeView older = new NodeView(key("z"), "uid-z", newer.addresses(), Map.of(), Set.of(), false);
    NodeDriver driver = synced(older);

    driver.change(newer).snapshot();
    assertThat(only(driver).nodes().byAddress()).containsValue(key("n4"));
    driver.delete("n4").snapshot();

    assertThat(only(driver).nodes().byAddress()).containsValue(key("z"));
  }

  @Test
  void watchLost_andSyncedAgain_isBroadcastBothTimes() {
    NodeDriver driver = synced(node("n4", OUT));

    driver.send(new NodeEvent.WatchLost()).snapshot();
    OutOfService lost = only(driver);
    assertThat(lost.live()).isFalse();
    assertThat(lost.version()).isEqualTo(2);
    assertThat(lost.leaving()).containsOnlyKeys(key("n4"));
    driver.change(node("n4")).send(new NodeEvent.Synced()).snapshot();

    OutOfService live = only(driver);
    assertThat(live.live()).isTrue();
    assertThat(live.version()).isEqualTo(3);
    assertThat(live.leaving()).isEmpty();
  }

  @Test
  void watchLost_beforeTheFirstList_isNotBroadcast() {
    NodeDriver driver = new NodeDriver();

    driver.send(new NodeEvent.WatchLost()).after(Duration.ofMinutes(1));

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void timer_thatComesLate_isMadeUpForByAnyEvent() {
    NodeDriver driver = synced(node("n4"));
    driver.change(node("n4", OUT));

    driver.after(Duration.ofMillis(19)).send(new NodeEvent.TimerDue());
    assertThat(driver.effects()).isEmpty();
    driver.after(Duration.ofMillis(1));

    assertThat(driver.broadcasts()).hasSize(1);
  }

  @Test
  void disabled_anySignal_isNeitherBroadcastNorPatched() {
    NodeDriver driver = new NodeDriver(NodeDriver.limits(false, true));

    driver.change(announced(node("n4", OUT), SpotTest.SCHEDULED)).send(new NodeEvent.Synced());
    driver.preempted("n4", "uid-n4", SpotTest.SCHEDULED).after(Duration.ofMinutes(1));

    assertThat(driver.effects()).isEmpty();
    assertThat(driver.state().nodes()).isEmpty();
    assertThat(driver.state().held()).isEmpty();
  }

  @Test
  void stop_nothingIsDecidedAnyMore() {
    NodeDriver driver = synced(node("n4")).change(node("n4", OUT));

    driver.send(new NodeEvent.Stop()).snapshot().change(node("n5")).snapshot();

    assertThat(driver.effects()).isEmpty();
    assertThat(driver.wakeAt()).isEmpty();
  }
}
