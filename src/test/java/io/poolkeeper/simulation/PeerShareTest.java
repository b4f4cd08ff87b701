package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What early writes cost the cloud provider on the same load balancer, whose pools flap every five
 * seconds: it lists, takes five seconds, and writes with If-Match, half a minute apart. One virtual
 * hour each. The table in docs/figures.md is these runs.
 */
@Tag("full")
class PeerShareTest {
  private static final Duration FLAP = Duration.ofSeconds(5);
  private static final Duration PEER_TAKES = Duration.ofSeconds(5);
  private static final Duration PEER_PAUSE = Duration.ofSeconds(30);
  private static final Duration SETTING_IN = Duration.ofMinutes(5);
  private static final Duration LENGTH = Duration.ofHours(1);

  private final SeededSystem system = new SeededSystem();

  @AfterEach
  void close() {
    system.close();
  }

  private final class Peer {
    private final SimWorld sim;
    private int writes;
    private int refused;
    private int accepted;

    Peer(int pools, Duration minInterval) {
      SimOptions options = SimOptions.flapping(pools, minInterval);
      sim = new SimWorld(system, new Chance(pools), options, Optional.empty(), this::line);
      sim.faults.heal();
      LogCapture log = LogCapture.of(sim);
      ClusterChurn churn = new ClusterChurn(sim);
      churn.begin();
      sim.others.layOut();
      sim.process = Optional.of(new SimProcess(1, sim));
      Instant begin = sim.time.now().plus(SETTING_IN);
      every(FLAP, churn::moveAll);
      sim.time.after(SETTING_IN, () -> every(PEER_PAUSE, this::list));
      sim.time.runUntil(begin.plus(LENGTH), () -> {});
      sim.process.ifPresent(SimProcess::die);
      log.close();
      assertThat(sim.firstViolation()).isEmpty();
    }

    private void line(String line) {
      accepted += line.contains("ARM accepts") ? 1 : 0;
    }

    private void every(Duration pause, Runnable what) {
      sim.time.after(
          pause,
          () -> {
            what.run();
            every(pause, what);
          });
    }

    private void list() {
      LoadBalancerId id = sim.arm.balancer(0);
      JsonNode read = sim.arm.read(id.path());
      sim.time.after(PEER_TAKES, () -> write(id, read));
    }

    private void write(LoadBalancerId id, JsonNode read) {
      writes++;
      Optional<String> etag = Optional.of(read.path("etag").asText());
      if (sim.arm.write(id.path(), read, etag, () -> {})) {
        sim.othersWrote(id);
      } else {
        refused++;
      }
    }
  }

  @Test
  void earlyWritesLeaveTheCloudProviderMostOfItsWrites() {
    for (Duration minInterval : List.of(Duration.ofSeconds(30), Duration.ofSeconds(2))) {
      for (int pools : new int[] {1, 2, 4}) {
        Peer peer = new Peer(pools, minInterval);
        System.out.printf(
            "peer-share min-interval=%s pools=%d writes=%d refused=%d pool-writes=%d%n",
            minInterval, pools, peer.writes, peer.refused, peer.accepted);
        assertThat(peer.accepted).as("writes of pools").isGreaterThan(100 * pools);
        assertThat(peer.writes).isGreaterThan(90);
        assertThat(peer.refused).isLessThan(peer.writes * 9 / 10);
      }
    }
  }
}
