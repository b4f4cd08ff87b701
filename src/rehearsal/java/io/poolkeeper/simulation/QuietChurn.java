package io.poolkeeper.simulation;

import io.poolkeeper.ratelimit.RateLimiterLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ten minutes of changes of slices and of nodes that leave and return, without faults and at under
 * half of what the tokens allow, so that nothing but the base bounds what waits.
 */
final class QuietChurn {
  /** By then gates are open, the Lease is free, buckets are full, and nobody complains. */
  static final Duration BEFORE = Duration.ofMinutes(16);

  static final Duration LENGTH = Duration.ofMinutes(10);

  /** A write costs so many reads at most: its GET, polls and verifications. */
  private static final int READS = 20;

  /** Seconds between two changes. */
  private static final int LEAST = 5;

  private final SimWorld sim;
  private final ClusterChurn churn;
  private final RateLimiterLimits rateLimiter;
  private Instant end = Instant.MIN;

  QuietChurn(SimWorld sim, ClusterChurn churn) {
    this.sim = sim;
    this.churn = churn;
    this.rateLimiter = sim.options.rateLimiter();
  }

  void begin() {
    end = sim.time.now().plus(LENGTH);
    change();
  }

  private void change() {
    if (sim.time.now().isBefore(end)) {
      int pools = sim.chance.happens(0.3) ? node() : slice();
      sim.time.after(pause(pools).multipliedBy(1 + sim.chance.nextInt(3)), this::change);
    }
  }

  private Duration pause(int pools) {
    double seconds =
        pools
            * Math.max(
                2_000.0 / rateLimiter.writes().milliPerSecond(),
                2_000.0 * READS / rateLimiter.reads().milliPerSecond());
    return Duration.ofMillis(Math.round(1_000 * Math.max(LEAST, seconds)));
  }

  /** The number of pools that it concerns. */
  private int slice() {
    List<SimCluster.Slice> all = List.copyOf(sim.cluster.slices.values());
    if (all.isEmpty()) {
      return 1;
    }
    SimCluster.Slice one = sim.chance.pick(all);
    sim.cluster.put(one.with(churn.someNodes()));
    sim.trace.say("slice changes: " + sim.cluster.slices.get(one.name()));
    return 2;
  }

  private int node() {
    SimCluster.Node one = sim.chance.pick(List.copyOf(sim.cluster.nodes.values()));
    int pools = 0;
    for (Map<String, ArmTruth.Shown> entries : sim.arm.truth.shown().values()) {
      pools += one.addresses().stream().anyMatch(entries::containsKey) ? 1 : 0;
    }
    if (2 * pools > rateLimiter.writes().burst()) {
      return 1;
    }
    Set<String> taints = one.taints();
    String taint =
        taints.isEmpty() ? "node.kubernetes.io/out-of-service" : taints.iterator().next();
    sim.cluster.put(one.tainted(taint, taints.isEmpty()));
    sim.trace.say("%s changes: %s".formatted(one.name(), sim.cluster.nodes.get(one.name())));
    return Math.max(1, pools);
  }
}
