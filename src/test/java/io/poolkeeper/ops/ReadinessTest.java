package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Recent;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code /readyz} says; what it says before all is known is in {@code HttpApiIT}. */
class ReadinessTest {
  private static final ArmFailure AWAY =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 503, "ServerBusy", "later");

  private final RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);

  private PauseView pause = PauseView.NONE;
  private Readiness.Detail detail = Readiness.Detail.TEXTS;

  private String readiness(boolean leads, PoolStatus... pools) {
    Set<CacheKind> all = Set.of(CacheKind.values());
    return readiness(new Knowledge(all, Set.of(), true, leads, Map.of(), Optional.empty()), pools);
  }

  private String readiness(Knowledge knowledge, PoolStatus... pools) {
    Snapshot snapshot =
        new Snapshot(
            List.of(pools),
            knowledge,
            Snapshot.optedOut(knowledge),
            Optional.of(rateLimiter.view()),
            NodesView.UNKNOWN,
            BindingsView.NONE,
            pause,
            Optional.empty(),
            Recent.View.NONE,
            CallsLeft.UNKNOWN,
            Optional.empty(),
            Optional.empty(),
            0);
    Moment moment =
        new Moment(
            snapshot, Scene.SELF, Optional.empty(), new LinkedHashMap<>(), rateLimiter.now());
    return ApiJson.tree(Readiness.of(moment, detail)).toString();
  }

  private static String ready(String role, String... why) {
    List<String> all = Stream.of(why).map("\"%s\""::formatted).toList();
    return "{\"ready\":true,\"why\":%s,\"role\":\"%s\"}".formatted(all, role);
  }

  @Test
  void leaderAndStandby_areBothReady() {
    assertThat(readiness(true)).isEqualTo(ready("leader"));
    assertThat(readiness(false)).isEqualTo(ready("warm standby"));
  }

  @Test
  void leader_whileAzureTakesNoWrites_saysSo_andStaysReady() {
    rateLimiter.throttle(true, Duration.ofMinutes(2));
    Instant until = rateLimiter.now().plus(Duration.ofMinutes(2));

    assertThat(readiness(true)).isEqualTo(ready("leader", "ARM takes no writes until " + until));
  }

  @Test
  void everyReplica_whilePaused_saysUntilWhenAndWhy_andStaysReady() {
    Instant until = Instant.parse("2026-11-25T18:00:00Z");
    pause =
        new PauseView(
            Optional.of(new Pause(until, rateLimiter.now(), "change 1234", true)),
            Optional.empty());

    assertThat(readiness(false))
        .isEqualTo(
            "{\"ready\":true,\"why\":[\"paused until 2026-11-25T18:00:00Z, drains too: change"
                + " 1234\"],\"paused\":{\"until\":\"2026-11-25T18:00:00Z\",\"reason\":\"change"
                + " 1234\",\"drains\":true},\"role\":\"warm standby\"}");
  }

  @Test
  void aBadAnnotation_isNamed_andPausesNothing() {
    pause = new PauseView(Optional.empty(), Optional.of("annotation x: found y"));

    assertThat(readiness(true)).isEqualTo(ready("leader", "annotation x: found y"));
  }

  @Test
  void leader_whilePoolsFail_saysHowManyAndWhyOne_andStaysReady() {
    PoolStatus sound = Statuses.of("a", State.IDLE, Optional.empty());

    assertThat(readiness(true, sound, Statuses.failing("b", AWAY)))
        .isEqualTo(ready("leader", "1 of 2 pools fail, one of them: HTTP 503 ServerBusy: later"));
  }

  @Test
  void everybody_seesWhatIsWrong_withoutErrorsNamesAndReasons() {
    rateLimiter.throttle(true, Duration.ofMinutes(2));
    pause =
        new PauseView(
            Optional.of(new Pause(Instant.EPOCH, rateLimiter.now(), "change 1234", true)),
            Optional.of("annotation: found \"x\""));
    detail = Readiness.Detail.NAMES;

    String answer =
        readiness(
            new Knowledge(
                Set.of(CacheKind.values()), Set.of(), true, true, Map.of(), Optional.of(AWAY)));

    assertThat(answer)
        .isEqualTo(
            "{\"ready\":true,\"why\":[\"listing load balancers\",\"paused\",\"a pause is"
                + " ignored\",\"ARM takes no writes\"],\"role\":\"leader\"}");
  }
}
