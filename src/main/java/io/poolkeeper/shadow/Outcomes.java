package io.poolkeeper.shadow;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * How decisions on members have ended. Bounded: times are kept in whole seconds, below those of
 * {@link Open#LONGEST}.
 *
 * @param met how many decisions another client came to write, by the seconds that this took
 * @param superseded how many decisions were not wanted any more before that
 * @param notMet how many decisions were neither in time
 */
public record Outcomes(TreePMap<Long, Long> met, long superseded, long notMet) {
  static final Outcomes NONE = new Outcomes(TreePMap.empty(), 0, 0);

  Outcomes with(Open ended, Instant now) {
    if (ended.late(now)) {
      return new Outcomes(met, superseded, notMet + 1);
    }
    if (ended.superseded()) {
      return new Outcomes(met, superseded + 1, notMet);
    }
    long seconds = Duration.between(ended.at(), now).toSeconds();
    return new Outcomes(met.plus(seconds, met.getOrDefault(seconds, 0L) + 1), superseded, notMet);
  }

  public long count() {
    return within(0, Long.MAX_VALUE);
  }

  /** How many were met after so many seconds, the second number excluded. */
  public long within(long from, long to) {
    return met.subMap(from, to).values().stream().mapToLong(Long::longValue).sum();
  }

  /** The time after which half of them were met, in seconds; empty if none was. */
  public Optional<Long> median() {
    long half = (count() + 1) / 2;
    long seen = 0;
    for (Map.Entry<Long, Long> second : met.entrySet()) {
      seen += second.getValue();
      if (seen >= half) {
        return Optional.of(second.getKey());
      }
    }
    return Optional.empty();
  }
}
