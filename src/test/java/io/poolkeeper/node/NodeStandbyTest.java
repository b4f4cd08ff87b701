package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.WINDOW;
import static io.poolkeeper.node.NodeDriver.announced;
import static io.poolkeeper.node.NodeDriver.node;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replica that does not lead mirrors nodes; it broadcasts, patches and reports nothing. */
class NodeStandbyTest {
  private static final NodeEvent LEAD = new NodeEvent.Lead();
  private static final Duration HOUR = Duration.ofHours(1);

  private final NodeDriver driver = NodeDriver.standby();

  @Test
  void signals_onStandby_areMirroredAndNothingElse() {
    driver.change(node("n4"), announced(node("n5"), SpotTest.NAMED)).sync();
    driver.change(node("n4", OUT)).preempted("n4", "n4", SpotTest.SCHEDULED);

    driver.lose().sync().after(HOUR).came("").wakesIn(-1);
  }

  @Test
  void lead_broadcastsOnceAndPatches_asAProcessThatHasJustStarted() {
    driver.change(node("n4", OUT), announced(node("n5"), "Preempt Started:"), node("n6"));
    driver.delete("n6").sync().after(HOUR).send(LEAD).after(WINDOW);

    driver.came("taint n5 started, v1 n4[OUT_OF_SERVICE]3600000");

    driver.send(LEAD).after(HOUR).came("");
  }

  @Test
  void lead_beforeTheCacheIsComplete_waitsForIt() {
    driver.change(node("n4", OUT)).send(LEAD).after(HOUR).came("");

    driver.sync().after(WINDOW).came("v1 n4[OUT_OF_SERVICE]0");
  }

  @ParameterizedTest
  @CsvSource({"0,taint n4 a", "1,''"})
  void event_heardOnStandby_countsIfItIsStillYoung(long over, String came) {
    driver.change(node("n4")).sync().preempted("n4", "n4", "Preempt Scheduled: . EventId: a");

    driver.after(NodeLimits.OLDEST_NOTICE.plusMillis(over)).send(LEAD).came(came);
  }
}
