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
import static io.poolkeeper.node.NodeDriver.ready;
import static io.poolkeeper.node.NodeDriver.synced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ObjectEvent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is out of service, and when pools hear of it. */
class NodeCoreTest {
  private static final String EXTRA = "karpenter.sh/disrupted";
  private static final String CONTESTED =
      "The Nodes z and n4 are both Ready and claim 10.0.0.4. Its pool entries count as those of z";
  private static final String INSTANCE =
      "/subscriptions/S/resourceGroups/RG/providers/Microsoft.Compute/virtualMachineScaleSets/VS/virtualMachines/0";

  private final NodeDriver one = synced(node("n4"));
  private final NodeDriver out = synced(node("n4", OUT), node("n5"));

  @Test
  void nodesChanged_beforeTheCacheIsSynced_isNotBroadcast() {
    NodeDriver driver = new NodeDriver().change(node("n4", OUT)).lose().seconds(3_600);

    driver.came("").wakesIn(-1);
  }

  @Test
  void synced_firstTime_broadcastsAllNodesAfterTheWindow() {
    NodeDriver driver = new NodeDriver().change(node("n4"), node("n5", OUT)).sync().wakesIn(20);

    assertThat(driver.snapshot().broadcast().nodes().byAddress())
        .isEqualTo(Map.of(Address.of("10.0.0.4"), key("n4"), Address.of("10.0.0.5"), key("n5")));
    assertThat(driver.view().outOfService().leaving()).containsOnlyKeys(key("n5"));
  }

