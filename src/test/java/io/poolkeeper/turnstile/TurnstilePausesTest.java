package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.Lane.UPDATE;
import static io.poolkeeper.turnstile.TurnstileDriver.A;

import io.poolkeeper.model.TurnResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A 429 without a {@code Retry-After}: the gate closes for 2 s, doubling to 30 s. */
class TurnstilePausesTest {
  private final TurnstileDriver turnstile = TurnstileDriver.wide();

  @Test
  void throttle_againAndAgain_closesForTwiceAsLongUpToTheInterval() {
    for (int refusal = 0; refusal < 6; refusal++) {
      turnstile.close("writes", 0).fire();
    }
    turnstile.close("reads", 0);

    turnstile.told(
        "0 closed-writes<2, 2 open-writes closed-writes<6, 6 open-writes closed-writes<14,"
            + " 14 open-writes closed-writes<30, 30 open-writes closed-writes<60,"
            + " 60 open-writes closed-writes<90, 90 open-writes closed-reads<92");
  }

  @Test
  void throttle_gateIsClosed_changesNothing() {
    turnstile.close("writes", 1).close("writes", 0).close("writes", 0).fire().close("writes", 0);

    turnstile.told("0 closed-writes<1, 1 open-writes closed-writes<3");
  }

  /** Pauses go on to double unless a call succeeded that was sent after the gate had opened. */
  @ParameterizedTest
  @CsvSource({
    "SUCCEEDED,4,4",
    "UNCHANGED,6,4",
    "UNREAD,6,6",
    "FAILED,6,6",
    "CONFLICT,6,6",
    "SUPERSEDED,6,6",
    "OTHER_WRITER,6,6",
    "UNRESOLVED,6,6"
  })
  void giveBack_turnBeganAfterTheOpening_beginsAnewWhereItProvesSomething(
      TurnResult result, int writes, int reads) {
    turnstile.close("writes", 0).close("reads", 0).seconds(2).wants(UPDATE, A).back(A, result);
    turnstile.told(
        "0 closed-writes<2 closed-reads<2, 2 open-reads open-writes"
            + (result.settles() ? " settling-a<302" : ""));

    turnstile.close("writes", 0).close("reads", 0);

    turnstile.told("2 closed-writes<%d closed-reads<%d".formatted(writes, reads));
  }

  @Test
  void giveBack_writeThatBeganBeforeTheOpening_provesNothing() {
    turnstile.wants(UPDATE, A).close("writes", 0).seconds(2).back(A).close("writes", 0);

    turnstile.told("0 closed-writes<2, 2 open-writes closed-writes<6");
  }

  @Test
  void throttle_oneLoadBalancer_hasPausesOfItsOwn() {
    turnstile.close("lb-1", 0).close("lb-1", 0).fire().close("lb-1", 0).close("writes", 0);
    turnstile.told("0 closed-lb-1<2, 2 open-lb-1 closed-lb-1<6 closed-writes<4");
    turnstile.seconds(4).wants(UPDATE, A).back(A);

    turnstile.close("lb-1", 0).told("6 open-writes open-lb-1 closed-lb-1<8");
  }
}
