package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code /api/v1/leftovers}; the names of its members are a contract.
 *
 * @param kind {@code address}, {@code down} or {@code not-down}
 * @param node whose the entry is; null if that is not known
 * @param since when this process saw it first
 * @param pool's state, and why it waits: what is done about it
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record LeftoverJson(
    String loadBalancer,
    String pool,
    String resourceGroup,
    String kind,
    String entry,
    @Nullable String address,
    @Nullable String node,
    String since,
    long ageSeconds,
    String state,
    String why) {
  /** All of all pools, the oldest first. */
  static List<LeftoverJson> of(List<PoolStatus> pools, Instant now) {
    return pools.stream()
        .flatMap(
            pool ->
                pool.leftovers().entrySet().stream()
                    .map(one -> of(pool, one.getKey(), one.getValue(), now)))
        .sorted(Comparator.comparingLong(LeftoverJson::ageSeconds).reversed())
        .toList();
  }

  private static LeftoverJson of(PoolStatus pool, Leftover one, Instant since, Instant now) {
    return new LeftoverJson(
        pool.id().loadBalancer().name(),
        pool.id().name(),
        pool.id().loadBalancer().resourceGroup(),
        Labels.of(one.kind()),
        one.entry(),
        one.address().map(Address::text).orElse(null),
        one.node().map(NodeKey::name).orElse(null),
        Times.iso(since),
        Math.max(0, Duration.between(since, now).toSeconds()),
        pool.state(),
        pool.why());
  }
}
