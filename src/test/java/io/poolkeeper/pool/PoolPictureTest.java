package io.poolkeeper.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.pool.PoolPicture.Change;
import io.poolkeeper.pool.PoolPicture.Entry;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PoolPictureTest {
  private final PoolDriver pool = PoolDriver.settled("n5 n50").after(3600);

  @Test
  void entries_ofANodeThatIsKept_areMarked_andNoneWhoseNameOnlyBeginsSo() {
    Leaving leaving = new Leaving("uid", Set.of(Reason.OUT_OF_SERVICE), PoolFixtures.T0);
    var out = new TreeMap<>(Map.of(new NodeKey("n5"), leaving));

    pool.send(new PoolEvent.NodesOutOfService(PoolFixtures.leaving(1, out, 2), pool.now()));

    assertThat(pool.status().picture().entries())
        .filteredOn(entry -> entry.why().endsWith("kept by min-active"))
        .extracting(Entry::node)
        .containsExactly("n5");
  }

  @Test
  void ignored_isSaidOncePerText_andNothingIfNoEndpointIs() {
    assertThat(pool.status().picture().ignored()).isEmpty();
    var excluded = new TreeMap<NodeKey, String>();
    IntStream.rangeClosed(1, 5).forEach(n -> excluded.put(new NodeKey("m" + n), "label x/y"));
    var ignored = new IgnoredEndpoints(excluded, 1);

    var members = PoolFixtures.members("n5");
    Level level = new Level.Exactly(members, Set.of(), Optional.empty(), ignored);
    pool.send(new PoolEvent.Desire(PoolFixtures.WEB_1.wanting(level), false));

    assertThat(pool.status().picture().ignored())
        .containsExactly(
            "1 endpoint names no node; node m1 is excluded by its label x/y; node m2 is excluded by"
                + " its label x/y; node m3 is excluded by its label x/y; and so are 2 more nodes");
  }

  @Test
  void entries_ofAPoolThatDiffers_beginWithWhatChanges() {
    assertThat(pool.web("n5 n6").status().picture().entries())
        .extracting(Entry::change)
        .containsExactly(Change.ADD, Change.REMOVE, Change.KEEP);
  }

  @Test
  void leaving_besideANodeThatHasReturned_isTheOneThatLeaves() {
    PoolDriver both = PoolDriver.settled("n4/Down n5").after(60).leave("n5");

    assertThat(both.status().difference())
        .returns(1, Difference::down)
        .returns(1, Difference::up)
        .returns(Set.of(new NodeKey("n5")), Difference::leaving);
  }
}
