package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.WINDOW;
import static io.poolkeeper.node.NodeDriver.announced;
import static io.poolkeeper.node.NodeDriver.key;
import static io.poolkeeper.node.NodeDriver.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.OutOfService;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A replica that does not lead mirrors nodes; it broadcasts, patches and reports nothing. */
class NodeStandbyTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final NodeDriver driver = NodeDriver.standby();

  @Test
  void signals_onStandby_areMirroredAndNothingElse() {
    driver.change(node("n4"), announced(node("n5"), SpotTest.NAMED)).send(new NodeEvent.Synced());
    driver.change(node("n4", OUT)).preempted("n4", "n4", SpotTest.SCHEDULED);
    driver.send(new NodeEvent.WatchLost()).send(new NodeEvent.Synced()).after(HOUR);

    assertThat(driver.effects()).isEmpty();
    assertThat(driver.wakeAt()).isEmpty();
  }

  @Test
  void lead_broadcastsOnceAndPatches_asAProcessThatHasJustStarted() {
    driver.change(node("n4", OUT), announced(node("n5"), SpotTest.NAMED), node("n6"));
    driver.delete("n6").send(new NodeEvent.Synced()).after(HOUR);

    driver.send(new NodeEvent.Lead()).after(WINDOW);

    NodeDriver fresh = new NodeDriver();
    fresh.after(HOUR).change(node("n4", OUT), announced(node("n5"), SpotTest.NAMED));
    fresh.send(new NodeEvent.Synced()).after(WINDOW);
    assertThat(driver.effects())
        .hasAtLeastOneElementOfType(NodeEffect.Patch.class)
        .isEqualTo(fresh.effects());
  }

  @Test
  void lead_beforeTheCacheIsComplete_waitsForIt() {
    driver.change(node("n4", OUT)).send(new NodeEvent.Lead()).after(HOUR);
    assertThat(driver.broadcasts()).isEmpty();

    driver.send(new NodeEvent.Synced()).after(WINDOW);

    assertThat(driver.broadcasts())
        .singleElement()
        .extracting(OutOfService::leaving)
        .satisfies(leaving -> assertThat(leaving).containsOnlyKeys(key("n4")));
  }

  @Test
  void event_heardOnStandby_countsIfItIsStillYoung() {
    driver.change(node("n4")).send(new NodeEvent.Synced());
    driver.preempted("n4", "n4", SpotTest.SCHEDULED).after(NodeLimits.OLDEST_NOTICE);

    driver.send(new NodeEvent.Lead());

    assertThat(driver.patches()).hasSize(1);
  }

  @Test
  void event_heardOnStandby_isOldByTheTimeItLeads() {
    driver.change(node("n4")).send(new NodeEvent.Synced());
    driver.preempted("n4", "n4", SpotTest.SCHEDULED);
    driver.after(NodeLimits.OLDEST_NOTICE.plusMillis(1));

    driver.send(new NodeEvent.Lead());

    assertThat(driver.patches()).isEmpty();
  }

  @Test
  void lead_again_isNoNews() {
    driver.change(node("n4", OUT)).send(new NodeEvent.Synced()).send(new NodeEvent.Lead());
    driver.after(HOUR).effects();

    driver.send(new NodeEvent.Lead()).after(HOUR);

    assertThat(driver.effects()).isEmpty();
  }
}
