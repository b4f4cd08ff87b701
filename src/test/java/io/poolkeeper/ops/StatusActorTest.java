package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.service.UnknownPools;
import io.poolkeeper.shadow.ShadowComparison;
import io.poolkeeper.status.Snapshot;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** What becomes of the comparison of shadow mode. */
class StatusActorTest {
  private static final Instant T0 = RateLimiterDriver.T0;
  private static final PoolStatus DIFFERS =
      Statuses.shadowed(
          "lb",
          new WouldWrite(PoolEdit.of(Set.of(), Map.of(Address.of("10.0.0.2"), "n2")), false),
          Set.of(Address.of("10.0.0.1")));

  private Instant now = T0;
  private final BehaviorTestKit<StatusActor.Command> status =
      BehaviorTestKit.create(
          StatusActor.create(true, () -> now, (effective, took) -> {}, () -> CallsLeft.UNKNOWN));

  private ShadowComparison comparison(Map<LoadBalancerId, UnknownPools> unreadable) {
    knows(true, Map.of());
    status.run(new StatusActor.PoolChanged(DIFFERS));
    knows(true, unreadable);
    status.run(new StatusActor.PoolForgotten(DIFFERS.id()));
    return comparison();
  }

  private void knows(boolean leads, Map<LoadBalancerId, UnknownPools> unreadable) {
    status.run(
        new StatusActor.KnowledgeChanged(
            new Knowledge(
                Set.of(),
                Set.of(),
                true,
                leads,
                false,
                Map.of(),
                Optional.empty(),
                new TreeMap<>(),
                unreadable,
                Map.of())));
  }

  private ShadowComparison comparison() {
    TestInbox<Snapshot> inbox = TestInbox.create();
    status.run(new StatusActor.GetSnapshot(inbox.getRef()));
    return inbox.receiveMessage().comparison().orElseThrow();
  }

  @Test
  void comparison_beginsWithTheLead_asAStandbyComparesNothing() {
    knows(false, Map.of());
    now = T0.plusSeconds(3600);
    knows(true, Map.of());
    now = T0.plusSeconds(3660);
    knows(true, Map.of());

    assertThat(comparison().since()).isEqualTo(T0.plusSeconds(3600));
  }

  @Test
  void forgotten_poolThatIsNotWanted_endsItsDecision() {
    ShadowComparison comparison = comparison(Map.of());

    assertThat(comparison.due(T0)).isZero();
    assertThat(comparison.outcomes().superseded()).isEqualTo(1);
  }

  @Test
  void forgotten_poolThatCannotBeRead_keepsItsDecisionOpen() {
    ShadowComparison comparison =
        comparison(
            Map.of(
                DIFFERS.id().loadBalancer(),
                new UnknownPools(
                    new ArmFailure(ArmFailure.Kind.MALFORMED, 200, "", "cut off"),
                    true,
                    Set.of(DIFFERS.id()))));

    assertThat(comparison.due(T0)).isEqualTo(1);
    assertThat(comparison.outcomes().superseded()).isZero();
  }
}
