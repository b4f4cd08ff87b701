package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A failing pool recovered: a sign to all failing pools that ARM has recovered. Each of them gets
 * it once, one after the other, and not from each pool that recovers. The next round begins 5 s
 * later at the earliest, if another pool has recovered meanwhile.
 *
 * @param pools the failing pools when the round began
 * @param next how many of them have got the sign
 * @param again whether another pool has recovered since it began
 */
record Recovery(List<PoolId> pools, int next, Optional<Instant> began, boolean again) {
  static final Recovery NONE = new Recovery(List.of(), 0, Optional.empty(), false);
  static final Duration PAUSE = Duration.ofMillis(20);
  static final Duration ROUND = Duration.ofSeconds(5);

  /** A pool has recovered. */
  Recovery signed() {
    return new Recovery(pools, next, began, true);
  }

  boolean begins(Instant now) {
    return again && roundEnds().map(end -> !end.isAfter(now)).orElse(true);
  }

  private Optional<Instant> roundEnds() {
    return began.map(
        at -> {
          Instant last = at.plus(PAUSE.multipliedBy(pools.size()));
          Instant shortest = at.plus(ROUND);
          return last.isAfter(shortest) ? last : shortest;
        });
  }

  /** Begins a round among the failing pools; without any it costs no time. */
  Recovery begin(List<PoolId> failing, Instant now) {
    return failing.isEmpty()
        ? NONE
        : new Recovery(List.copyOf(failing), 0, Optional.of(now), false);
  }

  List<PoolId> due(Instant now) {
    int count = next;
    while (count < pools.size() && !at(count).isAfter(now)) {
      count++;
    }
    return pools.subList(next, count);
  }

  private Instant at(int number) {
    return began.orElseThrow().plus(PAUSE.multipliedBy(number));
  }

  Recovery heard(int count) {
    return new Recovery(pools, next + count, began, again);
  }

  Optional<Instant> wakeAt() {
    if (next < pools.size()) {
      return Optional.of(at(next));
    }
    return again ? roundEnds() : Optional.empty();
  }
}
