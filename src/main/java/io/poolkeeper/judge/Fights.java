package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * How often others have made the same entry wrong in the same way: a missing one is counted over an
 * hour, a surplus one until it was right for long enough.
 */
final class Fights {
  private static final Duration HOUR = Duration.ofHours(1);

  /** How long after the first look the last one comes. */
  private static final Duration LAST_LOOK = Duration.ofSeconds(265);

  private final Documented documented;
  private final Map<Subject, Deque<Instant>> damages = new HashMap<>();

  Fights(Documented documented) {
    this.documented = documented;
  }

  /** Another writer has made it wrong. */
  void damaged(Subject subject, Instant now) {
    Deque<Instant> times = damages.computeIfAbsent(subject, any -> new ArrayDeque<>());
    Duration row = documented.verifyAfter().plus(LAST_LOOK);
    if (subject.how() == Subject.How.SURPLUS
        && !times.isEmpty()
        && times.getLast().plus(row).plus(row).isBefore(now)) {
      times.clear();
    }
    while (!times.isEmpty() && !times.peek().plus(HOUR).isAfter(now)) {
      times.remove();
    }
    times.addLast(now);
  }

  /** How long its repair may wait beside everything else. */
  Duration wait(Subject subject) {
    Deque<Instant> times = damages.get(subject);
    if (times == null) {
      return Duration.ZERO;
    }
    return switch (subject.how()) {
      case MISSING -> documented.putBack(times.size());
      case SURPLUS -> documented.takeOut(times.size());
      case NOT_DOWN, STILL_DOWN -> Duration.ZERO;
    };
  }
}
