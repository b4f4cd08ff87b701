package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.PauseCore.Effect;
import io.poolkeeper.lock.PauseCore.Event;
import io.poolkeeper.lock.PauseCore.State;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.Pause;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PauseCoreTest {
  private static final Instant T0 = Instant.parse("2026-11-25T17:00:00Z");
  private static final Instant END = T0.plusSeconds(60);
  private static final ObjectReference LEASE = new ObjectReference.OfLease("ns", "leader");
  private static final PauseView PAUSED =
      new PauseView(Optional.of(new Pause(END, END, "", false)), Optional.empty());

  private final PauseCore core = new PauseCore();
  private State state = State.INITIAL;
  private Instant now = T0;
  private long version;

  private List<Effect> send(Event event) {
    Decision<State, Effect> decision =
        core.decide(
            state,
            event,
            now,
            () -> {
              throw new AssertionError("no chance");
            });
    state = decision.state();
    return decision.effects();
  }

  private List<Effect> read(Map<String, String> annotations) {
    return send(new Event.Read(LEASE, ++version, annotations, now));
  }

  private List<Effect> until(String text) {
    return read(Map.of(PauseAnnotations.UNTIL, text));
  }

  @Test
  void read_aPause_isShownOnce_andEndsByItself() {
    assertThat(until(END.toString())).containsExactly(new Effect.Show(PAUSED));
    assertThat(until(END.toString())).isEmpty();
    assertThat(core.wakeAt(state)).contains(END);

    now = END.minusNanos(1);
    assertThat(send(new Event.TimerDue())).isEmpty();
    now = END;
    assertThat(send(new Event.TimerDue())).containsExactly(new Effect.Show(PauseView.NONE));
    assertThat(core.wakeAt(state)).isEmpty();
    assertThat(until(END.toString())).isEmpty();
  }

  @Test
  void read_theAnnotationIsGone_endsThePause() {
    until(END.toString());

    assertThat(read(Map.of("other", "x"))).containsExactly(new Effect.Show(PauseView.NONE));
  }

  @Test
  void read_anotherAnnotationChanges_showsNothing() {
    read(Map.of(PauseAnnotations.UNTIL, END.toString()));

    assertThat(read(Map.of(PauseAnnotations.UNTIL, END.toString(), "other", "x"))).isEmpty();
  }

  @Test
  void lead_whilePaused_leadsAfterThePauseWasShown() {
    until(END.toString());

    assertThat(send(new Event.Lead())).containsExactly(new Effect.Lead());
    assertThat(core.wakeAt(state)).contains(END);
  }

  /** The watch may be behind what the election has read. */
  @Test
  void read_anOlderVersion_changesNothing() {
    until(END.toString());

    assertThat(send(new Event.Read(LEASE, version - 1, Map.of(), now))).isEmpty();
    assertThat(send(new Event.Read(LEASE, version, Map.of(), now)))
        .containsExactly(new Effect.Show(PauseView.NONE));
  }

  /** It may have been there before anybody led. */
  @Test
  void lead_withABadValue_warnsOfIt() {
    until("soon");

    assertThat(send(new Event.Lead()))
        .containsExactly(
            new Effect.Lead(), new Effect.Warn(LEASE, state.view().ignored().orElseThrow()));
  }

  @Test
  void read_aBadValue_theLeaderWarnsOnce_andAStandbyDoesNot() {
    assertThat(until("soon")).singleElement().isInstanceOf(Effect.Show.class);
    until("2026-11-25T17:00:01Z");
    send(new Event.Lead());

    List<Effect> effects = until("soon");

    String why = state.view().ignored().orElseThrow();
    assertThat(effects)
        .containsExactly(
            new Effect.Show(new PauseView(Optional.empty(), Optional.of(why))),
            new Effect.Warn(LEASE, why));
    assertThat(read(Map.of(PauseAnnotations.UNTIL, "soon", "other", "x"))).isEmpty();
  }
}
