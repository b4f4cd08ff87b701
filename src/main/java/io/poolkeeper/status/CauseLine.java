package io.poolkeeper.status;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One cause of waiting or failure on the page, summed up over the pools that have it.
 *
 * @param pools the number of these pools
 * @param since when the oldest of their changes began to wait; empty if no change waits
 * @param until when the first pool goes on by itself, or the last one if they go one after another
 * @param fewest the pool with the smallest part of its nodes; empty if all have all
 * @param failure the last failure of a pool, or of the listing
 */
public record CauseLine(
    Cause cause,
    int pools,
    Optional<Instant> since,
    Optional<Instant> until,
    Exactness exactness,
    Optional<Fewest> fewest,
    Optional<ArmFailure> failure) {
  /** The number of right nodes in a pool. */
  public record Fewest(PoolId pool, String name, int right, int wanted) {
    static Fewest of(PoolLine line) {
      PoolStatus pool = line.status();
      String name =
          pool.services().keySet().stream()
              .sorted()
              .findFirst()
              .map(Object::toString)
              .orElse(pool.id().name());
      return new Fewest(pool.id(), name, pool.members().right(), pool.members().desired().size());
    }

    double part() {
      return wanted == 0 ? 1 : (double) right / wanted;
    }
  }

  /** First what needs a person, then what waits, then the rest; of these that of most pools. */
  static final Comparator<CauseLine> ORDER =
      Comparator.comparingInt((CauseLine line) -> rank(line.cause()))
          .thenComparing(Comparator.comparingInt(CauseLine::pools).reversed())
          .thenComparing(line -> line.cause().key());

  static int rank(Cause cause) {
    return switch (cause.tone()) {
      case NEED -> 0;
      case WAIT -> 1;
      case MOVE -> 2;
      case OK -> 3;
    };
  }

  static CauseLine of(Cause cause, List<PoolLine> pools, Optional<ArmFailure> failure) {
    Stream<Instant> ends = pools.stream().flatMap(line -> line.until().stream());
    boolean inTurn = cause instanceof Cause.Queued || cause instanceof Cause.Writing;
    return new CauseLine(
        cause,
        pools.size(),
        pools.stream().flatMap(line -> line.since().stream()).min(Comparator.naturalOrder()),
        inTurn ? ends.max(Comparator.naturalOrder()) : ends.min(Comparator.naturalOrder()),
        pools.stream()
            .map(PoolLine::exactness)
            .max(Comparator.naturalOrder())
            .orElse(Exactness.EXACT),
        pools.stream()
            .map(Fewest::of)
            .min(Comparator.comparingDouble(Fewest::part))
            .filter(fewest -> fewest.part() < 1),
        pools.stream().flatMap(line -> failure(line).stream()).findFirst().or(() -> failure));
  }

  /** The line of one pool's cause, or of several pools'. */
  public static CauseLine of(Cause cause, List<PoolLine> pools) {
    return of(cause, pools, Optional.empty());
  }

  private static Optional<ArmFailure> failure(PoolLine line) {
    return line.status().lastError().or(() -> line.status().difference().failure());
  }

  /** The last answer. */
  public String evidence() {
    return failure.map(ArmFailure::inFull).orElse("");
  }

  public CauseText text() {
    return CauseText.of(cause);
  }
}
