package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.pool.PoolPicture.Change;
import io.poolkeeper.pool.PoolPicture.Entry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolPictureTest {
  private final PoolDriver pool =
      PoolDriver.settled(PoolFixtures.LIMITS, WEB_1, "n5=10.0.0.5", "n50=10.0.0.50")
          .after(Duration.ofHours(1));

  @Test
  void entries_ofANodeThatIsKept_areMarked_andNoneWhoseNameOnlyBeginsSo() {
    Map<Address, NodeKey> nodes =
        Map.of(
            Address.of("10.0.0.5"), new NodeKey("n5"), Address.of("10.0.0.50"), new NodeKey("n50"));
    TreeMap<NodeKey, Leaving> leaving = new TreeMap<>();
    leaving.put(new NodeKey("n5"), new Leaving("uid", Set.of(Reason.OUT_OF_SERVICE), T0));
    OutOfService set =
        new OutOfService(1, new ClusterNodes(nodes, Map.of(), Map.of()), leaving, true, 2);

    pool.send(new PoolEvent.NodesOutOfService(set, pool.now()));

    assertThat(new PoolPicture(pool.state()).entries())
        .filteredOn(Entry::kept)
        .extracting(Entry::name)
        .containsExactly("n5");
  }

  @Test
  void entries_ofAPoolThatDiffers_beginWithWhatChanges() {
    pool.send(desire(WEB_1, "n5=10.0.0.5", "n6=10.0.0.6"));

    assertThat(new PoolPicture(pool.state()).entries())
        .extracting(Entry::change)
        .containsExactly(Change.ADD, Change.REMOVE, Change.KEEP);
  }
}
