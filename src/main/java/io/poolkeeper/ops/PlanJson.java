package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolPicture.Change;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Report;
import io.poolkeeper.status.Surroundings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The answer of {@code /api/v1/plan}: what would be written now if nothing held it; the names of
 * its members are a contract.
 *
 * @param pools how many are followed
 * @param differ those that would be written
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record PlanJson(String now, String mode, boolean leads, int pools, List<Item> differ) {
  /** A pool, what it waits for, and the entries that change. */
  record Item(
      String id,
      List<String> services,
      String etag,
      String label,
      String why,
      List<PoolDetailJson.Entry> entries) {}

  static PlanJson of(Snapshot snapshot, boolean shadow, Instant now) {
    Surroundings around = StatusJson.input(snapshot, Optional.empty()).surroundings(now);
    return new PlanJson(
        Times.iso(now),
        shadow ? "shadow" : "write",
        snapshot.knowledge().leads(),
        snapshot.pools().size(),
        snapshot.pools().stream()
            .filter(pool -> !pool.picture().edit().isEmpty())
            .map(pool -> item(Report.line(pool, around)))
            .toList());
  }

  private static Item item(PoolLine line) {
    return new Item(
        RowJson.id(line.status().id()),
        line.status().services().keySet().stream().sorted().map(Object::toString).toList(),
        line.status().picture().etag(),
        line.label(),
        line.why(),
        line.status().picture().entries().stream()
            .filter(entry -> entry.change() != Change.KEEP)
            .map(PoolDetailJson::entry)
            .toList());
  }
}
