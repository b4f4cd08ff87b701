package io.poolkeeper.process;

import static io.poolkeeper.process.AdminStateWorld.DRAINING;
import static io.poolkeeper.process.AdminStateWorld.OUT;
import static io.poolkeeper.process.AdminStateWorld.SHUTDOWN;
import static io.poolkeeper.process.AdminStateWorld.announced;
import static io.poolkeeper.process.AdminStateWorld.node;
import static io.poolkeeper.process.AdminStateWorld.reborn;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.node.PatchResult;
import io.poolkeeper.pool.InMemoryArm;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each bullet of spec 2's User Scenarios, Admin State Lifecycle, Edge Cases and Testing Strategy
 * that is about a whole way from a Node to ARM, in one test named after it. Connections are not
 * tested: there is no data path without Azure. What single rules do in detail, the tests of their
 * packages show.
 */
@Execution(ExecutionMode.CONCURRENT)
class AdminStateSpecTest {
  private static final String EVICTION = "Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT.";
  private static final String DOWN = "LoadBalancerAdminStateDown";
  private static final String NONE = "LoadBalancerAdminStateNone";
  private static final String FAILED = "LoadBalancerAdminStateUpdateFailed";

  private final AdminStateWorld world = new AdminStateWorld("lb-1", "lb-2");

  /** The local Service, in both families; then pools that it does not own. */
  private final PoolId web = world.show("lb-1", "default-web", "10.0.0.4", "10.0.0.5");

  private final PoolId web6 = world.show("lb-1", "default-web-ipv6", "fd00::4", "fd00::5");
  private final PoolId cluster = world.show("lb-1", "kubernetes", "10.0.0.4", "10.0.0.5");
  private final PoolId internal = world.show("lb-1-internal", "db", "10.0.0.4", "10.0.0.5");
  private final PoolId interfaces = world.show("lb-2", "nics", "4", "5");

  /** Those that are not to be written: nobody's node, no rule, another load balancer. */
  private final PoolId quiet = world.show("lb-2", "quiet", "10.0.0.5");

  private final PoolId ruleless =
      world.show(AdminStateWorld.pool("lb-2", "ruleless"), Set.of(), "10.0.0.4");
  private final PoolId foreign = world.show("foreign", "kubernetes", "10.0.0.4");

  private final PoolId[] affected = {web, web6, cluster, internal, interfaces};
  private static final String[] N4 = {
    "default-web/entry-10.0.0.4",
    "default-web-ipv6/entry-fd00::4",
    "kubernetes/entry-10.0.0.4",
    "db/entry-10.0.0.4",
    "nics/entry-4"
  };

  @AfterEach
  void close() {
    world.close();
  }

  private void start() {
    Set<PoolId> followed = Set.of(web, web6, cluster, internal, interfaces, quiet);
    world.start(followed, Set.of("n4", "n5"), node("n4"), node("n5"));
  }

  /** So many PUTs while time stands still. */
  private void putsAtOnce(int puts) {
    world.settle();
    assertThat(world.arm.written()).hasSize(puts);
  }

