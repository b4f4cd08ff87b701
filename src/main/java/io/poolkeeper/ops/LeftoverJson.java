package io.poolkeeper.ops;

import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The answer of {@code /api/v1/leftovers}. */
final class LeftoverJson {
  private record Found(PoolStatus pool, Leftover leftover, Instant since, long age) {}

  private LeftoverJson() {}

  /** {@code /api/v1/leftovers}: all leftovers, the oldest first, with what is done about each. */
  static List<JsonObject> of(Moment moment) {
    Instant now = moment.now();
    return moment.snapshot().pools().stream()
        .flatMap(
            pool ->
                pool.picture().leftovers().entrySet().stream()
                    .map(
                        of -> new Found(pool, of.getKey(), of.getValue(), age(of.getValue(), now))))
        .sorted(Comparator.comparingLong(Found::age).reversed())
        .map(LeftoverJson::item)
        .toList();
  }

  private static long age(Instant since, Instant now) {
    return Math.max(0, Duration.between(since, now).toSeconds());
  }

  private static JsonObject item(Found found) {
    return JsonObject.of(found.pool().id())
        .and("kind", found.leftover().kind())
        .and("entry", found.leftover().entry())
        .and("address", found.leftover().address())
        .and("node", found.leftover().node())
        .and("since", found.since())
        .and("ageSeconds", found.age())
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
                .and("text", text(kind, since.size() == 1)));
      }
    }
    return kinds;
  }

  private static String text(Leftover.Kind kind, boolean one) {
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
