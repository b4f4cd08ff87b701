package io.poolkeeper.armsim.compare;

import io.poolkeeper.model.Truncated;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the simulator answers otherwise than was recorded.
 *
 * @param outcomes one per interaction, in their order
 * @param unrecorded headers that no recorded answer has, so that nothing is known of them
 */
public record Comparison(List<Outcome> outcomes, SortedSet<String> unrecorded) {
  /** Differences of one exchange and ids of one reason that are listed. */
  private static final int LISTED = 12;

  private static final int PATH = 100; // characters

  /** A reason why an exchange is not compared. */
  enum Uncompared {
    NO_ANSWER("no answer was recorded"),
    REFUSED("refused because of rights, quota or a failure, which a recording does not explain"),
    RUNNING("poll of an operation that still ran"),
    NO_OPERATION("poll of an operation that the simulator does not have"),
    LATER_PAGE("later page of a list, whose link is Azure's own"),
    UNKNOWN("not known to the recording: not written in it, or the simulator refused that write");

    final String text;

    Uncompared(String text) {
      this.text = text;
    }
  }

  /**
   * The outcome for one interaction.
   *
   * @param uncompared why it was not compared; empty if it was
   */
  record Outcome(
      Interaction interaction, Optional<Uncompared> uncompared, List<AnswerDiff> differences) {
    private Stream<String> lines() {
      String check = interaction.check().isEmpty() ? "" : interaction.check() + ": ";
      int more = differences.size() - LISTED;
      return Stream.of(
              Stream.of("#%s %s%s".formatted(interaction.id(), check, request())),
              differences.stream()
                  .limit(LISTED)
                  .flatMap(
                      one ->
                          Stream.of(
                              "  recorded:  " + one.recorded(), "  simulated: " + one.simulated())),
              more > 0
                  ? Stream.of("  and %d more differences".formatted(more))
                  : Stream.<String>of())
          .flatMap(lines -> lines);
    }

    /** Method and path, without what most paths begin with. */
    private String request() {
      String path =
          interaction
              .call()
              .rawPath()
              .replaceFirst("(?i)^/subscriptions/[^/]+/(?:.*/providers/[^/]+/)?(?=.)", ".../");
      return interaction.call().method() + " " + Truncated.middle(PATH, path);
    }
  }

  /** Compares a report; empty if there is a problem with it. */
  public static Optional<Comparison> of(Path report, List<String> problems) {
    return Recording.read(report, problems).map(Replay::of);
  }

  /** Whether at least one exchange was compared, and none differs. */
  public boolean agrees() {
    return compared() > 0 && answeredAsRecorded() == compared();
  }

  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    outcomes.stream()
        .filter(outcome -> !outcome.differences().isEmpty())
        .flatMap(Outcome::lines)
        .forEach(lines::add);
    for (Uncompared reason : Uncompared.values()) {
      List<String> ids =
          outcomes.stream()
              .filter(outcome -> outcome.uncompared().filter(reason::equals).isPresent())
              .map(outcome -> "#" + outcome.interaction().id())
              .toList();
      if (!ids.isEmpty()) {
        lines.add("not compared: %s (%s)".formatted(listed(ids), reason.text));
      }
    }
    if (!unrecorded.isEmpty()) {
      lines.add(
          "not compared: %s (no recorded answer has it)".formatted(String.join(", ", unrecorded)));
    }
    lines.add(
        "%d of %d exchanges answered as recorded".formatted(answeredAsRecorded(), compared()));
    return lines;
  }

  private static String listed(List<String> ids) {
    String first = ids.stream().limit(LISTED).collect(Collectors.joining(", "));
    int more = ids.size() - LISTED;
    return more > 0 ? "%s and %d more".formatted(first, more) : first;
  }

  private long compared() {
    return outcomes.stream().filter(outcome -> outcome.uncompared().isEmpty()).count();
  }

  private long answeredAsRecorded() {
    return outcomes.stream()
        .filter(outcome -> outcome.uncompared().isEmpty() && outcome.differences().isEmpty())
        .count();
  }
}
