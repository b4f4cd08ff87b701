package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.DRAINING;
import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.WINDOW;
import static io.poolkeeper.node.NodeDriver.announced;
import static io.poolkeeper.node.NodeDriver.created;
import static io.poolkeeper.node.NodeDriver.handled;
import static io.poolkeeper.node.NodeDriver.ignored;
import static io.poolkeeper.node.NodeDriver.key;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.of;
import static io.poolkeeper.node.NodeDriver.synced;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService.Reason;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Preemptions of spot machines: which one taints its node, and which never again. */
class SpotTest {
  static final String DATE = "Wed, 26 Feb 2025 10:13:13 GMT";
  static final String MORE =
      ". DurationInSeconds: -1.  For more information, see https://aka.ms/aks/scheduledevents.";
  static final String SCHEDULED = "Preempt Scheduled: " + DATE + MORE;
  static final String ID = "602d9444-d2cd-49c7-8624-8643e7171297";
  static final String NAMED = SCHEDULED + " EventId: " + ID;
  static final String STARTED = "Preempt Started: " + MORE;

  private static NodeEffect.Patch patch(String node, boolean taint, String... ids) {
    return new NodeEffect.Patch(key(node), "uid-" + node, List.of(ids), taint);
  }

  @Test
  void condition_preemptScheduled_taintsAndRecordsAtOnce() {
    NodeDriver driver = synced(node("n4"));

    driver.change(announced(node("n4"), NAMED));

    assertThat(driver.patches()).containsExactly(patch("n4", true, ID, DATE));
  }

  @Test
  void event_preemptScheduled_taintsAndRecordsAtOnce() {
    NodeDriver driver = synced(node("n4"));

    driver.preempted("n4", "uid-n4", SCHEDULED);

    assertThat(driver.patches()).containsExactly(patch("n4", true, DATE));
  }

  @Test
  void event_ofAnOlderNodeProblemDetector_namesTheNodeByItsName() {
    NodeDriver driver = synced(node("n4"));

    driver.preempted("n4", "n4", SCHEDULED);

    assertThat(driver.patches()).hasSize(1);
  }

