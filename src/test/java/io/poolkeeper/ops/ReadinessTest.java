package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Recent;
import io.poolkeeper.turnstile.TurnstileDriver;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@code /readyz} says; what it says before all is known is in {@code HttpApiIT}. */
class ReadinessTest {
  private static final ArmFailure AWAY =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 503, "ServerBusy", "later");

  private final TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);

  private PauseView pause = PauseView.NONE;

  private Readiness readiness(boolean leads, PoolStatus... pools) {
    Set<CacheKind> all = Set.of(CacheKind.values());
    return readiness(new Knowledge(all, Set.of(), true, leads, Map.of(), Optional.empty()), pools);
  }

  private Readiness readiness(Knowledge knowledge, PoolStatus... pools) {
    Snapshot snapshot =
        new Snapshot(
            List.of(pools),
            knowledge,
            Optional.of(turnstile.view()),
            NodesView.UNKNOWN,
            BindingsView.NONE,
            pause,
            Optional.empty(),
            Recent.View.NONE,
            CallsLeft.UNKNOWN,
            Optional.empty(),
            Optional.empty(),
            0);
    return Readiness.of(snapshot, List.of(), turnstile.now());
  }

  @Test
  void leaderAndStandby_areBothReady() {
    assertThat(readiness(true)).isEqualTo(new Readiness(true, List.of(), null, "leader"));
    assertThat(readiness(false)).isEqualTo(new Readiness(true, List.of(), null, "warm standby"));
  }

  @Test
  void leader_whileAzureTakesNoWrites_saysSo_andStaysReady() {
    turnstile.throttle(true, Duration.ofMinutes(2));
    Instant until = turnstile.now().plus(Duration.ofMinutes(2));

    assertThat(readiness(true))
        .isEqualTo(
            new Readiness(true, List.of("ARM takes no writes until " + until), null, "leader"));
  }

  @Test
  void everyReplica_whilePaused_saysUntilWhenAndWhy_andStaysReady() throws Exception {
    Instant until = Instant.parse("2026-11-25T18:00:00Z");
    pause =
        new PauseView(
            Optional.of(new Pause(until, turnstile.now(), "change 1234", true)), Optional.empty());

    assertThat(new JsonMapper().writeValueAsString(readiness(false)))
        .isEqualTo(
            "{\"ready\":true,\"why\":[\"paused until 2026-11-25T18:00:00Z, drains too: change 1234\"],"
                + "\"paused\":{\"until\":\"2026-11-25T18:00:00Z\",\"reason\":\"change 1234\",\"drains\":true},"
                + "\"role\":\"warm standby\"}");
  }

  @Test
  void aBadAnnotation_isNamed_andPausesNothing() {
    pause = new PauseView(Optional.empty(), Optional.of("annotation x: found y"));

    assertThat(readiness(true))
        .isEqualTo(new Readiness(true, List.of("annotation x: found y"), null, "leader"));
  }

  @Test
  void leader_whilePoolsFail_saysHowManyAndWhyOne_andStaysReady() {
    PoolStatus sound = Statuses.of("a", "Idle", Optional.empty());

    Readiness readiness = readiness(true, sound, Statuses.failing("b", AWAY));

    assertThat(readiness.why())
        .containsExactly("1 of 2 pools fail, one of them: HTTP 503 ServerBusy: later");
    assertThat(readiness.ready()).isTrue();
  }
}
