package io.poolkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a snapshot of many nodes costs in many pools: pools, never pools times nodes. */
class MassDrainTest {
  private static final int LOAD_BALANCERS = 10;
  private static final int POOLS = 200;
  private static final int NODES = 100;
  private static final String[] NAMES =
      IntStream.range(0, LOAD_BALANCERS).mapToObj(i -> "lb-" + i).toArray(String[]::new);
  private static final String[] ADDRESSES =
      IntStream.rangeClosed(1, NODES).mapToObj(i -> "10.0.0." + i).toArray(String[]::new);

  private final AdminStateWorld world = new AdminStateWorld(NAMES);

  @AfterEach
  void close() {
    world.close();
  }

  private static NodeView[] nodes(String... taints) {
    return IntStream.rangeClosed(1, NODES)
        .mapToObj(i -> AdminStateWorld.node("n" + i, taints))
        .toArray(NodeView[]::new);
  }

  @Test
  void aHundredNodesOfOneSnapshot_in200Pools_areOnePutPerPool_andReportsInProportionToPools() {
    Set<PoolId> pools = new HashSet<>();
    for (int i = 0; i < POOLS; i++) {
      pools.add(world.show("lb-" + i % LOAD_BALANCERS, "pool-" + i, ADDRESSES));
    }
    world.show("lb-0", "other", "10.0.1.1");
    world.show(AdminStateWorld.pool("lb-0", "outbound"), Set.of(), ADDRESSES);
    world.show("foreign", "other", ADDRESSES);
    world.start(pools, Set.of(), nodes());

    world.change(nodes(AdminStateWorld.OUT));
    world.passUntil(() -> world.events.size() == NODES);
    world.pass(Duration.ofMinutes(1));

    assertThat(world.arm.written()).hasSize(POOLS).containsExactlyInAnyOrderElementsOf(pools);
    assertThat(pools).allMatch(id -> world.arm.view(id).count(AdminState.DOWN) == NODES);
    assertThat(world.reasons()).hasSize(NODES).containsOnly("LoadBalancerAdminStateDown");
    assertThat(world.broadcasts).isEqualTo(1);
    assertThat(world.reportCount).as("each pool: not yet, and done").isEqualTo(2 * POOLS);
  }
}
