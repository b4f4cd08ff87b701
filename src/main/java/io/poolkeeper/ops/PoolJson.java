package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.Address;
import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code /api/v1/pools}; the names of its members are a contract.
 *
 * @param retries how many each queued operation has consumed
 * @param down addresses whose admin state is Down; none are set yet
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record PoolJson(
    String loadBalancer,
    String pool,
    String resourceGroup,
    String subscription,
    List<String> services,
    String state,
    String why,
    @Nullable String until,
    int queued,
    List<Integer> retries,
    List<String> desired,
    List<String> inPool,
    List<String> down,
    @Nullable String lastWrite,
    @Nullable String lastError,
    long writes,
    long failures) {

  static PoolJson of(PoolStatus status) {
    return new PoolJson(
        status.id().loadBalancer().name(),
        status.id().name(),
        status.id().loadBalancer().resourceGroup(),
        status.id().loadBalancer().subscription(),
        status.services().stream().sorted().map(Object::toString).toList(),
        status.state(),
        status.why(),
        time(status.until()),
        status.queued(),
        status.retries(),
        addresses(status.desired()),
        addresses(status.inPool()),
        List.of(),
        time(status.lastWrite()),
        status.lastError().map(Object::toString).orElse(null),
        status.writes(),
        status.failures());
  }

  private static List<String> addresses(Set<Address> addresses) {
    return addresses.stream().sorted().map(Address::text).toList();
  }

  private static @Nullable String time(Optional<Instant> at) {
    return at.map(instant -> instant.truncatedTo(ChronoUnit.MILLIS).toString()).orElse(null);
  }
}
