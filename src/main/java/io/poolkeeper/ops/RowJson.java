package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Cause;
import io.poolkeeper.status.PoolLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool as the page's list shows it; the names of its members are a contract.
 *
 * @param cause the key of its cause; null if it is in sync
 * @param since since when it is not as it should be; null if it is
 * @param right how many of the wanted nodes are in the pool
 * @param down how many entries must become Down
 * @param last what the last write did, in some words; null if this process has written none
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record RowJson(
    String id,
    String loadBalancer,
    String resourceGroup,
    String pool,
    List<String> services,
    String state,
    @Nullable String cause,
    String tone,
    String label,
    String why,
    @Nullable String until,
    @Nullable String exactness,
    @Nullable String since,
    int wanted,
    int right,
    int add,
    int remove,
    int down,
    List<String> leaving,
    @Nullable String lastWrite,
    @Nullable String last) {
  static RowJson of(PoolLine line, @Nullable String last) {
    PoolStatus status = line.status();
    Difference difference = status.difference();
    return new RowJson(
        id(status.id()),
        status.id().loadBalancer().name(),
        status.id().loadBalancer().resourceGroup(),
        status.id().name(),
        status.services().keySet().stream().sorted().map(Object::toString).toList(),
        status.state(),
        line.cause().map(Cause::key).orElse(null),
        Labels.of(line.tone()),
        line.label(),
        line.why(),
        Times.iso(line.until()),
        line.until().map(any -> Labels.of(line.exactness())).orElse(null),
        Times.iso(line.since()),
        status.desired().size(),
        status.right(),
        difference.add(),
        difference.remove(),
        difference.down(),
        difference.leaving().stream().map(NodeKey::name).sorted().toList(),
        Times.iso(status.lastWrite()),
        last);
  }

  /** How the page names a pool. */
  static String id(PoolId pool) {
    return pool.loadBalancer().name() + "/" + pool.name();
  }
}
