package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.WINDOW;
import static io.poolkeeper.node.NodeDriver.created;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.of;
import static io.poolkeeper.node.NodeDriver.synced;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events in other words than those of AKS's detector: ignored by default, heeded if configured. */
class EventWordsTest {
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
        new NodeDriver(new NodeLimits(true, true, List.of("*"), 0, WINDOW, Set.of()));
    driver.change(node("n4")).sync().after(WINDOW).came("v1");

    driver.preempted("n4", "n4", "the machine goes in 30 s").patched("n4", PatchResult.DONE);
    driver.preempted("n4", "n4", "the machine goes in 29 s").after(WINDOW);

    driver.came("taint n4 started");
  }
}