  @ParameterizedTest
  @CsvSource({
    OUT + ",OUT_OF_SERVICE",
    SHUTDOWN + ",SHUTDOWN",
    DRAINING + ",SPOT_EVICTION",
  })
  void taintAdded_ofAnyOfTheThree_makesTheNodeLeave(String taint, String reason) {
    one.seconds(1).change(node("n4", taint)).snapshot().came("v2 n4[" + reason + "]1020");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node.kubernetes.io/unschedulable",
        "node.kubernetes.io/Out-Of-Service",
        "node.kubernetes.io/out-of-service-volume",
        "cloudprovider.azure.microsoft.com/draining-soon",
        "ToBeDeletedByClusterAutoscaler",
        "DeletionCandidateOfClusterAutoscaler",
        "remediator.kubernetes.azure.com/unschedulable",
        "karpenter.sh/disrupted",
        "karpenter.sh/disruption",
        "weave.works/kured-node-reboot"
      })
  void taintAdded_ofAnotherKey_changesNothing(String taint) {
    one.change(node("n4", taint)).snapshot().came("");
  }

  /** With one that is configured, whose key must match as those of the others do. */
  private static NodeDriver withExtraTaint() {
    NodeLimits limits =
        new NodeLimits(true, NodeDriver.spot(true, NodeDriver.AKS), 0, WINDOW, Set.of(EXTRA));
    return new NodeDriver(limits).change(node("n4")).sync().snapshot().came("v1");
  }

  @Test
  void taintAdded_aConfiguredOne_isAReasonUntilItIsGone() {
    withExtraTaint()
        .change(node("n4", EXTRA, OUT))
        .snapshot()
        .came("v2 n4[OUT_OF_SERVICE, EXTRA_TAINT]20")
        .change(node("n4", EXTRA))
        .snapshot()
        .came("v3 n4[EXTRA_TAINT]20")
        .change(node("n4"))
        .snapshot()
        .came("v4");
  }

  @Test
  void taintAdded_likeAConfiguredOneOrOnANodeToBeLeftAlone_changesNothing() {
    withExtraTaint()
        .change(node("n4", EXTRA + "-soon", "karpenter.sh/Disrupted"))
        .snapshot()
        .came("")
        .change(ignored(node("n4", EXTRA)))
        .snapshot()
        .came("v2");
  }

  @Test
  void taintAdded_aConfiguredOne_isNamedInTheEvent() {
    NodeDriver driver = withExtraTaint().change(node("n4", EXTRA)).snapshot().listed(2);

    assertThat(driver.events())
        .extracting(ObjectEvent::message)
        .containsExactly(
            "Load balancer admin state is Down in all backend pools: no new connections (extra"
                + " taint)");
  }

  @Test
  void taintAdded_besideAnother_keepsTheTimeOfTheFirst() {
    one.change(node("n4", SHUTDOWN)).snapshot().came("v2 n4[SHUTDOWN]20").seconds(5);

    one.change(node("n4", SHUTDOWN, OUT)).snapshot().came("v3 n4[OUT_OF_SERVICE, SHUTDOWN]20");
  }

  @Test
  void taintRemoved_theLastOne_bringsTheNodeBack() {
    one.change(node("n4", OUT, SHUTDOWN)).snapshot().change(node("n4", OUT)).snapshot();
    one.came("v2 n4[OUT_OF_SERVICE, SHUTDOWN]20, v3 n4[OUT_OF_SERVICE]20");

    one.change(node("n4")).snapshot().came("v4");
  }

  @Test
  void nodesChanged_manyInOneWindow_areOneBroadcast() {
    NodeDriver driver =
        synced(IntStream.range(1, 101).mapToObj(i -> node("n" + i)).toArray(NodeView[]::new));

    IntStream.range(1, 101).forEach(i -> driver.change(node("n" + i, OUT)));

    assertThat(driver.seconds(1).broadcast().leaving()).hasSize(100);
  }

  @Test
  void nodesChanged_withinTheWindow_doesNotPutTheBroadcastOff() {
    out.change(node("n4")).after(Duration.ofMillis(19)).change(node("n5", OUT)).wakesIn(1);
  }

  @Test
  void taint_addedAndRemovedWithinTheWindow_isNotBroadcast() {
    one.change(node("n4", OUT)).change(node("n4")).snapshot().came("");
  }

  @Test
  void nodesChanged_nothingThatMatters_costsNothing() {
    NodeView before = node("n4");

    one.change(before).change(labelled(before, "zone", "1")).change(handled(before, "anything"));
    one.change(announced(before, "Freeze Scheduled: Wed, 26 Feb 2025 10:13:13 GMT."));

    one.wakesIn(-1).came("");
  }

  @Test
  void nodeReplaced_underTheSameName_startsClean() {
    out.seconds(1).change(of(node("n4"), "uid-new")).snapshot().came("v2").seconds(1);

    out.change(of(node("n4", OUT), "uid-new")).snapshot();

    out.came("v3 n4/uid-new[OUT_OF_SERVICE]2040");
  }

  @Test
  void nodeReplaced_whileBothLeave_isAnotherSignal() {
    out.seconds(1).change(of(node("n4", OUT), "uid-new")).snapshot();

    out.came("v2 n4/uid-new[OUT_OF_SERVICE]1020");
  }

  @Test
  void nodeDeletedOrLeftAloneWhileLeaving_isNowhereAnyMore() {
    for (NodeDriver driver :
        new NodeDriver[] {
          synced(node("n4", OUT), node("n5")).delete("n4"), out.change(ignored(node("n4", OUT)))
        }) {
      assertThat(driver.snapshot().broadcast().nodes().byAddress())
          .containsOnlyKeys(Address.of("10.0.0.5"));
      assertThat(driver.view().outOfService().leaving()).isEmpty();
    }
  }

  @Test
  void optOut_ofAnotherValue_isNone() {
    one.change(labelled(node("n4", OUT), "poolkeeper.io/admin-state", "true")).snapshot();

    one.came("v2 n4[OUT_OF_SERVICE]20");
  }

  @Test
  void providerId_ofAzure_placesTheMachineFolded() {
    one.change(on(node("n4"), "azure://" + INSTANCE), on(node("n5"), "kind://docker/n5"));

    assertThat(one.snapshot().broadcast().nodes().byMachine())
        .isEqualTo(Map.of(INSTANCE.toLowerCase(Locale.ROOT), key("n4")));
  }

  @Test
  void address_ofTwoNodes_isTheNewerOnes() {
    NodeView newer = created(node("n4", OUT), T0.plusSeconds(1));
    NodeView older = new NodeView(key("z"), "uid-z", newer.addresses(), Map.of(), Set.of(), false);
    NodeDriver driver = synced(older).change(newer).snapshot();

    assertThat(driver.broadcast().nodes().byAddress()).containsValue(key("n4"));
    assertThat(driver.delete("n4").snapshot().broadcast().nodes().byAddress())
        .containsValue(key("z"));
  }

  /** A kubelet may write any address into its own Node, and announce its own eviction. */
  @Test
  void address_ofTwoReadyNodes_isTheOlderOnes_withAWarningOnBoth() {
    NodeView newer = ready(created(node("n4", OUT), T0.plusSeconds(1)));
    NodeView older =
        ready(new NodeView(key("z"), "z", newer.addresses(), Map.of(), Set.of(), false));
    NodeDriver driver = synced(older).change(newer).snapshot();

    List<NodeEffect> effects = driver.effects();
    assertThat(effects.stream().filter(NodeEffect.Emit.class::isInstance))
        .extracting(of -> ((NodeEffect.Emit) of).event())
        .extracting(event -> event.about().name(), ObjectEvent::type, ObjectEvent::message)
        .containsExactly(
            tuple("z", ObjectEvent.Type.WARNING, CONTESTED),
            tuple("n4", ObjectEvent.Type.WARNING, CONTESTED));
    assertThat(driver.change(node("n5")).snapshot().seconds(2).broadcast().nodes().byAddress())
        .containsEntry(Address.of("10.0.0.4"), key("z"));
    driver.change(ready(node("n5"))).seconds(2).came("");
  }

  /** Else one old kubelet could take all younger nodes out of service with its own condition. */
  @Test
  void address_ofTwoReadyNodes_isThatOfTheOneInService() {
    NodeView older = ready(node("n4"));
    NodeView newer =
        ready(new NodeView(key("z"), "z", older.addresses(), Map.of(), Set.of(), false));
    NodeDriver driver = synced(older, ready(created(newer, T0.plusSeconds(1)))).forget();

    driver.change(ready(node("n4", OUT))).snapshot();

    assertThat(driver.broadcast().nodes().byAddress()).containsValue(key("z"));
  }

  /** A kubelet may claim the addresses of all nodes, and do so again and again. */
  @Test
  void addresses_ofAllNodes_areTenContestsPerSnapshot_eachOnce() {
    NodeView[] all =
        IntStream.range(0, 25)
            .mapToObj(i -> ready(created(node("n" + i), T0.plusSeconds(1))))
            .toArray(NodeView[]::new);
    NodeDriver driver = synced(all);
    List<Address> addresses = Stream.of(all).flatMap(of -> of.addresses().stream()).toList();
    NodeView forger = ready(new NodeView(key("z"), "z", addresses, Map.of(), Set.of(), false));

    driver.change(forger).seconds(2);
    assertThat(driver.events()).hasSize(20);
    driver.change(ready(node("n30"))).seconds(2).change(ready(node("n31"))).seconds(2);
    assertThat(driver.events()).hasSize(30);
    driver.change(new NodeView(key("z"), "z", List.of(), Map.of(), Set.of(), false)).seconds(2);
    driver.change(forger).seconds(2);
    assertThat(driver.events()).isEmpty();
  }

  /** The machine before has the address until its Node is not Ready any more. */
  @Test
  void address_ofANodeThatIsNotReadyAnyMore_isTheReadyOnes() {
    NodeView newer = ready(created(node("n4"), T0.plusSeconds(1)));
    NodeView older = new NodeView(key("z"), "z", newer.addresses(), Map.of(), Set.of(), false);
    NodeDriver driver = synced(ready(older), newer).change(older).seconds(2);

    assertThat(driver.broadcast().nodes().byAddress()).containsValue(key("n4"));
  }

  @Test
  void machine_ofTwoReadyNodes_isTheOlderOnes() {
    NodeView older = on(ready(node("n4")), "azure://" + INSTANCE);
    NodeView newer = on(ready(created(node("n5"), T0.plusSeconds(1))), "azure://" + INSTANCE);

    assertThat(one.change(newer, older).seconds(2).broadcast().nodes().byMachine())
        .containsValue(key("n4"));
  }

  @Test
  void watchLost_andSyncedAgain_isBroadcastBothTimes() {
    out.lose().snapshot().came("v2 lost n4[OUT_OF_SERVICE]0");

    out.change(node("n4")).sync().snapshot().came("v3");
  }

  @Test
  void timer_thatComesLate_isMadeUpForByAnyEvent() {
    one.change(node("n4", OUT)).after(Duration.ofMillis(19)).send(new NodeEvent.TimerDue());

    one.came("").after(Duration.ofMillis(1)).came("v2 n4[OUT_OF_SERVICE]20");
  }

  @Test
  void disabled_anySignal_isNeitherBroadcastNorPatched() {
    NodeDriver driver = new NodeDriver(NodeDriver.limits(false, true));

    driver.preempted("n4", "uid-n4", SpotTest.SCHEDULED);
    driver.change(announced(node("n4", OUT), SpotTest.SCHEDULED)).sync();
    driver.preempted("n4", "uid-n4", SpotTest.SCHEDULED).seconds(60).came("").wakesIn(-1);
  }

  @Test
  void stop_nothingIsDecidedAnyMore() {
    one.change(node("n4", OUT)).send(new NodeEvent.Stop()).snapshot().change(node("n5"));

    one.snapshot().came("").wakesIn(-1);
  }
}
