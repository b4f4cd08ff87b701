package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.OtherLeaderCore.Effect;
import io.poolkeeper.lock.OtherLeaderCore.Event;
import io.poolkeeper.lock.OtherLeaderCore.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a start counts another installation as one that writes. */
class OtherLeaderCoreTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final State INITIAL = new State.Initial();
  private static final State DECIDED = new State.Decided();
  private static final Event NONE = new Event.None();
  private static final Event REFUSED = new Event.Refused("may not");
  private static final Event FAILED = new Event.Failed();

  private final OtherLeaderCore core =
      new OtherLeaderCore(Duration.ofSeconds(15), Duration.ofSeconds(2));

  private static Instant at(double seconds) {
    return T0.plusMillis(Math.round(seconds * 1000));
  }

  /** The Lease, renewed by a clock that is days away from ours. */
  private static Event.Seen seen(String holder, int renewal) {
    return seen(holder, renewal, 15);
  }

  private static Event.Seen seen(String holder, int renewal, int duration) {
    return new Event.Seen(
        new LeaderView(holder, Instant.EPOCH.plusSeconds(renewal)), Duration.ofSeconds(duration));
  }

  private static State watching(Event.Seen last, double until, double next) {
    return new State.Watching(Optional.of(last), at(until), at(next));
  }

  private static State blind(double until, double next) {
    return new State.Watching(Optional.empty(), at(until), at(next));
  }

  private static Decision<State, Effect> ends(Effect effect) {
    return Decision.of(DECIDED, effect);
  }

  private Decision<State, Effect> decide(State state, Event event, double seconds) {
    RandomGenerator none =
        () -> {
          throw new AssertionError("nothing is left to chance");
        };
    return core.decide(state, event, at(seconds), none);
  }

  static Stream<Arguments> decisions() {
    State watched = watching(seen("a", 1), 23.8, 2);
    Decision<State, Effect> stands = ends(new Effect.Stand());
    Decision<State, Effect> refused = ends(new Effect.Refuse("a"));
    return Stream.of(
        // A usual start waits for nothing.
        arguments(INITIAL, NONE, 0, stands),
        arguments(INITIAL, REFUSED, 0, ends(new Effect.StandUnsure("may not"))),
        arguments(INITIAL, seen("a", 1), 0, Decision.of(watched)),
        // A longer duration of the other Lease counts, up to the longest that settings allow.
        arguments(INITIAL, seen("a", 1, 1), 0, Decision.of(watching(seen("a", 1, 1), 23.8, 2))),
        arguments(INITIAL, seen("a", 1, -5), 0, Decision.of(watching(seen("a", 1, -5), 23.8, 2))),
        arguments(INITIAL, seen("a", 1, 40), 0, Decision.of(watching(seen("a", 1, 40), 48.8, 2))),
        arguments(
            INITIAL, seen("a", 1, 1_000), 0, Decision.of(watching(seen("a", 1, 1_000), 608.8, 2))),
        // Renewed by the same or by another holder.
        arguments(watched, seen("a", 2), 2, refused),
        arguments(watched, seen("a", 0), 2, refused),
        arguments(watched, seen("b", 1), 2, ends(new Effect.Refuse("b"))),
        arguments(watched, seen("a", 2), 23.8, refused),
        arguments(watched, seen("a", 2), 99, refused),
        // Given back: a standby may still take it.
        arguments(watched, seen("", 2), 2, Decision.of(watching(seen("", 2), 23.8, 4))),
        arguments(watching(seen("", 2), 23.8, 4), seen("a", 3), 4, refused),
        arguments(watching(seen("", 2), 23.8, 4), seen("", 2), 23.8, stands),
        // Not renewed.
        arguments(watched, seen("a", 1), 2, Decision.of(watching(seen("a", 1), 23.8, 4))),
        arguments(watched, seen("a", 1), 23, Decision.of(watching(seen("a", 1), 23.8, 23.8))),
        arguments(watched, seen("a", 1), 23.8, stands),
        arguments(watched, NONE, 2, stands),
        arguments(watched, REFUSED, 2, ends(new Effect.StandUnsure("may not"))),
        // A read without an answer decides nothing, however long that lasts.
        arguments(INITIAL, FAILED, 0, Decision.of(blind(0, 2))),
        arguments(blind(0, 2), FAILED, 600, Decision.of(blind(600, 602))),
        arguments(watched, FAILED, 2, Decision.of(watching(seen("a", 1), 23.8, 4))),
        arguments(watched, FAILED, 60, Decision.of(watching(seen("a", 1), 23.8, 62))),
        // The watch begins with the first that has one.
        arguments(blind(0, 14), seen("a", 1), 14, Decision.of(watching(seen("a", 1), 37.8, 16))),
        arguments(blind(0, 14), NONE, 14, stands));
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void decide_eachAnswer_watchesOrDecides(
      State state, Event event, double seconds, Decision<State, Effect> expected) {
    assertThat(decide(state, event, seconds)).isEqualTo(expected);
  }

  @Test
  void decide_decided_staysSo() {
    for (Event event : List.of(NONE, REFUSED, FAILED, seen("a", 1))) {
      assertThat(decide(DECIDED, event, 1)).isEqualTo(Decision.of(DECIDED));
    }
  }

  @Test
  void wakeAt_watching_isTheNextRead() {
    assertThat(core.wakeAt(blind(15, 2))).contains(at(2));
    assertThat(core.wakeAt(INITIAL)).isEmpty();
    assertThat(core.wakeAt(DECIDED)).isEmpty();
  }

  /**
   * Each leader renews within its lease duration, or its standby takes over soon after that,
   * however these and our reads fall.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 15, 60})
  void decide_readsToTheEnd_findsALeaderThatRenewsJustInTime_andNoOther(int duration) {
    double watch = Math.max(15, duration) + 8.8;
    for (int renewal = 1; renewal <= 2 * watch; renewal++) {
      State state = INITIAL;
      double now = 0;
      Optional<Effect> end = Optional.empty();
      while (end.isEmpty()) {
        var next = decide(state, seen("a", now < renewal ? 0 : 1, duration), now);
        end = next.effects().stream().findFirst();
        state = next.state();
        now =
            core.wakeAt(state).map(at -> Duration.between(T0, at).toMillis() / 1000.0).orElse(now);
      }
      boolean found = renewal <= watch;
      assertThat(end)
          .as("renewed after %d s", renewal)
          .contains(found ? new Effect.Refuse("a") : new Effect.Stand());
    }
  }
}
