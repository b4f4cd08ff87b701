package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.many;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.RateLimiterEffect.GateOpened;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What begins and ends at the rate limiter is told once, when it does, and nothing in between. A
 * 429 without a {@code Retry-After} closes a gate for 2 s, doubling to 30 s.
 */
class TransitionTest extends RateLimiterCase {
  TransitionTest() {
    super(RateLimiterDriver.shipped());
  }

  @ParameterizedTest
  @ValueSource(strings = {"reads", "writes", "lb-1"})
  void throttle_prolonged_isToldOnceAndOpensAtTheLaterTimeThoughNobodyWaits(String gate) {
    rateLimiter.close(gate, 10).seconds(1).close(gate, 1).close(gate, 10).seconds(9).sent(false);

    rateLimiter.fire().told("0 closed-%1$s<10, 11 open-%1$s".formatted(gate)).wakes("");
    assertThat(rateLimiter.view().throttled(RateLimiterDriver.T0)).as("and is forgotten").isEmpty();
  }

  @Test
  void throttle_readsAndWrites_areToldApart() {
    rateLimiter.close("reads", 1).close("writes", 10).fire().fire();

    rateLimiter.told("0 closed-reads<1 closed-writes<10, 1 open-reads, 10 open-writes");
  }

  @Test
  void throttle_loadBalancerWithAWaiter_opensBeforeThePermitIsGranted() {
    rateLimiter.close("lb-1", 10).wants(UPDATE, A).fire();

    assertThat(rateLimiter.effects()).first().isInstanceOf(GateOpened.class);
    assertThat(rateLimiter.effects()).last().isInstanceOf(Grant.class);
  }

  @Test
  void budgetEmpty_manyWait_isToldOnceThoughSomePassNowAndThen() {
    rateLimiter.wants(RETRY, many(0, 14)).came("0 p0 p1 p2 p3 p4").told("0 held-back empty");

    do {
      rateLimiter.fire();
    } while (rateLimiter.grants().isEmpty());

    rateLimiter.came("10 p5 p6 p7 p8 p9").told("10 held-back");
  }

  @Test
  void budgetEmpty_someIsLeftAfterTheLastHasPassed_isToldToBeAvailable() {
    rateLimiter.wants(RETRY, many(0, 7)).came("0 p0 p1 p2 p3 p4").told("0 held-back empty");

    rateLimiter.back(many(0, 1)).came("0 p5").told("0 held-back");
    rateLimiter.back(many(1, 2)).came("0 p6").told("");
    rateLimiter.back(many(2, 3)).told("0 refilled");
  }

  @Test
  void budgetEmpty_butTheGateIsClosed_nobodyIsHeldBackByIt() {
    rateLimiter.close("writes", 10).wants(RETRY, many(0, 9)).told("0 closed-writes<10");
  }

  @Test
  void throttle_againAndAgain_closesForTwiceAsLongUpToTheInterval() {
    for (int refusal = 0; refusal < 6; refusal++) {
      rateLimiter.close("writes", 0).fire();
    }
    rateLimiter.close("reads", 0);

    rateLimiter.told(
        "0 closed-writes<2, 2 open-writes closed-writes<6, 6 open-writes closed-writes<14,"
            + " 14 open-writes closed-writes<30, 30 open-writes closed-writes<60,"
            + " 60 open-writes closed-writes<90, 90 open-writes closed-reads<92");
  }

  @Test
  void throttle_gateIsClosed_changesNothing() {
    rateLimiter.close("writes", 1).close("writes", 0).close("writes", 0).fire().close("writes", 0);

    rateLimiter.told("0 closed-writes<1, 1 open-writes closed-writes<3");
  }

  /** Pauses go on to double unless a call succeeded that was sent after the gate had opened. */
  @ParameterizedTest
  @CsvSource({
    "SUCCEEDED,4,4",
    "UNCHANGED,6,4",
    "UNUSED,6,6",
    "UNREAD,6,6",
    "FAILED,6,6",
    "CONFLICT,6,6",
    "SUPERSEDED,6,6",
    "OTHER_WRITER,6,6",
    "UNRESOLVED,6,6"
  })
  void giveBack_permitBeganAfterTheOpening_beginsAnewWhereItProvesSomething(
      PermitResult result, int writes, int reads) {
    rateLimiter.close("writes", 0).close("reads", 0).seconds(2).wants(UPDATE, A).back(A, result);
    rateLimiter.told(
        "0 closed-writes<2 closed-reads<2, 2 open-reads open-writes"
            + (result.settles() ? " settling-a<302" : ""));

    rateLimiter.close("writes", 0).close("reads", 0);

    rateLimiter.told("2 closed-writes<%d closed-reads<%d".formatted(writes, reads));
  }

  @Test
  void giveBack_writeThatBeganBeforeTheOpening_provesNothing() {
    rateLimiter.wants(UPDATE, A).close("writes", 0).seconds(2).back(A).close("writes", 0);

    rateLimiter.told("0 closed-writes<2, 2 open-writes closed-writes<6");
  }

  @Test
  void throttle_oneLoadBalancer_hasPausesOfItsOwn() {
    rateLimiter.close("lb-1", 0).close("lb-1", 0).fire().close("lb-1", 0).close("writes", 0);
    rateLimiter.told("0 closed-lb-1<2, 2 open-lb-1 closed-lb-1<6 closed-writes<4");
    rateLimiter.seconds(4).wants(UPDATE, A).back(A);

    rateLimiter.close("lb-1", 0).told("6 open-writes open-lb-1 closed-lb-1<8");
  }
}