  /** The end of a transition, and some time for whatever else may happen. */
  private void until(String... reasons) {
    world.passUntil(() -> world.events.size() >= reasons.length);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.reasons()).containsExactly(reasons);
  }

  private Set<String> down() {
    return world.down(web, web6, cluster, internal, interfaces, quiet, ruleless, foreign);
  }

  /** One PUT for each affected pool, between two GETs, and no call about any other. */
  private void assertEachAffectedPoolWrittenOnce() {
    assertThat(world.arm.written()).containsExactlyInAnyOrder(affected);
    assertThat(world.arm.calls())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(affected)
                .flatMap(pool -> Stream.of("GET ", "PUT ", "GET ").map(of -> of + pool.name()))
                .toList());
  }

  @ParameterizedTest
  @CsvSource({OUT + ",OUT_OF_SERVICE", SHUTDOWN + ",SHUTDOWN", DRAINING + ",SPOT_EVICTION"})
  void lifecycle_noneToDown_onAnyOfTheThreeTaints_everyEntryOfTheNodeIsDownAtOnce(
      String taint, Reason reason) {
    start();

    world.taint("n4", taint);

    putsAtOnce(affected.length);
    assertThat(down()).containsExactlyInAnyOrder(N4);
    until(DOWN);
    assertEachAffectedPoolWrittenOnce();
    assertThat(down()).containsExactlyInAnyOrder(N4);
    assertThat(world.view().items())
        .singleElement()
        .returns(node("n4").key(), NodesView.Item::node)
        .returns(Set.of(reason), NodesView.Item::reasons)
        .returns(true, NodesView.Item::done);
    assertThat(world.propagated).hasSize(1);
  }

  @Test
  void lifecycle_downToNone_onlyWhenAllTaintsAreRemoved_theNodeReentersRotation() {
    start();
    world.taint("n4", OUT, SHUTDOWN, DRAINING);
    until(DOWN);
    world.forget();

    world.taint("n4", SHUTDOWN, DRAINING);
    world.taint("n4", DRAINING);
    world.passUntil(
        () ->
            world.view().outOfService().leaving().values().stream()
                .allMatch(why -> why.reasons().equals(Set.of(Reason.SPOT_EVICTION))));
    world.pass(Duration.ofMinutes(1));
    assertThat(world.arm.calls()).isEmpty();
    assertThat(down()).containsExactlyInAnyOrder(N4);

    world.taint("n4");
    putsAtOnce(affected.length);
    until(NONE);
    assertEachAffectedPoolWrittenOnce();
    assertThat(down()).isEmpty();
    assertThat(world.view().items()).isEmpty();
  }

  @Test
  void lifecycle_downToRemoved_deletedNode_entryGoesWithTheReconciliationWithoutAnotherCall() {
    start();
    world.taint("n4", OUT);
    until(DOWN);
    world.forget();

    world.webRunsOn(Set.of("n5"));
    world.delete("n4");
    world.passUntil(() -> world.arm.written().containsAll(List.of(web, web6)));
    world.pass(Duration.ofMinutes(5));

    assertThat(world.arm.written()).containsExactlyInAnyOrder(web, web6);
    assertThat(world.arm.addresses(web)).hasToString("[10.0.0.5]");
    assertThat(world.reasons()).doesNotContain(NONE, DOWN, FAILED);
    assertThat(world.view().items()).isEmpty();
  }

  @Test
  void lifecycle_downToRemoved_replacedNodeOfTheSameName_doesNotInheritDown() {
    start();
    world.taint("n4", OUT);
    until(DOWN);
    world.forget();

    world.change(reborn(node("n4")));
    putsAtOnce(affected.length);
    world.pass(Duration.ofMinutes(1));

    assertEachAffectedPoolWrittenOnce();
    assertThat(down()).isEmpty();
    assertThat(world.reasons()).as("nobody has brought that node back").isEmpty();
  }

  @Test
  void lifecycle_duplicatePreemptScheduled_isIgnoredOnceTheTaintExists() {
    start();
    world.preempted("n4", EVICTION);
    until(DOWN);
    world.forget();

    world.preempted("n4", EVICTION);
    world.preempted("n4", EVICTION);
    world.pass(Duration.ofMinutes(1));

    assertThat(world.patches).hasSize(1);
    assertThat(world.arm.calls()).isEmpty();
    assertThat(world.events).isEmpty();
  }

  @Test
  void lifecycle_azureCannotBeReached_stateStaysAndIsRetriedAfterABackoffWithAnEvent() {
    start();
    for (int i = 0; i < affected.length; i++) {
      world.arm.refuseGet(InMemoryArm.refusal(503, "ServiceUnavailable"));
    }

    world.taint("n4", OUT);
    world.settle();
    assertThat(world.reasons()).containsExactly(FAILED);
    assertThat(down()).isEmpty();
    assertThat(world.arm.gets()).as("no retry before its time").isEqualTo(affected.length);

    world.arm.forgetCalls();
    until(FAILED, DOWN);
    assertThat(down()).containsExactlyInAnyOrder(N4);
    assertEachAffectedPoolWrittenOnce();
    assertThat(world.events.getFirst().type()).isEqualTo(ObjectEvent.Type.WARNING);
    assertThat(world.events.getFirst().message()).contains("ServiceUnavailable");
  }

  @Test
  void scenario_shutdownTaint_countsEvenIfTheDerivedTaintCannotBeSet() {
    start();
    world.patchResult = PatchResult.FAILED;
    world.preempted("n4", EVICTION);
    world.passUntil(() -> world.patches.size() > 1);
    assertThat(down()).isEmpty();

    world.taint("n4", SHUTDOWN);

    putsAtOnce(affected.length);
    until(DOWN);
    assertThat(down()).containsExactlyInAnyOrder(N4);
    assertEachAffectedPoolWrittenOnce();
  }

  @Test
  void scenario_spotEviction_firstEventTaintsTheNodeWhichIsThenDown_untilTheTaintIsRemoved() {
    start();

    world.preempted("n4", EVICTION);

    putsAtOnce(affected.length);
    until(DOWN);
    assertThat(world.taints("n4")).containsExactly(DRAINING);
    assertEachAffectedPoolWrittenOnce();
    assertThat(world.events.getFirst().message()).contains("spot eviction");

    world.taint("n4");
    until(DOWN, NONE);
    assertThat(down()).isEmpty();
  }

  @Test
  void scenario_duplicateEvents_areIgnoredUntilTheNodeIsRecreatedOrTheTaintCleared() {
    start();
    world.preempted("n4", EVICTION);
    until(DOWN);

    world.taint("n4");
    until(DOWN, NONE);
    world.preempted("n4", EVICTION);
    until(DOWN, NONE);
    assertThat(world.patches).as("the same one, which an operator has cleared").hasSize(1);

    world.preempted("n4", EVICTION.replace("26", "27"));
    until(DOWN, NONE, DOWN);
    assertThat(world.patches).as("another one after the clearing").hasSize(2);

    world.change(reborn(node("n4")));
    world.preempted("n4", EVICTION);
    until(DOWN, NONE, DOWN, DOWN);
    assertThat(world.patches)
        .last()
        .returns("uid-n4-again", NodeEffect.Patch::uid)
        .returns(true, NodeEffect.Patch::taint);
  }

  @Test
  void edge_singlePodService_itsOnlyEntryIsDownToo() {
    PoolId single = world.show("lb-2", "single", "10.0.0.4");
    start();
    world.taint("n4", OUT);
    until(DOWN);

    assertThat(world.down(single)).containsExactly("single/entry-10.0.0.4");
  }

  @Test
  void edge_externalTrafficPolicyLocal_isTreatedLikeAllOtherServices() {
    start();
    world.taint("n4", OUT);
    until(DOWN);

    assertThat(world.down(web)).containsExactly("default-web/entry-10.0.0.4");
    assertThat(world.down(cluster)).containsExactly("kubernetes/entry-10.0.0.4");
    assertThat(world.arm.addresses(web)).as("a drain is no removal").hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Freeze Scheduled: Wed, 26 Feb 2025 10:13:13 GMT.",
        "Freeze Started: . DurationInSeconds: 5.",
        "Reboot Scheduled: Wed, 26 Feb 2025 10:13:13 GMT."
      })
  void edge_azureVmFreezeEvents_areExcluded(String message) {
    start();

    world.preempted("n4", message);
    world.change(announced(node("n4"), message));
    world.pass(Duration.ofMinutes(1));

    assertThat(world.patches).isEmpty();
    assertThat(world.arm.calls()).isEmpty();
    assertThat(world.events).isEmpty();
  }

  @Test
  void edge_multipleStandardLoadBalancers_allEntriesOnAllManagedOnesAreFound() {
    start();
    world.taint("n4", OUT);
    until(DOWN);

    assertThat(world.arm.written())
        .extracting(pool -> pool.loadBalancer().name())
        .containsOnly("lb-1", "lb-1-internal", "lb-2");
    assertThat(world.down(cluster, internal, interfaces))
        .containsExactlyInAnyOrder(
            "kubernetes/entry-10.0.0.4", "db/entry-10.0.0.4", "nics/entry-4");
    assertThat(world.down(foreign)).isEmpty();
  }

  @Test
  void edge_dualStackClusters_bothFamiliesAreUpdated() {
    start();
    world.taint("n4", OUT);
    until(DOWN);

    assertThat(world.down(web, web6))
        .containsExactlyInAnyOrder("default-web/entry-10.0.0.4", "default-web-ipv6/entry-fd00::4");
  }

  @Test
  void testing_integration_upgradeTaintRemovalAndEviction_callEachAffectedPoolOnce() {
    start();

    world.taint("n4", OUT);
    until(DOWN);
    assertEachAffectedPoolWrittenOnce();

    world.forget();
    world.taint("n4");
    until(NONE);
    assertEachAffectedPoolWrittenOnce();

    world.forget();
    world.preempted("n4", EVICTION);
    until(DOWN);
    assertEachAffectedPoolWrittenOnce();
  }

  /** With real processes and a real HTTP API: the lab's scenarios drain and spot. */
  @Test
  void testing_endToEnd_statesFlipAtOnceAfterAQuietTime() {
    start();

    world.taint("n4", SHUTDOWN);
    putsAtOnce(affected.length);
    assertThat(down()).containsExactlyInAnyOrder(N4);
    world.pass(Duration.ofSeconds(10));

    world.taint("n4");
    putsAtOnce(2 * affected.length);
    assertThat(down()).isEmpty();
    world.pass(Duration.ofSeconds(10));

    world.preempted("n4", EVICTION);
    putsAtOnce(3 * affected.length);
    assertThat(down()).containsExactlyInAnyOrder(N4);
  }

  @Test
  void testing_regression_serviceWithoutOutOfServiceNodes_isNeitherReadNorWritten() {
    start();

    world.taint("n4", OUT);
    until(DOWN);
    world.taint("n4");
    until(DOWN, NONE);

    assertThat(world.arm.calls()).doesNotContain("GET quiet", "PUT quiet");
    assertThat(world.down(quiet, ruleless, foreign)).isEmpty();
  }
}
