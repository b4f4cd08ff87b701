package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.granted;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.Lane;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deadline of a turn is earlier: the shared Lease was lost. */
class RecallTest {
  private final PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");

  @BeforeEach
  void aChangeIsRead() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();
  }

  private void recall() {
    assertThat(pool.send(new PoolEvent.TurnRecalled(pool.turn(), pool.now()))).isEmpty();
  }

  @Test
  void recalled_reading_givesTheTurnBackWithoutAWrite_andSpendsNoRetry() {
    long turn = pool.turn();
    recall();

    pool.read("n4=10.0.0.4");

    assertThat(pool.effects())
        .containsExactly(new PoolEffect.ReturnTurn(turn, TurnResult.UNCHANGED));
    assertThat(pool.phase()).isInstanceOf(Phase.Gathering.class);
    assertThat(pool.retries()).containsExactly(0);
  }

  @Test
  void recalled_readingForADrain_asksAgainAtOnce_asForTheFirstTime() {
    PoolDriver drain = PoolDriver.settled(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5");
    drain.after(Duration.ofMinutes(1));
    drain.send(new PoolEvent.NodesOutOfService(leaving(1, "n4"), drain.now()));
    drain.send(granted(1));
    drain.send(new PoolEvent.TurnRecalled(1, drain.now()));

    assertThat(drain.read("n4=10.0.0.4", "n5=10.0.0.5"))
        .startsWith(new PoolEffect.ReturnTurn(1, TurnResult.UNCHANGED))
        .contains(PoolFixtures.drain(Lane.DRAIN, 1, 2));
  }

  /** The recall has crossed the return of the turn: the pool waits for another one by now. */
  @Test
  void recalled_afterTheTurnWentBack_isNoGrant() {
    PoolDriver drain = PoolDriver.settled(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5");
    drain.after(Duration.ofMinutes(1));
    drain.send(new PoolEvent.NodesOutOfService(leaving(1, "n4"), drain.now()));
    drain.send(granted(1));
    drain.send(new PoolEvent.TurnRecalled(1, drain.now()));
    drain.read("n4=10.0.0.4", "n5=10.0.0.5");
    assertThat(drain.phase()).isInstanceOf(Phase.Waiting.class);

    List<PoolEffect> effects = drain.send(new PoolEvent.TurnRecalled(1, drain.now()));

    assertThat(effects).isEmpty();
    assertThat(drain.phase()).isInstanceOf(Phase.Waiting.class);
  }

  @Test
  void recalled_writing_goesOn() {
    pool.read("n4=10.0.0.4");

    recall();

    assertThat(pool.phase()).isInstanceOf(Phase.Writing.class);
    pool.written();
    assertThat(pool.effects())
        .contains(new PoolEffect.ReturnTurn(pool.turn(), TurnResult.SUCCEEDED));
  }

  @Test
  void withheld_writing_givesTheTurnBackWithoutAWrite_andSpendsNoRetry() {
    long turn = pool.turn();
    pool.read("n4=10.0.0.4");

    pool.send(
        new PoolEvent.AttemptFailed(
            new ArmFailure(ArmFailure.Kind.WITHHELD, 0, "", "the Lease went back")));

    assertThat(pool.effects())
        .containsExactly(new PoolEffect.ReturnTurn(turn, TurnResult.UNCHANGED));
    assertThat(pool.phase()).isInstanceOf(Phase.Gathering.class);
    assertThat(pool.retries()).containsExactly(0);
  }

  @Test
  void recalled_stopping_keepsTheTurnUntilItsEnd() {
    pool.read("n4=10.0.0.4");
    pool.send(new PoolEvent.Stop());

    recall();

    assertThat(pool.phase()).isEqualTo(new Phase.Stopping(pool.turn(), true));
  }
}
