package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static io.poolkeeper.turnstile.TurnstileDriver.balancer;
import static io.poolkeeper.turnstile.TurnstileDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileView.Closed;
import io.poolkeeper.turnstile.TurnstileView.Holder;
import io.poolkeeper.turnstile.TurnstileView.Queue;
import io.poolkeeper.turnstile.TurnstileView.Settling;
import io.poolkeeper.turnstile.TurnstileView.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What can be seen of the turnstile: every reason to wait, with its end, and every number. */
class TurnstileViewTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TEN = Duration.ofSeconds(10);
  private static final PoolId OTHER = balancer("lb-1").pool("other");

  private final TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);

  @Test
  void waiting_turnOfAnother_untilItsDeadline() {
    turnstile.request(OTHER, Lane.UPDATE).after(SECOND).request(pool("lb-1"), Lane.REPAIR);

    assertThat(turnstile.view().waiting(turnstile.now()))
        .containsExactly(
            new Waiting(
                pool("lb-1"),
                Priority.of(Lane.REPAIR),
                T0.plus(SECOND),
                Obstacle.TURN,
                Obstacle.TURN.text(),
                Optional.of(T0.plusSeconds(60))));
  }

  @Test
  void waiting_loadBalancersGate_untilItOpens() {
    turnstile.throttle("lb-1", TEN).request(pool("lb-1"), Lane.UPDATE);

    assertWhy(Obstacle.LOAD_BALANCER_GATE, T0.plus(TEN));
  }

  @Test
  void waiting_unresolvedWrite_untilTheSettleLimit() {
    turnstile.request(OTHER, Lane.UPDATE).giveBack(OTHER, TurnResult.UNRESOLVED);
    turnstile.request(pool("lb-1"), Lane.UPDATE);

    assertWhy(Obstacle.SETTLING, T0.plus(Duration.ofMinutes(5)));
    assertThat(turnstile.view().settling())
        .containsExactly(new Settling(OTHER, T0.plus(SECOND), T0.plus(Duration.ofMinutes(5))));
  }

  @Test
  void waiting_asManyTurnsOutAsMayBe_untilTheOldestIsLost() {
    fill(16);
    turnstile.after(SECOND).request(pool("lb-1"), Lane.DRAIN);

    assertWhy(Obstacle.IN_FLIGHT, T0.plusSeconds(60));
  }

  @Test
  void waiting_subscriptionsGate_untilItOpensThenSlowly() {
    turnstile.throttle(true, TEN).request(pool("lb-1"), Lane.UPDATE);
    assertWhy(Obstacle.SUBSCRIPTION_GATE, T0.plus(TEN));

    turnstile.request(pool("lb-2"), Lane.UPDATE).fire();

    assertThat(turnstile.view().waiting(turnstile.now()))
        .extracting(Waiting::pool, Waiting::why, Waiting::until)
        .containsExactly(tuple(pool("lb-2"), Obstacle.SLOW_START, Optional.of(T0.plusSeconds(11))));
  }

  @Test
  void waiting_noReadToken_untilOneComes() {
    turnstile.sent(false, 200).request(pool("lb-1"), Lane.UPDATE);

    assertWhy(Obstacle.READ_TOKENS, T0.plusNanos(66_666_667));
  }

  @Test
  void waiting_noWriteToken_untilOneComes() {
    turnstile.sent(true, 50).request(pool("lb-1"), Lane.UPDATE);

    assertWhy(Obstacle.WRITE_TOKENS, T0.plusNanos(666_666_667));
  }

  @Test
  void waiting_retryBudgetEmpty_untilItMayHoldMore() {
    for (int i = 0; i < 5; i++) {
      turnstile.request(pool("other-" + i), Lane.RETRY);
    }
    turnstile.request(pool("lb-1"), Lane.REPAIR);

    assertThat(turnstile.view().waiting(T0))
        .extracting(Waiting::why)
        .containsExactly(Obstacle.RETRY_BUDGET);
    assertThat(turnstile.view().waiting(T0).getFirst().until())
        .hasValueSatisfying(until -> assertThat(until).isAfter(T0).isBeforeOrEqualTo(T0.plus(TEN)));
    assertThat(turnstile.view().retryBudget(T0)).isZero();
    assertThat(turnstile.view().retryBudget(T0.plus(TEN))).isEqualTo(5);
  }

  @Test
  void waiting_whatItWaitedForIsOver_itIsNext() {
    turnstile.throttle("lb-1", TEN).request(pool("lb-1"), Lane.UPDATE);

    turnstile.after(TEN);

    assertThat(turnstile.view().waiting(turnstile.now()))
        .extracting(Waiting::why, Waiting::until)
        .containsExactly(tuple(Obstacle.NEXT, Optional.empty()));
  }

  @Test
  void waiting_several_areListedInTheOrderTheyCame() {
    turnstile.throttle(true, TEN);
    turnstile.request(pool("b"), Lane.REPAIR).request(pool("c"), Lane.DRAIN);
    turnstile.request(pool("a"), Lane.UPDATE).request(pool("b"), Lane.UPDATE);

    assertThat(turnstile.view().waiting(T0))
        .extracting(Waiting::pool)
        .containsExactly(pool("b"), pool("c"), pool("a"));
    assertThat(turnstile.view().lanes())
        .containsExactly(
            new Queue(Lane.DRAIN, 1, 0),
            new Queue(Lane.UPDATE, 2, 0),
            new Queue(Lane.DRAIN_RETRY, 0, 0),
            new Queue(Lane.RETRY, 0, 0),
            new Queue(Lane.EARLY, 0, 0),
            new Queue(Lane.REPAIR, 0, 0));
  }

  @Test
  void turns_out_areListedWithTheirDeadlines() {
    turnstile.request(pool("lb-2"), Lane.UPDATE).after(SECOND).request(pool("lb-1"), Lane.RETRY);

    assertThat(turnstile.view().turnsOut()).isEqualTo(2);
    assertThat(turnstile.view().turns())
        .containsExactly(
            new Holder(pool("lb-2"), Lane.UPDATE, 1, T0, T0.plusSeconds(60)),
            new Holder(pool("lb-1"), Lane.RETRY, 2, T0.plus(SECOND), T0.plusSeconds(61)));
  }

  @Test
  void gates_closed_areSeenUntilTheyOpen() {
    turnstile.throttle(true, TEN).throttle("lb-2", TEN).throttle("lb-1", SECOND);
    TurnstileView view = turnstile.view();

    assertThat(view.gate(true, T0)).contains(T0.plus(TEN));
    assertThat(view.gate(false, T0)).isEmpty();
    assertThat(view.gate(true, T0.plus(TEN))).isEmpty();
    assertThat(view.throttled(T0))
        .containsExactly(
            new Closed(balancer("lb-1"), T0.plus(SECOND)),
            new Closed(balancer("lb-2"), T0.plus(TEN)));
    assertThat(view.throttled(T0.plus(SECOND)))
        .containsExactly(new Closed(balancer("lb-2"), T0.plus(TEN)));
  }

  @Test
  void tokens_growWithTimeAndMayBeOverdrawn() {
    turnstile.sent(true, 60);

    assertTokens(Bucket.WRITES, T0, -10, 150);
    assertTokens(Bucket.WRITES, T0.plusSeconds(20), 20, 150);
    assertTokens(Bucket.DRAIN_RESERVE, T0.plusSeconds(20), 50, 200);
    assertTokens(Bucket.READS, T0, 200, 200);
  }

  @Test
  void tokens_whatDoesNotFitIn_isTheReserves() {
    // 100 are missing in the first bucket, which takes 66.7 s.
    assertTokens(Bucket.DRAIN_RESERVE, T0.plusSeconds(100), 100, 200);
  }

  @Test
  void listing_whileReadsAreClosed_waits() {
    turnstile.throttle(false, TEN).requestListing();
    assertThat(turnstile.view().listingWaits()).isTrue();

    turnstile.fire();

    assertThat(turnstile.view().listingWaits()).isFalse();
  }

  @Test
  void view_ofAnEarlierTime_doesNotChange() {
    TurnstileView before = turnstile.view();

    turnstile.request(pool("lb-1"), Lane.UPDATE);

    assertThat(before.turns()).isEmpty();
    assertThat(before.limits()).isEqualTo(TurnstileFixtures.SHIPPED);
  }

  private void fill(int turns) {
    for (int i = 0; i < turns; i++) {
      turnstile.request(pool("other-" + i), Lane.UPDATE);
    }
  }

  private void assertWhy(Obstacle why, Instant until) {
    List<Waiting> waiting = turnstile.view().waiting(turnstile.now());
    assertThat(waiting).extracting(Waiting::why).containsExactly(why);
    assertThat(waiting.getFirst().until()).contains(until);
  }

  private void assertTokens(Bucket bucket, Instant at, double tokens, int burst) {
    TurnstileView.Tokens found = turnstile.view().tokens(bucket, at);
    assertThat(found.tokens()).isCloseTo(tokens, within(1e-9));
    assertThat(found.burst()).isEqualTo(burst);
  }
}
