package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What early writes cost. The tables of docs/figures.md are these runs, on one load balancer with
 * shipped settings.
 */
@Tag("full")
class EarlyWritesTest {
  private static final Duration FLAP = Duration.ofSeconds(5);
  private static final Duration PEER_TAKES = Duration.ofSeconds(5);
  private static final Duration PEER_PAUSE = Duration.ofSeconds(30);
  private static final Duration SETTING_IN = Duration.ofMinutes(5);
  private static final Duration LENGTH = Duration.ofHours(1);

  private final SeededSystem system = new SeededSystem();
  private ClusterChurn churn;

  @AfterEach
  void close() {
    system.close();
  }

  /** A world without faults, in which the controller has begun. */
  private SimWorld begun(int pools, Duration minInterval, Consumer<String> out) {
    SimOptions options = Shipped.flapping(pools, minInterval);
    SimWorld sim = new SimWorld(system, new Chance(pools), options, Optional.empty(), out);
    sim.faults.heal();
    churn = new ClusterChurn(sim);
    churn.begin();
    sim.others.layOut();
    sim.process = Optional.of(new SimProcess(1, sim));
    return sim;
  }

  private static void end(SimWorld sim) {
    sim.process.ifPresent(SimProcess::die);
    assertThat(sim.firstViolation()).isEmpty();
  }

  /**
   * The cloud provider, while all pools flap every five seconds: it lists, takes five seconds, and
   * writes with If-Match, half a minute apart. One virtual hour.
   */
  private final class Peer {
    private final SimWorld sim;
    private int writes;
    private int refused;
    private int accepted;

    Peer(int pools, Duration minInterval) {
      sim = begun(pools, minInterval, this::line);
      Instant begin = sim.time.now().plus(SETTING_IN);
      every(FLAP, churn::moveAll);
      sim.time.after(SETTING_IN, () -> every(PEER_PAUSE, this::list));
      sim.time.runUntil(begin.plus(LENGTH), () -> {});
      end(sim);
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

  /**
   * All Services restart their pods at once, one pod after the other: every eight seconds one goes,
   * and its successor is on another node.
   */
  private final class Rollout {
    private static final int SERVICES = 40;
    private static final int PODS = 6;
    private static final Duration READY = Duration.ofSeconds(8);

    private final SimWorld sim;
    private int changes;
    private int calls;

    Rollout(Duration minInterval) {
      sim = begun(SERVICES, minInterval, this::line);
      sim.time.runUntil(sim.time.now().plus(SETTING_IN), () -> {});
      calls = 0;
      for (String slice : List.copyOf(sim.cluster.slices.keySet())) {
        Duration first = sim.chance.between(Duration.ofMillis(1), READY);
        for (int pod = 0; pod < PODS; pod++) {
          sim.time.after(first.plus(READY.multipliedBy(pod)), () -> replace(slice));
        }
      }
      sim.time.runUntil(sim.time.now().plus(SETTING_IN), () -> {});
      assertThat(new Expected(sim.cluster, sim.arm, sim.options.nodes().minActive()).differences())
          .isEmpty();
      end(sim);
    }

    private void line(String line) {
      calls += line.matches("\\d+ \\S+: (get|put) \\d+") ? 1 : 0;
    }

    private void replace(String name) {
      SimCluster.Slice slice = sim.cluster.slices.get(name);
      Set<String> others = new TreeSet<>(sim.cluster.nodes.keySet());
      others.removeAll(slice.nodes());
      Set<String> nodes = new TreeSet<>(slice.nodes());
      nodes.remove(sim.chance.pick(List.copyOf(nodes)));
      nodes.add(sim.chance.pick(List.copyOf(others)));
      sim.cluster.put(new SimCluster.Slice(name, slice.service(), nodes));
      changes++;
    }
  }

  @Test
  void aRollingRestartCostsNoMoreThanOneAttemptAChange() {
    for (Duration minInterval : List.of(Duration.ofSeconds(30), Duration.ofSeconds(2))) {
      Rollout rollout = new Rollout(minInterval);
      System.out.printf(
          "rollout min-interval=%s changes=%d calls=%d per-change=%.2f%n",
          minInterval, rollout.changes, rollout.calls, 1.0 * rollout.calls / rollout.changes);
      assertThat(rollout.changes).isEqualTo(Rollout.SERVICES * Rollout.PODS);
      assertThat(rollout.calls).isBetween(2 * Rollout.SERVICES, 2 * rollout.changes);
    }
  }
}
