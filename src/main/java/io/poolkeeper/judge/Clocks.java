package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of all that is wrong at the moment. A clock is read when it may have reached its bound
 * and when its subject becomes right; between these nothing is computed. What does not count is
 * looked up when it is read, so that it may be recorded late.
 */
final class Clocks {
  /** While an excuse has no known end, a clock is read so often. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final BiFunction<Waiting, Instant, Allowance> allowances;
  private final Duration tolerance;
  private final Map<Subject, Waiting> running = new HashMap<>();
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(
          Comparator.comparing(Due::at).thenComparing(d -> d.whose().subject().toString()));
  private final List<Violation> violations = new ArrayList<>();

  private record Due(Instant at, Waiting whose) {}

  /**
   * What one clock may show.
   *
   * @param excused by reason, what does not count
   */
  record Allowance(Duration bound, Map<String, Duration> excused) {
    Duration sum() {
      return excused.values().stream().reduce(Duration.ZERO, Duration::plus);
    }
  }

  /**
   * @param tolerance how much more than its bound is no violation
   */
  Clocks(BiFunction<Waiting, Instant, Allowance> allowances, Duration tolerance) {
    this.allowances = allowances;
    this.tolerance = tolerance;
  }

  boolean runs(Subject subject) {
    return running.containsKey(subject);
  }

  void start(Waiting waiting) {
    running.put(waiting.subject(), waiting);
    due.add(new Due(waiting.since().plus(Documented.STATES), waiting));
  }

  /** It is right again, or not known to be wrong any more. */
  void stop(Subject subject, Instant at) {
    @Nullable Waiting waiting = running.remove(subject);
    if (waiting != null && waiting.since().plus(Documented.STATES).isBefore(at)) {
      left(waiting, at);
    }
  }

  /** Of one that may stop: its beginning. */
  Optional<Waiting> of(Subject subject) {
    return Optional.ofNullable(running.get(subject));
  }

  Optional<Instant> next() {
    return Optional.ofNullable(due.peek()).map(Due::at);
  }

  /** Since when the oldest one runs. */
  Instant oldest(Instant now) {
    return running.values().stream().map(Waiting::since).min(Comparator.naturalOrder()).orElse(now);
  }

  void read(Instant now) {
    while (!due.isEmpty() && !due.peek().at().isAfter(now)) {
      Waiting waiting = due.remove().whose();
      if (waiting.equals(running.get(waiting.subject()))) {
        Duration left = left(waiting, now);
        if (left.isNegative()) {
          running.remove(waiting.subject());
        } else {
          due.add(new Due(now.plus(left.compareTo(AGAIN) < 0 ? AGAIN : left), waiting));
        }
      }
    }
  }

  /** How much of its bound a clock has left; a violation if that is less than nothing. */
  private Duration left(Waiting waiting, Instant now) {
    Allowance allowance = allowances.apply(waiting, now);
    Duration ran = Duration.between(waiting.since(), now).minus(allowance.sum());
    Duration left = allowance.bound().plus(tolerance).minus(ran);
    if (left.isNegative()) {
      violations.add(
          new Violation(
              waiting.subject(),
              "%s since %s, shown by %s; of %s the clock ran for %s, allowed are %s; not counted: %s"
                  .formatted(
                      waiting.subject(),
                      waiting.since(),
                      waiting.by(),
                      seconds(Duration.between(waiting.since(), now)),
                      seconds(ran),
                      seconds(allowance.bound()),
                      text(allowance.excused()))));
    }
    return left;
  }

  private static String text(Map<String, Duration> excused) {
    return excused.isEmpty()
        ? "nothing"
        : excused.entrySet().stream()
            .map(each -> each.getKey() + " " + seconds(each.getValue()))
            .collect(Collectors.joining(", "));
  }

  private static String seconds(Duration length) {
    return "%d.%03ds".formatted(length.toSeconds(), length.toMillisPart());
  }

  List<Violation> violations() {
    List<Violation> found = List.copyOf(violations);
    violations.clear();
    return found;
  }
}
