package io.poolkeeper.admission;

import io.poolkeeper.model.Mark;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The {@link Mark} of the cluster, which is read once. Nothing is bound before it is known.
 *
 * @param readAt when it is read next; empty while a read is in flight, and when it is known
 */
record ClusterMark(Optional<Mark> known, Optional<Instant> readAt, int failures) {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), Jitter.EQUAL);

  static ClusterMark unknown(Instant now) {
    return new ClusterMark(Optional.empty(), Optional.of(now), 0);
  }

  boolean due(Instant now) {
    return readAt.filter(at -> !at.isAfter(now)).isPresent();
  }

  ClusterMark reading() {
    return new ClusterMark(known, Optional.empty(), failures);
  }

  ClusterMark read(Mark mark) {
    return new ClusterMark(Optional.of(mark), Optional.empty(), 0);
  }

  ClusterMark failed(Instant now, RandomGenerator random) {
    Instant again = now.plus(BACKOFF.delay(failures + 1, random));
    return new ClusterMark(known, Optional.of(again), failures + 1);
  }
}
