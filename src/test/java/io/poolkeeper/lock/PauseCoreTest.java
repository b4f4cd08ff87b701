package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.PauseCore.Effect;
import io.poolkeeper.lock.PauseCore.Event;
import io.poolkeeper.lock.PauseCore.State;
import io.poolkeeper.model.ObjectReference;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PauseCoreTest {
  private static final Instant T0 = Instant.parse("2026-11-25T17:00:00Z");
  private static final Instant END = T0.plusSeconds(60);
  private static final String UNTIL = END.toString();
  private static final ObjectReference LEASE = ObjectReference.ofLease("ns", "leader");

  private static final String BEGUN =
      "PauseBegun<All replicas are paused until 2026-11-25T17:01:00Z. By field manager"
          + " kubectl-annotate; the API server's audit log has the user.>";
  private static final String ENDED =
      "PauseEnded<All replicas go on. The pause until 2026-11-25T17:01:00Z was begun by"
          + " field manager kubectl-annotate.>";
  private static final String IGNORED =
      "PauseIgnored<annotation poolkeeper.io/paused-until: found \"soon\"; allowed: a time such as"
          + " 2026-11-25T18:00:00Z, at most 7 days ahead>";

  private final PauseCore core = new PauseCore();
  private State state = State.INITIAL;
  private Instant now = T0;
  private long version;
  private String manager = "kubectl-annotate";

  /** What comes of it: "paused", "bad" or "over" is shown, it is warned, it leads. */
  private String send(Event event) {
    Decision<State, Effect> decision =
        core.decide(
            state,
            event,
            now,
            () -> {
              throw new AssertionError("no chance");
            });
    state = decision.state();
    return decision.effects().stream().map(PauseCoreTest::text).collect(Collectors.joining(" "));
  }

  private static String text(Effect effect) {
    return switch (effect) {
      case Effect.Show show -> shown(show.view());
      case Effect.Warn warn -> {
        assertThat(warn.lease()).isEqualTo(LEASE);
        yield "%s<%s>".formatted(warn.reason(), warn.text());
      }
      case Effect.Lead lead -> "lead";
    };
  }

  private static String shown(PauseView view) {
    view.pause().ifPresent(pause -> assertThat(pause.ends()).isEqualTo(END));
    return view.pause().isPresent() ? "paused" : view.equals(PauseView.NONE) ? "over" : "bad";
  }

  private String read(Map<String, String> annotations) {
    return send(new Event.Read(LEASE, ++version, T0, annotations, manager, now));
  }

  private String until(String text) {
    return read(Map.of(PauseAnnotations.UNTIL, text));
  }

  @Test
  void read_aPause_isShownOnce_andEndsByItself() {
    assertThat(until(UNTIL)).isEqualTo("paused");
    assertThat(until(UNTIL)).isEmpty();
    assertThat(core.wakeAt(state)).contains(END);

    now = END.minusNanos(1);
    assertThat(send(new Event.TimerDue())).isEmpty();
    now = END;
    assertThat(send(new Event.TimerDue())).isEqualTo("over");
    assertThat(core.wakeAt(state)).isEmpty();
    assertThat(until(UNTIL)).isEmpty();
  }

  @Test
  void read_theAnnotationIsGone_endsThePause_andAnotherOnesChangeDoesNot() {
    until(UNTIL);

    assertThat(read(Map.of(PauseAnnotations.UNTIL, UNTIL, "other", "x"))).isEmpty();
    assertThat(read(Map.of("other", "x"))).isEqualTo("over");
  }

  @Test
  void lead_whilePaused_leadsAfterThePauseWasShown() {
    until(UNTIL);

    assertThat(send(new Event.Lead())).isEqualTo("lead " + BEGUN);
    assertThat(core.wakeAt(state)).contains(END);
  }

  /** The watch may be behind what the election has read. */
  @Test
  void read_aPause_theLeaderWarnsOfItsBeginAndItsEnd_andOfWhoBeganIt() {
    send(new Event.Lead());

    assertThat(until(UNTIL)).isEqualTo("paused " + BEGUN);
    manager = "";
    assertThat(read(Map.of())).isEqualTo("over " + ENDED);
    assertThat(read(Map.of(PauseAnnotations.UNTIL, UNTIL, PauseAnnotations.DRAINS, "true")))
        .contains("drains too. By an unknown field manager;");
    now = END;
    assertThat(send(new Event.TimerDue()))
        .isEqualTo(
            "over " + ENDED.replace("field manager kubectl-annotate", "an unknown field manager"));
  }

  @Test
  void read_aLowerVersionThatWasRenewedLater_isAsNew_asAfterARestore() {
    version = 1_000;
    until(UNTIL);

    Instant renewed = T0.plusSeconds(2);
    assertThat(send(new Event.Read(LEASE, 7, renewed, Map.of(), "", now))).isEqualTo("over");
  }

  @Test
  void read_anOlderVersion_changesNothing() {
    until(UNTIL);

    assertThat(send(new Event.Read(LEASE, version - 1, T0, Map.of(), "", now))).isEmpty();
    assertThat(send(new Event.Read(LEASE, version, T0, Map.of(), "", now))).isEqualTo("over");
  }

  @Test
  void read_aBadValueFirst_theWarningIsAboutTheLease() {
    send(new Event.Lead());

    assertThat(until("soon")).isEqualTo("bad " + IGNORED);
  }

  /** It may have been there before anybody led. */
  @Test
  void read_aBadValue_theLeaderWarnsOnce_andAStandbyDoesNot() {
    assertThat(until("soon")).isEqualTo("bad");
    assertThat(send(new Event.Lead())).isEqualTo("lead " + IGNORED);
    assertThat(until(UNTIL)).isEqualTo("paused " + BEGUN);

    assertThat(until("soon")).isEqualTo("bad %s %s".formatted(IGNORED, ENDED));
    assertThat(read(Map.of(PauseAnnotations.UNTIL, "soon", "other", "x"))).isEmpty();
  }
}
