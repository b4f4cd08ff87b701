package io.poolkeeper.ops;

import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The answer of {@code /api/v1/leftovers}. */
final class LeftoverJson {
  private record Found(PoolStatus pool, Leftover leftover, Instant since) {
    long age(Instant now) {
      return Math.max(0, Duration.between(since, now).toSeconds());
    }
  }

  private LeftoverJson() {}

  /** {@code /api/v1/leftovers}: all leftovers, the oldest first, with what is done about each. */
  static List<JsonObject> of(Moment moment) {
    List<Found> found = new ArrayList<>();
    for (PoolStatus pool : moment.snapshot().pools()) {
      Map<Leftover, Instant> leftovers = pool.picture().leftovers();
      leftovers.forEach((leftover, since) -> found.add(new Found(pool, leftover, since)));
    }
    Instant now = moment.now();
    return found.stream()
        .sorted(Comparator.comparingLong((Found leftover) -> leftover.age(now)).reversed())
        .map(leftover -> item(leftover, now))
        .toList();
  }

  private static JsonObject item(Found found, Instant now) {
    return JsonObject.of(found.pool().id())
        .and("kind", found.leftover().kind())
        .and("entry", found.leftover().entry())
        .and("address", found.leftover().address())
        .and("node", found.leftover().node())
        .and("since", found.since())
        .and("ageSeconds", found.age(now))
        .and("state", found.pool().state())
        .and("why", found.pool().activity().why());
  }

  /** The number of leftovers of each kind, but of pools that fail: those have a cause. */
  static List<JsonObject> kinds(Snapshot snapshot) {
    List<JsonObject> kinds = new ArrayList<>();
    for (Leftover.Kind kind : Leftover.Kind.values()) {
      List<Instant> since =
          snapshot.leftovers(kind, pool -> pool.lastError().isEmpty()).sorted().toList();
      if (!since.isEmpty()) {
        kinds.add(
            JsonObject.of("kind", kind)
                .and("entries", since.size())
                .and("since", since.getFirst())
                .and("text", text(kind, since.size())));
      }
    }
    return kinds;
  }

  private static String text(Leftover.Kind kind, int entries) {
    boolean one = entries == 1;
    return switch (kind) {
      case ADDRESS -> (one ? "address" : "addresses") + " that no Service wants";
      case DOWN ->
          one
              ? "entry that is Down on a node in service"
              : "entries that are Down on nodes in service";
      case NOT_DOWN ->
          one
              ? "entry of a leaving node that is not Down yet"
              : "entries of leaving nodes that are not Down yet";
    };
  }
}
