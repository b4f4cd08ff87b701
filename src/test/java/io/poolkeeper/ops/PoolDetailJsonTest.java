package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Installation;
import io.poolkeeper.turnstile.TurnstileDriver;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PoolDetailJsonTest {
  static final Installation SELF =
      new Installation("c", false, "pk-1", "ns", true, "lease", 8558, Instant.EPOCH, "1", "c");

  @Test
  void facts_ofABoundPool_nameItsBinding_andWhatItsChecksSay() {
    TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);
    PoolStatus pool =
        PoolStatus.optedOut(
            new LoadBalancerId("sub", "rg", "gateway").pool("blue"), Set.of(), "not managed");

    PoolDetailJson detail =
        PoolDetailJson.of(pool, Statuses.withBinding(turnstile), SELF, List.of(), turnstile.now());

    assertThat(detail.facts())
        .contains(
            new PoolDetailJson.Fact("Binding", "shop/web"),
            new PoolDetailJson.Fact("Check freeze", "Retry since 2026-11-21T10:00:00Z"));
  }
}
