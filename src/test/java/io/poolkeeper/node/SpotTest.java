package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.DETECTOR;
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
import io.poolkeeper.model.NodeView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private static final String TAINTED = "taint n4 " + DATE;

  /** n4 is there, and was announced to be preempted just now. */
  private static NodeDriver preempted() {
    return synced(node("n4")).preempted("n4", "uid-n4", SCHEDULED).came(TAINTED);
  }

  @Test
  void condition_preemptScheduled_taintsAndRecordsAtOnce() {
    NodeDriver driver = synced(node("n4")).change(announced(node("n4"), NAMED));

    driver.came("taint n4 " + ID + "+" + DATE);
  }

  /** An older node-problem-detector names the node by its name, or not at all. */
  @ParameterizedTest
  @CsvSource({
    "n4,uid-n4,true",
    "n4,n4,true",
    "n4,'',true",
    "n4,uid-before,false",
    "n9,uid-n9,false"
  })
  void event_preemptScheduled_taintsTheNodeItIsAboutAtOnce(String node, String uid, boolean taint) {
    NodeDriver driver = synced(node("n4")).preempted(node, uid, SCHEDULED);

    driver.change(node("n9")).after(Duration.ofMillis(1)).came(taint ? TAINTED : "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "IMDS query failed, exit code: 28\nConnection timed out after 24 seconds.",
        "preempt scheduled: Wed, 26 Feb 2025 10:13:13 GMT.",
        "Node condition VMEventScheduled is now: True, message: \"Preempt Scheduled: x\"",
        "Preempt Canceled: Wed, 26 Feb 2025 10:13:13 GMT."
      })
  void message_ofAnythingElse_isNoPreemption(String message) {
    NodeDriver driver = synced(node("n4")).preempted("n4", "uid-n4", message);

    driver.change(announced(node("n4"), message)).came("log n4 " + message);
  }

  /** Of the second in which the node was made it counts; before, it is of the machine before. */
  @ParameterizedTest
  @CsvSource({"0,0,true", "1,0,false", "0,600,true", "0,601,false"})
  void event_olderThanTheNodeOrThanTenMinutes_saysNothing(int made, int age, boolean taint) {
    synced(created(node("n4"), T0.plusSeconds(made)))
        .send(
            new NodeEvent.Preempted(
                key("n4"), "n4", SCHEDULED, T0, Duration.ofSeconds(age), DETECTOR))
        .came(taint ? TAINTED : "");
  }

  @Test
  void preemption_heardAgainInAnyWay_isPatchedOnce() {
    NodeDriver driver = preempted().preempted("n4", "n4", SCHEDULED);
    driver.change(announced(node("n4"), SCHEDULED, SCHEDULED)).preempted("n4", "n4", STARTED);
    driver.patched("n4", PatchResult.DONE).preempted("n4", "uid-n4", SCHEDULED).came("");

    driver.change(announced(node("n4", DRAINING), SCHEDULED)).seconds(60).forget();
    driver.preempted("n4", "uid-n4", STARTED).came("");
  }

  @Test
  void cleared_byAnOperator_staysSoWhateverIsHeardAgain() {
    NodeDriver driver = synced(node("n4")).preempted("n4", "uid-n4", NAMED);
    driver.patched("n4", PatchResult.DONE).change(handled(node("n4", DRAINING), ID + "; " + DATE));
    driver.forget();

    driver.change(handled(announced(node("n4"), NAMED), ID + "; " + DATE));
    driver.preempted("n4", "uid-n4", NAMED).preempted("n4", "n4", SCHEDULED);
    driver.preempted("n4", "n4", STARTED).after(WINDOW).came("");
  }

  /** Only the name that is missing is recorded. */
  @ParameterizedTest
  @CsvSource({ID + ",true", ID + "; Wed,false"})
  void restart_afterTheClearing_leavesTheNodeInService(String annotation, boolean records) {
    String text = annotation.replace("Wed", DATE);
    NodeDriver driver = new NodeDriver().preempted("n4", "uid-n4", NAMED);

    driver.change(handled(announced(node("n4"), NAMED), text)).sync();

    driver.preempted("n4", "uid-n4", STARTED).came(records ? "record n4 " + DATE : "");
  }

  @Test
  void cleared_andAnotherPreemption_taintsAgain() {
    NodeDriver driver = synced(handled(node("n4"), ID));

    driver.preempted("n4", "uid-n4", "Preempt Scheduled: . EventId: another");

    driver.came("taint n4 another");
  }

  @Test
  void preemption_namedInTwoWays_isTheSame_andTheOtherNameIsRecorded() {
    NodeDriver driver = preempted().patched("n4", PatchResult.DONE);

    driver.preempted("n4", "uid-n4", NAMED).came("record n4 " + ID);
  }

  @Test
  void started_withoutAnyId_isTheLastOneHandled() {
    NodeDriver driver = synced(handled(node("n4"), ID)).preempted("n4", "uid-n4", STARTED);

    driver.change(handled(announced(node("n4"), STARTED), ID)).came("");
  }

  @Test
  void started_withoutAnyIdBeforeAll_isHandledAsStarted() {
    NodeDriver driver = synced(node("n4"));

    driver.preempted("n4", "uid-n4", STARTED).preempted("n4", "uid-n4", STARTED);

    driver.came("taint n4 started");
  }

  /** The adapter adds the taint only if the node lacks it. */
  @Test
  void preemption_whileTheTaintIsThere_isPatchedAsAnyOther() {
    synced(node("n4", DRAINING)).preempted("n4", "uid-n4", SCHEDULED).came(TAINTED);
  }

  @Test
  void nodeReplaced_underTheSameName_startsClean() {
    NodeDriver driver = preempted().change(of(node("n4"), "uid-new"));
    driver.preempted("n4", "n4", SCHEDULED).came("taint n4/uid-new " + DATE);

    // What becomes of the patch of the node before says nothing of the new one
    driver.patched("n4", PatchResult.CONFLICT).seconds(60).came("");
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
    NodeDriver driver = preempted().random(random);
    IntStream.range(1, failures).forEach(i -> driver.patched("n4", result).seconds(10));

    driver.forget().patched("n4", result).wakesIn(millis).seconds(10).came(TAINTED);
  }

  @Test
  void patchFailed_andMoreHeardMeanwhile_isOnePatch() {
    NodeDriver driver = preempted().preempted("n4", "uid-n4", NAMED).came("");

    driver.patched("n4", PatchResult.CONFLICT).seconds(1).came(TAINTED + "+" + ID);
  }

  @Test
  void paused_aPreemption_isPatchedAtOnceWhenThatEnds() {
    NodeDriver driver = synced(node("n4")).paused(true).preempted("n4", "uid-n4", SCHEDULED);

    driver.came("waits n4").wakesIn(-1).preempted("n4", "uid-n4", SCHEDULED).came("");
    assertThat(driver.view().paused()).containsExactly(new NodeKey("n4"));

    driver.seconds(3_600).came("").paused(false).came(TAINTED);
    assertThat(driver.view().paused()).isEmpty();
  }

  @Test
  void paused_aPatchThatFailed_isMadeAgainAfterThat_andATaintStillCounts() {
    NodeDriver driver = preempted().paused(true).patched("n4", PatchResult.FAILED).wakesIn(-1);

    driver.change(node("n5", DRAINING)).seconds(60).came("v2 n5[SPOT_EVICTION]20");

    driver.paused(false).came(TAINTED);
  }

  @Test
  void patchFailed_asTheNodeIsGone_isNotMadeAgain() {
    preempted().patched("n4", PatchResult.GONE).seconds(60).came("");
  }

  @Test
  void nodeWithOptOut_isNotTainted() {
    NodeDriver driver = synced(ignored(node("n4"))).preempted("n4", "uid-n4", SCHEDULED);

    driver.change(announced(ignored(node("n4")), SCHEDULED)).after(WINDOW).came("");
  }

  @Test
  void optOut_whileAPatchIsDue_endsIt() {
    NodeDriver driver = preempted().change(ignored(announced(node("n4"), SCHEDULED))).seconds(60);

    driver.forget().patched("n4", PatchResult.CONFLICT).seconds(60).came("");
  }

  @Test
  void spotDisabled_preemptions_taintNothingButATaintStillCounts() {
    NodeDriver driver = new NodeDriver(NodeDriver.limits(true, false));
    driver.change(announced(node("n4"), SCHEDULED)).sync().preempted("n4", "uid-n4", SCHEDULED);

    driver.change(announced(node("n4", DRAINING), SCHEDULED)).after(WINDOW);

    driver.came("v1 n4[SPOT_EVICTION]0");
  }

  @Test
  void event_beforeTheNodesAreKnown_waitsForThem() {
    NodeDriver driver = new NodeDriver().preempted("n4", "n4", SCHEDULED).came("");

    driver.change(node("n4")).sync().came(TAINTED);
  }

  @Test
  void event_whileTheWatchIsLost_waitsForTheNextList_andMayBeOfTheMachineBefore() {
    NodeDriver driver = synced(node("n4"), node("n5")).lose();
    driver.preempted("n4", "n4", SCHEDULED).preempted("n5", "n5", SCHEDULED).came("");

    driver.change(created(of(node("n4"), "uid-new"), T0.plusSeconds(9))).sync();

    driver.came("taint n5 " + DATE);
  }

  @Test
  void events_tooManyToWait_dropTheOldest() {
    NodeDriver driver = new NodeDriver();
    IntStream.range(0, 1_003).forEach(i -> driver.preempted("n" + i % 1_002, "", SCHEDULED));
    IntStream.range(0, 6)
        .mapToObj(i -> new NodeView(key("x" + i), "x", List.of(), Map.of(), Set.of(), false))
        .forEach(driver::change);

    driver.change(node("n0"), node("n2"), node("n3")).sync();

    driver.came("taint n0 " + DATE + ", taint n3 " + DATE);
  }

  @Test
  void event_otherWords_areLoggedOncePerNodeAndCountedEachTime() {
    NodeDriver driver = synced(node("n4"), node("n5"));

    driver.preempted("n4", "uid-n4", "a").preempted("n4", "n4", "b").preempted("n5", "n5", "c");
    driver.change(of(node("n4"), "uid-new")).preempted("n4", "uid-new", "d");
    driver.delete("n5").change(node("n5")).preempted("n5", "n5", "e");

    driver.came("log n4 a, count n4 b, log n5 c, log n4 d, log n5 e");
  }

  @Test
  void event_thatCouldNotCount_isNotIgnoredButNone() {
    NodeDriver driver = synced(created(node("n4"), T0.plusSeconds(1)), node("n5"));

    driver.preempted("n4", "n4", "of the machine before").preempted("n5", "uid-n4", "another's");
    driver.preempted("n9", "n9", "of no node").came("");
  }

  @Test
  void event_anyWordsConfigured_taintsOnce() {
    NodeDriver driver =
        new NodeDriver(
            new NodeLimits(true, NodeDriver.spot(true, List.of("*")), 0, WINDOW, Set.of()));
    driver.change(node("n4")).sync().after(WINDOW).came("v1");

    driver.preempted("n4", "n4", "the machine goes in 30 s").patched("n4", PatchResult.DONE);
    driver.preempted("n4", "n4", "the machine goes in 29 s").after(WINDOW);

    driver.came("taint n4 started");
  }
}
