package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the annotations of the leader's Lease come to. */
class PauseAnnotationsTest {
  private static final Instant WALL = Instant.parse("2026-11-25T17:00:00Z");

  /** The monotonic clock is 5 s ahead of the time of day. */
  private static final Instant NOW = WALL.plusSeconds(5);

  private static PauseView read(Map<String, String> annotations) {
    return PauseAnnotations.read(annotations, NOW, WALL);
  }

  private static PauseView until(String until) {
    return read(Map.of(PauseAnnotations.UNTIL, until));
  }

  private static PauseView paused(Instant until, String reason, boolean drains) {
    return new PauseView(
        Optional.of(new Pause(until, until.plusSeconds(5), reason, drains)), Optional.empty());
  }

  @Test
  void read_noTime_isNoPause() {
    assertThat(read(Map.of())).isEqualTo(PauseView.NONE);
    assertThat(read(Map.of(PauseAnnotations.REASON, "why", PauseAnnotations.DRAINS, "true")))
        .isEqualTo(PauseView.NONE);
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
    assertThat(until(text)).isEqualTo(paused(Instant.parse("2026-11-25T18:00:00Z"), "", false));
  }

  @Test
  void read_all_isWhatTheySay() {
    assertThat(
            read(
                Map.of(
                    PauseAnnotations.UNTIL, "2026-11-25T18:00:00Z",
                    PauseAnnotations.REASON, "change\n1234",
                    PauseAnnotations.DRAINS, "true")))
        .isEqualTo(paused(Instant.parse("2026-11-25T18:00:00Z"), "change 1234", true));
  }

  @Test
  void read_longReason_isCut() {
    String text = "x".repeat(201);

    PauseView view =
        read(Map.of(PauseAnnotations.UNTIL, "2026-11-25T18:00:00Z", PauseAnnotations.REASON, text));

    assertThat(view.pause().orElseThrow().reason()).isEqualTo("x".repeat(199) + "…");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-25T17:00:00Z", "2020-01-01T00:00:00Z"})
  void read_timeThatHasPassed_isNoPause_andNoMistake(String text) {
    assertThat(until(text)).isEqualTo(PauseView.NONE);
  }

  @Test
  void read_sevenDays_isTheMost() {
    Instant most = WALL.plus(Duration.ofDays(7));

    assertThat(until(most.toString())).isEqualTo(paused(most, "", false));
    assertThat(until(most.plusMillis(1).toString()).pause()).isEmpty();
    assertThat(until(most.plusMillis(1).toString()).ignored()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "tomorrow", "2026-11-25", "2026-11-25T18:00:00", "18:00", "1h", "1764093600"})
  void read_whatIsNoTime_isNoPause_andIsNamed(String text) {
    assertThat(until(text))
        .isEqualTo(
            new PauseView(
                Optional.empty(),
                Optional.of(
                    "annotation poolkeeper.io/paused-until: found \"%s\"; allowed: a time such as 2026-11-25T18:00:00Z, at most 7 days ahead"
                        .formatted(text))));
  }

  @Test
  void read_drainsThatAreNeither_goOn_andTheValueIsNamed() {
    PauseView view =
        read(
            Map.of(PauseAnnotations.UNTIL, "2026-11-25T18:00:00Z", PauseAnnotations.DRAINS, "yes"));

    assertThat(view.pause().orElseThrow().drains()).isFalse();
    assertThat(view.ignored())
        .contains("annotation poolkeeper.io/paused-drains: found \"yes\"; allowed: true or false");
  }
}
