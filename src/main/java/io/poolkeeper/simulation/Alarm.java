package io.poolkeeper.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one timer that a cell has. It may be a little late, and never early. */
final class Alarm {
  private static final Duration MOST_LATE = Duration.ofMillis(5);
  private static final Duration LEAST_LATE = Duration.ofNanos(1_000);

  private final Life life;
  private final Runnable what;
  private Timeline.@Nullable Entry entry;

  Alarm(Life life, Runnable what) {
    this.life = life;
    this.what = what;
  }

  void at(Optional<Instant> time) {
    if (entry != null) {
      entry.cancel();
      entry = null;
    }
    time.ifPresent(
        when -> {
          Instant now = life.time.now();
          Instant due = when.isBefore(now) ? now : when;
          Duration late = life.chance.between(LEAST_LATE, MOST_LATE);
          entry = life.time.at(due.plus(late), life.guarded(what));
        });
  }
}
