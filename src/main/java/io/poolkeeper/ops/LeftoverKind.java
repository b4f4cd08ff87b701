package io.poolkeeper.ops;

import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How many entries are not as they should be, by what is wrong; a contract. */
record LeftoverKind(String kind, int entries, String since, String text) {
  static List<LeftoverKind> of(List<PoolStatus> pools) {
    Map<Leftover.Kind, Integer> entries = new EnumMap<>(Leftover.Kind.class);
    Map<Leftover.Kind, Instant> since = new EnumMap<>(Leftover.Kind.class);
    for (PoolStatus pool : pools) {
      pool.leftovers()
          .forEach(
              (leftover, from) -> {
                entries.merge(leftover.kind(), 1, Integer::sum);
                since.merge(leftover.kind(), from, (a, b) -> a.isBefore(b) ? a : b);
              });
    }
    List<LeftoverKind> all = new ArrayList<>();
    entries.forEach(
        (kind, count) ->
            all.add(
                new LeftoverKind(
                    Labels.of(kind),
                    count,
                    Times.iso(since.getOrDefault(kind, Instant.EPOCH)),
                    text(kind, count == 1))));
    return all;
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
