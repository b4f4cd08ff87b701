package io.poolkeeper.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.poolkeeper.core.Decision;
import io.poolkeeper.watch.WatchLiveness.Effect;
import io.poolkeeper.watch.WatchLiveness.Limits;
import io.poolkeeper.watch.WatchLiveness.Seen;
import io.poolkeeper.watch.WatchLiveness.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchLivenessTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final WatchLiveness core = new WatchLiveness(Limits.SHIPPED);
  private State state = WatchLiveness.initial();

  @Test
  void decide_notConnectedFor30SecondsFromTheStart_isLostWithoutAnotherList() {
    assertThat(see(0, down(0))).isEmpty();
    assertThat(see(29.999, down(0))).isEmpty();
    assertThat(state.lost()).isFalse();
    assertThat(core.wakeAt(state)).contains(at(30));

    assertThat(see(30, down(0))).containsExactly(Effect.MISS);
    assertThat(state.lost()).isTrue();
    assertThat(see(3_600, down(0))).isEmpty();
    assertThat(core.wakeAt(state)).isEmpty();

    assertThat(see(3_601, up(1))).isEmpty();
    assertThat(state.lost()).isFalse();
  }

  @Test
  void decide_connectedButItsFirstListIsLong_isNotLost() {
    see(0, down(0));
    see(20, up(0));

    assertThat(see(3_600, up(0))).isEmpty();
    assertThat(state.lost()).isFalse();
  }

  @Test
  void decide_disconnectedFor30Seconds_isLost() {
    live(0);
    see(10, down(1));

    assertThat(see(39.999, down(1))).isEmpty();
    assertThat(state.lost()).isFalse();
    assertThat(core.wakeAt(state)).contains(at(40));
    assertThat(see(40, down(1))).containsExactly(Effect.LOSE);

    assertThat(state.lost()).isTrue();
    assertThat(see(3_600, down(1))).isEmpty();
  }

  @Test
  void decide_connectedAgainInTime_isNotLost() {
    live(0);
    see(10, down(1));
    see(39.9, up(1));

    assertThat(see(40, up(1))).isEmpty();
    assertThat(see(41, down(1))).isEmpty();
    assertThat(see(70.9, down(1))).isEmpty();
    assertThat(see(71, down(1))).containsExactly(Effect.LOSE);
  }

  @Test
  void decide_lost_endsWithTheNextListAndNotWithAConnection() {
    live(0);
    see(0, down(1));
    assertThat(see(30, down(1))).containsExactly(Effect.LOSE);

    see(31, up(1));
    assertThat(state.lost()).isTrue();
    see(32, up(2));

    assertThat(state.lost()).isFalse();
    assertThat(core.wakeAt(state)).isEmpty();
  }

  @Test
  void decide_listWithoutAConnectionAfterIt_isLostAgain() {
    live(0);
    see(0, down(1));
    see(30, down(1));
    see(40, down(2));
    assertThat(state.lost()).isFalse();

    assertThat(see(69.999, down(2))).isEmpty();
    assertThat(see(70, down(2))).containsExactly(Effect.LOSE);
    see(80, up(3));

    assertThat(state.lost()).isFalse();
  }

  @Test
  void limits_outOfOrder_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Limits(Duration.ZERO, SECOND, SECOND))
        .withMessageContaining("0 < check <= disconnected <= silent");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Limits(SECOND.multipliedBy(2), SECOND, SECOND.multipliedBy(3)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Limits(SECOND, SECOND.multipliedBy(3), SECOND.multipliedBy(2)));
  }

  private void live(double second) {
    see(second, up(1));
  }

  private static Seen up(int delivered) {
    return new Seen(delivered, true);
  }

  private static Seen down(int delivered) {
    return new Seen(delivered, false);
  }

  private List<Effect> see(double second, Seen seen) {
    Decision<State, Effect> decision = core.decide(state, seen, at(second), () -> 0);
    state = decision.state();
    return decision.effects();
  }

  private static Instant at(double second) {
    return START.plusMillis(Math.round(second * 1_000));
  }
}
