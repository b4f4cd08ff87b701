package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.DRAINING;
import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.WINDOW;
import static io.poolkeeper.node.NodeDriver.announced;
import static io.poolkeeper.node.NodeDriver.handled;
import static io.poolkeeper.node.NodeDriver.ignored;
import static io.poolkeeper.node.NodeDriver.key;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.synced;
import static io.poolkeeper.node.SpotTest.DATE;
import static io.poolkeeper.node.SpotTest.SCHEDULED;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.NodeView;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that anybody may write: which count, and how many nodes they taint at once. */
class ForgedPreemptionTest {
  private static final String TAINTED = "taint n1 " + DATE;

  /** Nodes n1 to n9, of which three may be tainted because of events alone. */
  private static NodeDriver nine() {
    return synced(
        IntStream.rangeClosed(1, 9).mapToObj(i -> node("n" + i)).toArray(NodeView[]::new));
  }

  private static NodeEvent.Preempted from(String namespace, String about, String source) {
    return new NodeEvent.Preempted(
        key("n1"),
        "n1",
        SCHEDULED,
        T0,
        Duration.ZERO,
        new NodeEvent.Origin(namespace, about, source));
  }

  private static String evicted(int id) {
    return "Preempt Scheduled: . EventId: " + id;
  }

  @ParameterizedTest
  @CsvSource({
    "default,'',true",
    "default,default,true",
    "default,team-a,false",
    "team-a,team-a,false",
    "team-a,'',false",
    "'','',false"
  })
  void event_ofANamespaceThatMayNotSayIt_isCountedAndNoMore(
      String namespace, String about, boolean taints) {
    NodeDriver driver = synced(node("n1")).send(from(namespace, about, "anybody"));

    driver.came(taints ? TAINTED : "log NAMESPACE n1 " + SCHEDULED);
  }

  @ParameterizedTest
  @CsvSource({"npd,true", "Npd,false", "'',false", "kubelet,false"})
  void event_ofASourceThatIsNotNamed_isCountedAndNoMore(String source, boolean taints) {
    SpotLimits spot =
        new SpotLimits(true, NodeDriver.AKS, List.of("default", "npd"), List.of("npd"), 1_000);
    NodeDriver driver = new NodeDriver(new NodeLimits(true, spot, 0, WINDOW, Set.of()));
    driver.change(node("n1")).sync().after(WINDOW).forget();

    driver.send(from("npd", "", source)).came(taints ? TAINTED : "log SOURCE n1 " + SCHEDULED);
  }

  @Test
  void event_refusedForTwoReasons_isLoggedOnceForEach() {
    NodeDriver driver = synced(node("n1")).send(from("team-a", "", "")).send(from("b", "", ""));

    driver.preempted("n1", "n1", "words").send(from("team-a", "", ""));

    driver.came(
        "log NAMESPACE n1 %1$s, count NAMESPACE n1 %1$s, log n1 words, count NAMESPACE n1 %1$s"
            .formatted(SCHEDULED));
  }

  /** Else a tenant could drive out the events that wait for the first list. */
  @Test
  void events_ofOthersBeforeTheNodesAreKnown_takeNoPlace() {
    NodeDriver driver = new NodeDriver().preempted("n1", "n1", SCHEDULED);
    IntStream.range(0, 1_001).forEach(i -> driver.send(from("team-a", "team-a", "x")));

    driver.change(node("n1")).sync().came(TAINTED);
  }

  @Test
  void events_ofMoreNodesThanTheShare_waitUntilANodeIsGoneOrUntainted() {
    NodeDriver driver = nine();
    IntStream.rangeClosed(1, 5).forEach(i -> driver.preempted("n" + i, "", evicted(i)));
    driver.came("taint n1 1, taint n2 2, taint n3 3, waits n4, waits n5");
    driver.wakesIn(600_000);
    assertThat(driver.view().waiting()).containsExactly(key("n4"), key("n5"));

    driver.patched("n1", PatchResult.DONE).change(handled(node("n1", DRAINING), "1")).snapshot();
    driver.forget().change(handled(node("n1"), "1")).came("taint n4 4");
    driver.delete("n3").delete("n9").came("");
    driver.patched("n4", PatchResult.DONE).change(handled(node("n4"), "4")).came("taint n5 5");
    assertThat(driver.view().waiting()).isEmpty();
  }

  /** A machine that still runs by then was spared; a forged eviction must not act for ever. */
  @Test
  void events_thatHaveWaitedTenMinutes_areNotBelievedAnyMore() {
    NodeDriver driver = synced(node("n1"), node("n2")).preempted("n1", "", evicted(1));
    driver.patched("n1", PatchResult.DONE).preempted("n2", "", evicted(2)).seconds(599);
    assertThat(driver.view().waiting()).containsExactly(key("n2"));

    driver.seconds(1).forget().wakesIn(-1).delete("n1").came("");
    assertThat(driver.view().waiting()).isEmpty();
  }

