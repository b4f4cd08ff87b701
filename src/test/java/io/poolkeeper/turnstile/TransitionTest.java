package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static io.poolkeeper.turnstile.TurnstileDriver.balancer;
import static io.poolkeeper.turnstile.TurnstileDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Gate;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.BudgetEmptied;
import io.poolkeeper.turnstile.TurnstileEffect.BudgetRefilled;
import io.poolkeeper.turnstile.TurnstileEffect.GateClosed;
import io.poolkeeper.turnstile.TurnstileEffect.GateOpened;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import io.poolkeeper.turnstile.TurnstileEffect.RetryHeldBack;
import io.poolkeeper.turnstile.TurnstileEffect.SettlingBegun;
import io.poolkeeper.turnstile.TurnstileEffect.SettlingEnded;
import io.poolkeeper.turnstile.TurnstileEffect.SettlingSlowest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What begins and ends at the turnstile is told once, when it does, and nothing in between. */
class TransitionTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TEN = Duration.ofSeconds(10);
  private static final Gate READS = Gate.subscription(false);
  private static final Gate WRITES = Gate.subscription(true);
  private static final Gate LB1 = Gate.turns(balancer("lb-1"));

  private final TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);

  @Test
  void throttle_writes_closedIsToldAndOpenedAtThatTimeThoughNobodyWaits() {
    turnstile.throttle(true, TEN);
    assertThat(turnstile.reported()).containsExactly(new GateClosed(WRITES, T0.plus(TEN)));

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plus(TEN));
    assertThat(turnstile.reported()).containsExactly(new GateOpened(WRITES));
    assertThat(turnstile.wakeAt()).as("nothing ticks").isEmpty();
  }

  @Test
  void throttle_prolonged_isToldOnceAndOpensAtTheLaterTime() {
    turnstile.throttle(false, TEN).after(SECOND).throttle(false, TEN);
    assertThat(turnstile.reported()).isEmpty();

    turnstile.after(Duration.ofSeconds(9)).sent(false);
    assertThat(turnstile.reported()).as("at the earlier time").isEmpty();

    turnstile.fire();
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(11));
    assertThat(turnstile.reported()).containsExactly(new GateOpened(READS));
  }

  @Test
  void throttle_readsAndWrites_areToldApart() {
    turnstile.throttle(false, SECOND);
    turnstile.throttle(true, TEN);
    assertThat(turnstile.reported()).containsExactly(new GateClosed(WRITES, T0.plus(TEN)));

    assertThat(turnstile.fire().reported()).containsExactly(new GateOpened(READS));
    assertThat(turnstile.fire().reported()).containsExactly(new GateOpened(WRITES));
  }

  @Test
  void throttle_withoutRetryAfter_isReportedUnlessTheGateIsClosedAlready() {
    assertThat(turnstile.throttle(true, Duration.ZERO).reported()).hasSize(1);
    assertThat(turnstile.throttle("lb-1", Duration.ZERO).reported()).hasSize(1);
    assertThat(turnstile.throttle(true, Duration.ZERO).reported()).isEmpty();
    assertThat(turnstile.throttle("lb-1", Duration.ZERO).reported()).isEmpty();
  }

  @Test
  void throttle_loadBalancer_isToldOnceAndOpensAtTheLaterTime() {
    turnstile.throttle("lb-1", TEN);
    assertThat(turnstile.reported()).containsExactly(new GateClosed(LB1, T0.plus(TEN)));
    assertThat(turnstile.after(SECOND).throttle("lb-1", TEN).reported()).isEmpty();
    assertThat(turnstile.throttle("lb-1", SECOND).reported()).as("shorter").isEmpty();

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(11));
    assertThat(turnstile.reported()).containsExactly(new GateOpened(LB1));
    assertThat(turnstile.view().throttled(T0)).as("and is forgotten").isEmpty();
  }

  @Test
  void throttle_loadBalancerWithAWaiter_opensBeforeTheTurnIsGranted() {
    turnstile.throttle("lb-1", TEN).request(pool("lb-1"), Lane.UPDATE);

    turnstile.fire();

    assertThat(turnstile.effects()).first().isEqualTo(new GateOpened(LB1));
    assertThat(turnstile.effects()).last().isInstanceOf(Grant.class);
  }

  @Test
  void othersWrite_untilTheyAreDone_settlingIsToldAtItsEndsAndOnceAtTheSlowestPause() {
    turnstile.request(pool("lb-1"), Lane.UPDATE).giveBack(pool("lb-1"), TurnResult.OTHER_WRITER);
    List<TurnstileEffect> reported = new ArrayList<>(turnstile.reported());
    for (int look = 0; look < 8; look++) {
      reported.addAll(turnstile.fire().reported());
      reported.addAll(
          turnstile.looked(look < 7 ? LookResult.UPDATING : LookResult.SETTLED).reported());
    }

    assertThat(reported)
        .containsExactly(
            new SettlingBegun(pool("lb-1"), T0.plus(Duration.ofMinutes(5))),
            new SettlingSlowest(balancer("lb-1"), Duration.ofSeconds(30)),
            new SettlingEnded(balancer("lb-1")));
  }

  @Test
  void settling_limitIsOver_endsWithTheNextTurn() {
    turnstile.request(pool("lb-1"), Lane.UPDATE).giveBack(pool("lb-1"), TurnResult.OTHER_WRITER);
    assertThat(turnstile.after(Duration.ofMinutes(5)).timer().reported()).isEmpty();

    turnstile.request(pool("lb-1"), Lane.UPDATE);

    assertThat(turnstile.reported()).containsExactly(new SettlingEnded(balancer("lb-1")));
  }

  @Test
  void budgetEmpty_manyWait_isToldOnceThoughSomePassNowAndThen() {
    exhaustBudget();
    request(6, 14);
    assertThat(turnstile.reported()).as("it is empty already").isEmpty();

    turnstile.fire();
    while (grants() == 0) {
      assertThat(turnstile.reported()).isEmpty();
      turnstile.fire();
    }

    assertThat(grants()).as("what was forgotten of the first five").isEqualTo(5);
    assertThat(turnstile.reported()).as("others still wait").isEmpty();
  }

  @Test
  void budgetEmpty_theLastPassesAndSomeIsLeft_isToldToBeAvailable() {
    exhaustBudget();
    turnstile.giveBack(pool("lb-0"), TurnResult.SUCCEEDED);
    assertThat(grants()).as("what succeeds deposits").isEqualTo(1);
    assertThat(turnstile.reported()).as("and it is spent at once").isEmpty();

    turnstile.giveBack(pool("lb-1"), TurnResult.SUCCEEDED);

    assertThat(turnstile.reported()).containsExactly(new BudgetRefilled());
  }

  @Test
  void budgetEmpty_firstHeldBack_isCountedAgainOnlyAfterOneHasPassed() {
    exhaustBudget();
    assertThat(turnstile.effects()).containsExactly(new RetryHeldBack(), new BudgetEmptied());
    request(6, 7);
    assertThat(turnstile.effects()).isEmpty();

    turnstile.giveBack(pool("lb-0"), TurnResult.SUCCEEDED);

    assertThat(grants()).isEqualTo(1);
    assertThat(turnstile.effects()).contains(new RetryHeldBack());
    turnstile.giveBack(pool("lb-1"), TurnResult.SUCCEEDED);
    assertThat(grants()).isEqualTo(1);
    assertThat(turnstile.effects()).as("nobody waits").doesNotContain(new RetryHeldBack());
  }

  @Test
  void budgetEmpty_butTheGateIsClosed_nobodyIsHeldBackByIt() {
    turnstile.throttle(true, TEN);

    request(0, 9);

    assertThat(turnstile.effects()).isEmpty();
  }

  @Test
  void turnLost_isAnUnresolvedWrite() {
    turnstile.request(pool("lb-1"), Lane.UPDATE).fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(60));
    assertThat(turnstile.effects())
        .containsExactly(
            new TurnstileEffect.TurnLost(TurnstileDriver.requester(pool("lb-1")), 1),
            new SettlingBegun(pool("lb-1"), T0.plusSeconds(360)));
  }

  /** The reserve of 0.5 per second is 5 retries in 10 s; the sixth waits. */
  private void exhaustBudget() {
    request(0, 5);
    assertThat(turnstile.reported()).isEmpty();
    request(5, 6);
  }

  private void request(int from, int to) {
    for (int i = from; i < to; i++) {
      turnstile.request(pool("lb-" + i), Lane.RETRY);
    }
  }

  private long grants() {
    return turnstile.effects().stream().filter(Grant.class::isInstance).count();
  }
}
