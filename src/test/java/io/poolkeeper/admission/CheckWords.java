package io.poolkeeper.admission;

import static io.poolkeeper.admission.FakeBinding.START;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks and decisions in words. {@code a:Retry/30x2@5'why'} is in Retry for 30 s, was reset twice,
 * and has said so 5 s after the start ({@code @-}: it has not said when).
 */
final class CheckWords {
  private static final Pattern CHECK =
      Pattern.compile(
          "([\\w-]+):([A-Z]\\w+?)(?:/(-?\\d+))?(?:x(-?\\d+))?(?:@(-(?!\\d)|-?\\d+))?(?:'([^']*)')?(?="
              + " |$)");

  private CheckWords() {}

  static List<Check> checks(String words) {
    return CHECK.matcher(words).results().map(CheckWords::check).toList();
  }

  private static Check check(MatchResult of) {
    Optional<String> time = Optional.ofNullable(of.group(5));
    return new Check(
        of.group(1),
        Check.State.parse(of.group(2)).orElseThrow(),
        Optional.of(time.orElse("0")).filter(at -> !at.equals("-")).map(CheckWords::at),
        Optional.ofNullable(of.group(6)).orElse(""),
        Optional.ofNullable(of.group(3)).map(Integer::valueOf),
        Optional.ofNullable(of.group(4)).map(Integer::valueOf).orElse(0));
  }

  private static Instant at(String seconds) {
    return START.plusSeconds(Long.parseLong(seconds));
  }

  /** {@code changed inactive deleted lists a b: a:Ready}; all are listed if it does not say. */
  static AdmissionSubject subject(String words) {
    List<Check> reported = checks(words);
    int lists = words.indexOf("lists ");
    String flags = lists < 0 ? words : words.substring(0, lists);
    List<String> listed =
        lists < 0
            ? reported.stream().map(Check::name).toList()
            : Arrays.asList(words.substring(lists + 6, words.indexOf(": ", lists)).split(" ", -1));
    return new AdmissionSubject(
        listed,
        reported,
        !flags.contains("inactive"),
        flags.contains("deleted"),
        flags.contains("changed"),
        Duration.ZERO);
  }

  static String words(AdmissionDecision decision) {
    Optional<Instant> until =
        decision.admission() instanceof Admission.Held held ? held.until() : Optional.empty();
    return words(decision.admission())
        + decision.update().map(CheckWords::words).orElse("")
        + (decision.requeueAt().equals(until) ? "" : "; again at another time");
  }

  /** With why. */
  private static String words(Admission admission) {
    return switch (admission) {
      case Admission.Held held -> brief(held) + ": " + held.why();
      case Admission.Rejected rejected -> brief(rejected) + ": " + rejected.why();
      default -> brief(admission);
    };
  }

  static String brief(Admission admission) {
    return admission instanceof Admission.Held held
        ? "Held" + held.until().map(end -> " until " + seconds(end)).orElse("")
        : admission.getClass().getSimpleName();
  }

  private static String words(AdmissionDecision.Update update) {
    return (update.reset() ? "; resets " : "; writes ") + words(update.checks());
  }

  static String words(List<Check> checks) {
    return checks.stream().map(CheckWords::words).collect(Collectors.joining(" "));
  }

  private static String words(Check check) {
    return check.name()
        + ":"
        + check.state()
        + check.requeueAfterSeconds().map(seconds -> "/" + seconds).orElse("")
        + (check.retryCount() == 0 ? "" : "x" + check.retryCount())
        + check.lastTransitionTime().map(CheckWords::when).orElse("@-")
        + (check.message().isEmpty() ? "" : "'" + check.message() + "'");
  }

  private static String when(Instant time) {
    return time.equals(START) ? "" : "@" + seconds(time);
  }

  private static long seconds(Instant time) {
    return Duration.between(START, time).toSeconds();
  }
}
