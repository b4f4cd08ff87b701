package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the annotations of the leader's Lease come to. */
class PauseAnnotationsTest {
  private static final Instant WALL = Instant.parse("2026-11-25T17:00:00Z");
  private static final Instant HOUR = WALL.plusSeconds(3_600);

  private static PauseView read(String until, String reason, String drains) {
    Map<String, String> annotations = new HashMap<>();
    annotations.put(PauseAnnotations.UNTIL, until);
    annotations.put(PauseAnnotations.REASON, reason);
    annotations.put(PauseAnnotations.DRAINS, drains);
    // The monotonic clock is 5 s ahead of the time of day.
    return PauseAnnotations.read(annotations, WALL.plusSeconds(5), WALL);
  }

  private static PauseView until(String until) {
    return PauseAnnotations.read(Map.of(PauseAnnotations.UNTIL, until), WALL.plusSeconds(5), WALL);
  }

  private static Optional<Pause> paused(Instant until, String reason, boolean drains) {
    return Optional.of(new Pause(until, until.plusSeconds(5), reason, drains));
  }

  @Test
  void read_noTime_isNoPause() {
    Map<String, String> others =
        Map.of(PauseAnnotations.REASON, "why", PauseAnnotations.DRAINS, "true");

    assertThat(PauseAnnotations.read(Map.of(), WALL, WALL)).isEqualTo(PauseView.NONE);
    assertThat(PauseAnnotations.read(others, WALL, WALL)).isEqualTo(PauseView.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-25T18:00:00Z",
        "2026-11-25T18:00:00.000Z",
        "2026-11-25t18:00:00z",
        " 2026-11-25T18:00:00Z ",
        "2026-11-25T20:00:00+02:00"
      })
  void read_timeToCome_isAPauseOfMembers(String text) {
    assertThat(until(text)).isEqualTo(new PauseView(paused(HOUR, "", false), Optional.empty()));
  }

  @Test
  void read_all_isWhatTheySay_andALongReasonIsCut() {
    assertThat(read(HOUR.toString(), "change\n1234", "true"))
        .isEqualTo(new PauseView(paused(HOUR, "change 1234", true), Optional.empty()));
    assertThat(read(HOUR.toString(), "x".repeat(201), "true").pause())
        .isEqualTo(paused(HOUR, "x".repeat(199) + "…", true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-25T17:00:00Z", "2020-01-01T00:00:00Z"})
  void read_timeThatHasPassed_isNoPause_andNoMistake(String text) {
    assertThat(until(text)).isEqualTo(PauseView.NONE);
  }

  @Test
  void read_sevenDays_isTheMost() {
    Instant most = WALL.plus(Duration.ofDays(7));

    assertThat(until(most.toString()).pause()).isEqualTo(paused(most, "", false));
    assertThat(until(most.plusMillis(1).toString()).pause()).isEmpty();
    assertThat(until(most.plusMillis(1).toString()).ignored()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "tomorrow", "2026-11-25", "2026-11-25T18:00:00", "18:00", "1h", "1764093600"})
  void read_whatIsNoTime_isNoPause_andIsNamed(String text) {
    assertThat(until(text).pause()).isEmpty();
    assertThat(until(text).ignored())
        .contains(
            "annotation poolkeeper.io/paused-until: found \"%s\"; allowed: a time such as 2026-11-25T18:00:00Z, at most 7 days ahead"
                .formatted(text));
  }

  @Test
  void read_drainsThatAreNeither_goOn_andTheValueIsNamed() {
    PauseView view = read(HOUR.toString(), "", "yes");

    assertThat(view.pause()).isEqualTo(paused(HOUR, "", false));
    assertThat(view.ignored())
        .contains("annotation poolkeeper.io/paused-drains: found \"yes\"; allowed: true or false");
  }
}
