package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.lb;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.InMemoryArm;
import io.poolkeeper.service.ServiceMapEvent.CloudProviderWrote;
import io.poolkeeper.service.ServiceMapEvent.PoolBound;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A pool is forgotten and followed anew while messages of its first actor are on their way. */
class ReplacedPoolActorTest extends ServiceMapRig {
  private static final PoolId BOUND = lb("gateway").pool("web");
  private static final ServiceKey WEB = new ServiceKey("default", "web");

  private static final Mark MARK = Mark.of("0123456789abcdef0123");

  private void bound(BoundPool by) {
    tell(new PoolBound(BOUND, Optional.of(by)));
  }

  /** A binding that is being deleted cannot clean up; then it is gone, and another one comes. */
  @Test
  void aReportOfAFailureOfTheFormerActorSaysNothingOfTheOneInItsPlace() {
    arm.show(pool("gateway", "web", Set.of(), "n9" + MARK.suffix() + "=10.0.0.9"));
    start();
    CompletableFuture<Void> end = arm.holdPuts();
    arm.refusePut(InMemoryArm.refusal(403, "AuthorizationFailed"));
    bound(BoundPool.leaving(BOUND, MARK, "default", actors.instant()));
    actors.passUntil(() -> arm.puts() == 1);
    tell(new PoolBound(BOUND, Optional.empty()));
    bound(BoundPool.of(BOUND, MARK, WEB, IpFamily.IPV4, Optional.empty()));
    beforeNextSend = () -> end.complete(null);

    actors.passUntil(() -> arm.addresses(BOUND).equals(Set.of(Address.of("10.0.0.4"))));

    int listings = arm.listings();
    arm.forgetCalls();
    tell(new CloudProviderWrote(WEB));
    actors.pass(Duration.ofSeconds(5));
    assertThat(arm.calls()).containsExactlyInAnyOrder("GET default-web", "GET web");
    assertThat(arm.listings()).as("listed instead, as if it failed").isEqualTo(listings);
  }
}
