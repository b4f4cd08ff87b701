package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.service.OptedOut;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Snapshot;
import io.poolkeeper.turnstile.TurnstileDriver;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pools that are not touched beside one that is. */
class PoolJsonTest {
  @Test
  void pools_optedOut_areThere_butForOneThatIsStillFollowed() {
    TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);
    Snapshot plain = Statuses.snapshot(turnstile, Statuses.of("lb-2", "Idle", Optional.empty()));
    OptedOut out = new OptedOut(List.of(new ServiceKey("shop", "web")), "it is said so");
    Knowledge knowledge =
        new Knowledge(
            Set.of(),
            Set.of(),
            true,
            true,
            Map.of(
                new LoadBalancerId("sub", "rg", "lb-1").pool("shop-web"),
                out,
                plain.pools().getFirst().id(),
                out),
            Optional.empty());
    Snapshot snapshot =
        Statuses.snapshot(
            plain.pools(), knowledge, plain.turnstile(), plain.nodes(), plain.bindings());

    assertThat(ApiJson.tree(PoolJson.of(Scene.moment(snapshot, turnstile.now()))))
        .extracting(pool -> pool.get("state").asText())
        .containsExactly("OptedOut", "Idle");
  }
}
