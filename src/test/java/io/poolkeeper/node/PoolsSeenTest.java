package io.poolkeeper.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The counts are those of the definition, whatever comes in whatever order. */
class PoolsSeenTest {
  private static final LoadBalancerId LB = new LoadBalancerId("s", "rg", "lb");
  private static final List<PoolId> POOLS = List.of(LB.pool("a"), LB.pool("b"), LB.pool("c"));
  private static final List<NodeKey> NODES = List.of(new NodeKey("n1"), new NodeKey("n2"));

  private final Random random = new Random(7);
  private final Map<PoolId, Long> versions = new HashMap<>();
  private Map<PoolId, Set<NodeKey>> unseen = Map.of();
  private PoolsSeen seen = PoolsSeen.NONE;

  private long expected(NodeKey node, long version) {
    return versions.entrySet().stream()
        .filter(of -> of.getValue() < version)
        .filter(of -> unseen.getOrDefault(of.getKey(), Set.copyOf(NODES)).contains(node))
        .count();
  }

  private void step() {
    PoolId pool = POOLS.get(random.nextInt(POOLS.size()));
    switch (random.nextInt(4)) {
      case 0 -> {
        versions.remove(pool);
        seen = seen.without(pool);
      }
      case 1 -> {
        unseen = drawn();
        seen = seen.listed(new NodeEvent.Listed(1, unseen, Set.of()));
      }
      default -> {
        versions.put(pool, (long) random.nextInt(3));
        seen = seen.with(pool, new PoolsSeen.Seen(versions.get(pool), Set.of(), Set.of()));
      }
    }
  }

  private Map<PoolId, Set<NodeKey>> drawn() {
    Map<PoolId, Set<NodeKey>> drawn = new HashMap<>();
    for (PoolId pool : POOLS) {
      List<NodeKey> nodes = new ArrayList<>(NODES);
      nodes.removeIf(any -> random.nextBoolean());
      if (random.nextBoolean()) {
        drawn.put(pool, Set.copyOf(nodes));
      }
    }
    return drawn;
  }

  @Test
  void unreported_afterAnySteps_countsThePoolsThatMayLackTheVersion() {
    for (int step = 0; step < 2_000; step++) {
      step();
      for (NodeKey node : NODES) {
        for (long version = 0; version < 4; version++) {
          assertThat(seen.unreported(node, version)).isEqualTo((int) expected(node, version));
        }
      }
    }
  }
}