  @Test
  void event_ofAnotherUid_isOfAnotherNode() {
    NodeDriver driver = synced(node("n4"));

    driver.preempted("n4", "uid-before", SCHEDULED);

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void event_ofAnUnknownNode_isDropped() {
    NodeDriver driver = synced(node("n4"));

    driver.preempted("n9", "uid-n9", SCHEDULED).change(node("n9")).after(WINDOW);

    assertThat(driver.patches()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "IMDS query failed, exit code: 28\nConnection timed out after 24 seconds.",
        "Too many requests",
        "",
        "preempt scheduled: Wed, 26 Feb 2025 10:13:13 GMT.",
        "Node condition VMEventScheduled is now: True, message: \"Preempt Scheduled: x\"",
        "SpotRebalanceRecommendation: this machine may be evicted",
        "Freeze Scheduled: Wed, 26 Feb 2025 10:13:13 GMT.",
        "VM has no scheduled event",
        "Preempt Canceled: Wed, 26 Feb 2025 10:13:13 GMT."
      })
  void message_ofAnythingElse_isNoPreemption(String message) {
    NodeDriver driver = synced(node("n4"));

    driver.preempted("n4", "uid-n4", message).change(announced(node("n4"), message));

    assertThat(driver.effects())
        .containsExactly(new NodeEffect.EventIgnored(key("n4"), message, true));
  }

  @Test
  void event_olderThanTheNode_isOfTheMachineBefore() {
    NodeDriver driver = synced(created(node("n4"), T0.plusSeconds(1)));

    driver.preempted("n4", "n4", SCHEDULED);

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void event_ofTheSecondTheNodeWasMade_counts() {
    NodeDriver driver = synced(created(node("n4"), T0));

    driver.preempted("n4", "n4", SCHEDULED);

    assertThat(driver.patches()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"600,1", "601,0"})
  void event_overTenMinutesOld_saysNothing(int seconds, int patches) {
    NodeDriver driver = synced(node("n4"));

    driver.send(
        new NodeEvent.Preempted(key("n4"), "n4", SCHEDULED, T0, Duration.ofSeconds(seconds)));

    assertThat(driver.patches()).hasSize(patches);
  }

  @Test
  void preemption_heardAgainInAnyWay_isPatchedOnce() {
    NodeDriver driver = synced(node("n4"));

    driver.preempted("n4", "uid-n4", NAMED).preempted("n4", "n4", NAMED);
    driver.change(announced(node("n4"), NAMED, NAMED)).preempted("n4", "n4", STARTED);
    driver.patched("n4", PatchResult.DONE).preempted("n4", "uid-n4", NAMED);
    driver.change(announced(node("n4", DRAINING), NAMED)).after(Duration.ofMinutes(1));
    driver.preempted("n4", "uid-n4", STARTED);

    assertThat(driver.patches()).hasSize(1);
  }

  @Test
  void cleared_byAnOperator_staysSoWhateverIsHeardAgain() {
    NodeDriver driver = synced(node("n4")).preempted("n4", "uid-n4", NAMED);
    driver.patched("n4", PatchResult.DONE).change(handled(node("n4", DRAINING), ID + "; " + DATE));
    driver.effects();

    driver.change(handled(announced(node("n4"), NAMED), ID + "; " + DATE));
    driver.preempted("n4", "uid-n4", NAMED).preempted("n4", "n4", SCHEDULED);
    driver.preempted("n4", "n4", STARTED).after(WINDOW);

    assertThat(driver.patches()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {ID, ID + "; " + DATE})
  void restart_afterTheClearing_leavesTheNodeInService(String annotation) {
    NodeDriver driver = new NodeDriver().preempted("n4", "uid-n4", NAMED);

    driver.change(handled(announced(node("n4"), NAMED), annotation)).send(new NodeEvent.Synced());
    driver.preempted("n4", "uid-n4", STARTED).after(WINDOW);

    assertThat(driver.patches()).noneMatch(NodeEffect.Patch::taint);
  }

  @Test
  void cleared_andAnotherPreemption_taintsAgain() {
    NodeDriver driver = synced(handled(node("n4"), ID));

    driver.preempted("n4", "uid-n4", "Preempt Scheduled: . EventId: another");

    assertThat(driver.patches()).containsExactly(patch("n4", true, "another"));
  }

  @Test
  void preemption_namedInTwoWays_isTheSame() {
    NodeDriver driver = synced(node("n4")).change(announced(node("n4"), SCHEDULED));
    driver.patched("n4", PatchResult.DONE);
    driver.effects();

    driver.preempted("n4", "uid-n4", NAMED);

    assertThat(driver.patches())
        .as("the other name is recorded, too, and taints nothing")
        .containsExactly(patch("n4", false, ID));
  }

  @Test
  void started_withoutAnyId_isTheLastOneHandled() {
    NodeDriver driver = synced(handled(node("n4"), ID));

    driver.preempted("n4", "uid-n4", STARTED).change(handled(announced(node("n4"), STARTED), ID));

    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void started_withoutAnyIdBeforeAll_isHandledAsStarted() {
    NodeDriver driver = synced(node("n4"));

    driver.preempted("n4", "uid-n4", STARTED).preempted("n4", "uid-n4", STARTED);

    assertThat(driver.patches()).containsExactly(patch("n4", true, "started"));
  }

  @Test
  void preemption_whileTheTaintIsThere_isPatchedAsAnyOther() {
    NodeDriver driver = synced(node("n4", DRAINING));

    driver.preempted("n4", "uid-n4", SCHEDULED);

    assertThat(driver.patches())
        .as("the adapter adds the taint only if the node lacks it")
        .containsExactly(patch("n4", true, DATE));
  }

  @Test
  void nodeReplaced_underTheSameName_startsClean() {
    NodeDriver driver = synced(node("n4")).preempted("n4", "uid-n4", SCHEDULED);
    driver.patched("n4", PatchResult.DONE);
    driver.effects();

    driver.change(of(node("n4"), "uid-new")).preempted("n4", "n4", SCHEDULED);

    assertThat(driver.patches())
        .containsExactly(new NodeEffect.Patch(key("n4"), "uid-new", List.of(DATE), true));
  }

  @Test
  void patched_theNodeBefore_saysNothingOfTheNewOne() {
    NodeDriver driver = synced(node("n4")).preempted("n4", "uid-n4", SCHEDULED);
    driver.change(of(node("n4"), "uid-new")).preempted("n4", "n4", SCHEDULED);
    driver.effects();

    driver.patched("n4", PatchResult.CONFLICT).after(Duration.ofMinutes(1));

    assertThat(driver.patches()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "CONFLICT,1,0,50",
    "CONFLICT,1,0.5,75",
    "CONFLICT,1,0.999,99",
    "FAILED,2,0,100",
    "FAILED,3,0.5,300",
    "FAILED,8,0,5000",
    "FAILED,30,0.5,7500"
  })
  void patchFailed_anyWay_isMadeAgainAfterABoundedBackoff(
      PatchResult result, int failures, double random, long millis) {
    NodeDriver driver = synced(node("n4")).random(random).preempted("n4", "uid-n4", SCHEDULED);
    IntStream.range(1, failures)
        .forEach(i -> driver.patched("n4", result).after(Duration.ofSeconds(10)));
    driver.effects();

    driver.patched("n4", result);

    assertThat(Duration.between(driver.now(), driver.wakeAt().orElseThrow()).toMillis())
        .isEqualTo(millis);
    driver.after(Duration.ofSeconds(10));
    assertThat(driver.patches()).containsExactly(patch("n4", true, DATE));
  }

  @Test
  void patchFailed_andMoreHeardMeanwhile_isOnePatch() {
    NodeDriver driver = synced(node("n4")).preempted("n4", "uid-n4", SCHEDULED);
    driver.preempted("n4", "uid-n4", NAMED);
    driver.effects();

    driver.patched("n4", PatchResult.CONFLICT).after(Duration.ofSeconds(1));

    assertThat(driver.patches()).containsExactly(patch("n4", true, DATE, ID));
  }

  @Test
  void paused_aPreemption_isPatchedAtOnceWhenThatEnds() {
    NodeDriver driver = synced(node("n4")).send(new NodeEvent.Paused(true));
    driver.preempted("n4", "uid-n4", SCHEDULED);
    assertThat(driver.wakeAt()).isEmpty();
    assertThat(driver.after(Duration.ofHours(1)).effects()).isEmpty();

    driver.send(new NodeEvent.Paused(false));

    assertThat(driver.patches()).containsExactly(patch("n4", true, DATE));
  }

  @Test
  void paused_aPatchThatFailed_isMadeAgainAfterThat_andATaintStillCounts() {
    NodeDriver driver = synced(node("n4"), node("n5")).preempted("n4", "uid-n4", SCHEDULED);
    driver.send(new NodeEvent.Paused(true)).patched("n4", PatchResult.FAILED);
    driver.effects();
    assertThat(driver.wakeAt()).isEmpty();

    driver.change(node("n5", DRAINING)).after(Duration.ofMinutes(1));

    assertThat(driver.effects()).singleElement().isInstanceOf(NodeEffect.Broadcast.class);
    assertThat(driver.send(new NodeEvent.Paused(false)).patches())
        .containsExactly(patch("n4", true, DATE));
  }

  @Test
  void patchFailed_asTheNodeIsGone_isNotMadeAgain() {
    NodeDriver driver = synced(node("n4")).preempted("n4", "uid-n4", SCHEDULED);
    driver.effects();

    driver.patched("n4", PatchResult.GONE).after(Duration.ofMinutes(1));

    assertThat(driver.patches()).isEmpty();
  }

  @Test
  void nodeWithOptOut_isNotTainted() {
    NodeDriver driver = synced(ignored(node("n4")));

    driver.preempted("n4", "uid-n4", SCHEDULED);
    driver.change(announced(ignored(node("n4")), SCHEDULED)).after(WINDOW);

    assertThat(driver.patches()).isEmpty();
  }

  @Test
  void optOut_whileAPatchIsDue_endsIt() {
    NodeDriver driver = synced(node("n4")).change(announced(node("n4"), SCHEDULED));
    driver.effects();

    driver.change(ignored(announced(node("n4"), SCHEDULED)));
    driver.patched("n4", PatchResult.CONFLICT).after(Duration.ofMinutes(1));

    assertThat(driver.patches()).isEmpty();
  }

  @Test
  void spotDisabled_preemptions_taintNothingButATaintStillCounts() {
    NodeDriver driver = new NodeDriver(NodeDriver.limits(true, false));
    driver.change(announced(node("n4"), SCHEDULED)).send(new NodeEvent.Synced());
    driver.preempted("n4", "uid-n4", SCHEDULED);

    driver.change(announced(node("n4", DRAINING), SCHEDULED)).after(WINDOW);

    List<NodeEffect> effects = driver.effects();
    assertThat(effects)
        .singleElement()
        .isInstanceOfSatisfying(
            NodeEffect.Broadcast.class,
            broadcast ->
                assertThat(broadcast.outOfService().leaving().get(key("n4")).reasons())
                    .containsExactly(Reason.SPOT_EVICTION));
  }

  @Test
  void event_beforeTheNodesAreKnown_waitsForThem() {
    NodeDriver driver = new NodeDriver().preempted("n4", "n4", SCHEDULED);
    assertThat(driver.effects()).isEmpty();

    driver.change(node("n4")).send(new NodeEvent.Synced());

    assertThat(driver.patches()).hasSize(1);
  }

  @Test
  void event_whileTheWatchIsLost_waitsForTheNextList() {
    NodeDriver driver = synced(node("n4")).send(new NodeEvent.WatchLost());
    driver.preempted("n4", "n4", SCHEDULED);
    assertThat(driver.patches()).isEmpty();

    driver.change(created(of(node("n4"), "uid-new"), T0.plusSeconds(9)));
    driver.send(new NodeEvent.Synced());

    assertThat(driver.patches()).as("it was of the machine before").isEmpty();
  }

  @Test
  void events_tooManyToWait_dropTheOldest() {
    NodeDriver driver = new NodeDriver();

    IntStream.range(0, 1_100).forEach(i -> driver.preempted("n" + i, "n" + i, SCHEDULED));

    assertThat(driver.state().held()).hasSize(1_000);
    assertThat(driver.state().held().getFirst().event().node()).isEqualTo(new NodeKey("n100"));
  }
}
