package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After Stop nothing is begun and nothing is reported; what is in flight finishes quietly. */
class PoolCoreStopTest {
  private final PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");

  static List<PoolEvent> ends() {
    return List.of(
        PoolFixtures.read(pool("n4=10.0.0.4")),
        new PoolEvent.WriteDone(),
        new PoolEvent.AttemptFailed(FORBIDDEN));
  }

  private PoolEffect returned(TurnResult result) {
    return new PoolEffect.ReturnTurn(pool.turn(), result);
  }

  private void stop() {
    pool.send(new PoolEvent.Stop());
  }

  @Test
  void stop_idle_haltsAtOnce() {
    stop();

    assertThat(pool.effects()).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
  }

  @Test
  void stop_gathering_haltsAndDropsTheQueue() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    stop();

    assertThat(pool.effects()).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
    assertThat(pool.state().queue().isEmpty()).isTrue();
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @Test
  void stop_waiting_leavesTheLineAndHalts() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.fire();

    stop();

    assertThat(pool.effects()).containsExactly(new PoolEffect.CancelTurn());
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
  }

  @Test
  void stop_failed_halts() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(FORBIDDEN);

    stop();

    assertThat(pool.effects()).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
  }

  @Test
  void stop_reading_waitsForTheAnswerAndWritesNothing() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();

    stop();

    assertThat(pool.effects()).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Stopping(pool.turn(), false));
    assertThat(pool.read("n4=10.0.0.4")).containsExactly(returned(TurnResult.UNCHANGED));
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
  }

  @Test
  void stop_writing_waitsForTheEndAndTellsNobody() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4");

    stop();

    assertThat(pool.effects()).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Stopping(pool.turn(), true));
    assertThat(pool.written()).containsExactly(returned(TurnResult.SUCCEEDED));
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
  }

  @ParameterizedTest
  @MethodSource("ends")
  void attemptEnds_afterStop_haltsAndReturnsTheTurnOnly(PoolEvent end) {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();
    stop();

    assertThat(pool.send(end))
        .singleElement()
        .isInstanceOfSatisfying(
            PoolEffect.ReturnTurn.class, back -> assertThat(back.turn()).isEqualTo(pool.turn()));
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
  }

  /** Others at the load balancer need not wait for a look. */
  @Test
  void readFails_afterStop_noWriteIsFeared() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();
    stop();

    assertThat(pool.send(new PoolEvent.AttemptFailed(PoolFixtures.RESET)))
        .containsExactly(returned(TurnResult.UNREAD));
  }

  @Test
  void writeFails_afterStop_itsEndIsLookedFor() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4");
    stop();

    assertThat(pool.send(new PoolEvent.AttemptFailed(PoolFixtures.RESET)))
        .containsExactly(returned(TurnResult.UNRESOLVED));
  }

  @Test
  void turnGranted_afterStop_goesBack() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4");
    stop();

    assertThat(pool.send(PoolFixtures.granted(9))).containsExactly(PoolFixtures.unread(9));
  }

  @Test
  void anythingElse_afterStop_isIgnored() {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4");
    stop();

    List<PoolEvent> rest =
        List.of(
            desire(WEB_1, "n6=10.0.0.6"),
            new PoolEvent.Release(WEB),
            new PoolEvent.Observed(pool("n4=10.0.0.4"), pool.now()),
            new PoolEvent.TimerDue(),
            new PoolEvent.Stop());
    assertThat(rest).allSatisfy(event -> assertThat(pool.send(event)).isEmpty());
    assertThat(pool.state().queue().isEmpty()).isTrue();
  }
}