  @Test
  void optOut_ofANodeThatWaits_isHeeded() {
    NodeDriver driver = synced(node("n1"), node("n2")).preempted("n1", "", evicted(1));
    driver.preempted("n2", "", evicted(2)).change(ignored(node("n2"))).forget();
    assertThat(driver.view().waiting()).isEmpty();

    driver.delete("n1").came("");
  }

  /** A pattern with two open ends would take minutes for it. */
  @Test
  void event_ofAHostileLength_isReadAtOnce() {
    String hostile = "Preempt Scheduled:" + " ".repeat(500_000) + "2024 ".repeat(100_000) + "x;";
    NodeDriver driver = synced(node("n1"));

    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> driver.preempted("n1", "", hostile).change(announced(node("n1"), hostile)));

    driver.came("taint n1 started");
  }

  @Test
  void events_ofASmallCluster_taintOneNodeAtLeast() {
    synced(node("n1"), node("n2"))
        .preempted("n1", "", evicted(1))
        .preempted("n2", "", evicted(2))
        .came("taint n1 1, waits n2");
  }

  @Test
  void conditions_ofAllNodes_areNeverLimited() {
    NodeDriver driver = nine();

    driver.change(
        IntStream.rangeClosed(1, 9)
            .mapToObj(i -> announced(node("n" + i), evicted(i)))
            .toArray(NodeView[]::new));

    assertThat(driver.effects()).hasSize(9).allMatch(NodeEffect.Patch.class::isInstance);
  }

  @Test
  void condition_ofANodeThatWaits_taintsIt_andOfATaintedOneFreesItsPlace() {
    NodeDriver driver = synced(node("n1"), node("n2"), node("n3"));
    driver.preempted("n1", "", evicted(1)).preempted("n2", "", evicted(2));
    driver.preempted("n3", "", evicted(3)).came("taint n1 1, waits n2, waits n3");

    driver.change(announced(node("n3"), evicted(3))).came("taint n3 3");
    driver.patched("n1", PatchResult.DONE).came("");
    driver.change(handled(announced(node("n1", DRAINING), evicted(1)), "1")).came("taint n2 2");
  }

  @Test
  void condition_trueWhenTheEventComes_confirmsItAfterARestart() {
    NodeDriver driver = new NodeDriver();
    driver.change(node("n1"), handled(announced(node("n2"), evicted(2)), "2")).sync();
    driver.after(WINDOW).forget().preempted("n1", "", evicted(1));

    driver.preempted("n2", "", evicted(3)).came("taint n1 1, taint n2 3");
  }

  @Test
  void taints_ofTheProcessBefore_takeTheirPlaces() {
    NodeDriver driver = new NodeDriver();
    driver.change(handled(node("n1", DRAINING), "1"), node("n2", DRAINING), node("n3")).sync();
    driver.after(WINDOW).forget();

    // n2 was tainted by a person, as it has no annotation
    driver.preempted("n3", "", evicted(3)).came("waits n3");
    driver.delete("n1").after(Duration.ZERO).came("taint n3 3");
  }

  @ParameterizedTest
  @CsvSource({"CONFLICT,waits n2", "FAILED,waits n2", "DONE,waits n2", "GONE,taint n2 2"})
  void patchThatHasEnded_keepsItsPlaceWhileTheNodeIsOrWillBeTainted(
      PatchResult result, String then) {
    NodeDriver driver = synced(node("n1"), node("n2")).preempted("n1", "", evicted(1));

    driver.patched("n1", result).preempted("n2", "", evicted(2)).came("taint n1 1, " + then);
  }

  /** The watch may still deliver what the node was before its patch. */
  @Test
  void nodeSeenAsItWasBeforeItsPatch_keepsItsPlace() {
    NodeDriver driver = synced(node("n1"), node("n2")).preempted("n1", "", evicted(1));
    driver.patched("n1", PatchResult.DONE).change(handled(node("n1"), "0")).forget();

    driver.preempted("n2", "", evicted(2)).came("waits n2");
  }

  @Test
  void pauseOver_theOldestEventsGoFirst() {
    NodeDriver driver = synced(node("n1"), node("n2"), node("n3")).paused(true);
    driver.preempted("n3", "", evicted(3)).seconds(1).preempted("n1", "", evicted(1));
    driver.came("waits n3, waits n1");

    driver.paused(false).came("taint n3 3, waits n1");
  }
}
