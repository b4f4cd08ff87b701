package io.poolkeeper.status;

import static io.poolkeeper.status.Pools.EDGE;
import static io.poolkeeper.status.Pools.KNOWN;
import static io.poolkeeper.status.Pools.SELF;
import static io.poolkeeper.status.Pools.T0;
import static io.poolkeeper.status.Pools.failing;
import static io.poolkeeper.status.Pools.pool;
import static io.poolkeeper.status.Pools.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolDriver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.OptedOut;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whether all pools can be compared with what is desired, which going live waits for. */
class IncomparableTest {
  private static final PoolStatus SEEN = PoolDriver.settled("n4").status(EDGE.pool("a"));

  private static Optional<String> of(Knowledge knowledge, PoolStatus... pools) {
    return Report.of(snapshot(knowledge, pools), Optional.of("pk-1"), SELF, T0).incomparable();
  }

  private static Knowledge knows(Set<CacheKind> lost, Map<PoolId, OptedOut> out) {
    return new Knowledge(KNOWN.synced(), lost, true, true, out, Optional.empty());
  }

  @Test
  void incomparable_poolsThatAreSeen_orNotManaged_areNot() {
    Knowledge out = knows(Set.of(), Map.of(EDGE.pool("b"), new OptedOut(List.of(), "it says so")));

    assertThat(of(out, SEEN)).isEmpty();
  }

  @Test
  void incomparable_poolsThatAreNotSeen_orFailForAWhile_areCounted() {
    ArmFailure server = new ArmFailure(ArmFailure.Kind.RESPONSE, 500, "InternalServerError", "");

    assertThat(of(KNOWN, SEEN, pool("b", State.IDLE), failing("c", State.FAILED, server)))
        .contains("2 pools fail, or cannot be read.");
  }

  @Test
  void incomparable_whatNeedsAPerson_orALostWatch_isTheHeadline() {
    assertThat(of(KNOWN, SEEN, failing("c", State.FAILED, Pools.forbidden())).orElseThrow())
        .startsWith("1 Service has fewer nodes than wanted: a right to write");
    assertThat(of(knows(Set.of(CacheKind.NODES), Map.of()), SEEN).orElseThrow())
        .startsWith("The API server's watch of nodes is lost");
  }
}
