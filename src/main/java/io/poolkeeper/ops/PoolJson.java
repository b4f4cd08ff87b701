package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.turnstile.TurnstileView.Waiting;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code /api/v1/pools}; the names of its members are a contract.
 *
 * @param retries the retries that each queued operation has consumed
 * @param down addresses whose admin state is Down
 * @param wouldWrite absent if there is nothing
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
    long failures,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable WouldWrite wouldWrite) {
  /** What shadow mode has decided and not written. */
  record WouldWrite(List<String> add, List<String> remove, Map<String, String> adminStates) {
    static @Nullable WouldWrite of(PoolEdit edit) {
      return edit.isEmpty()
          ? null
          : new WouldWrite(
              addresses(edit.add().keySet()),
              addresses(edit.remove()),
              edit.adminStates().entrySet().stream()
                  .collect(
                      Collectors.toMap(
                          Map.Entry::getKey,
                          of -> of.getValue().toString(),
                          (one, other) -> one,
                          TreeMap::new)));
    }
  }

  /** All pools. For a pool that waits for a turn, the turnstile gives the reason. */
  static List<PoolJson> of(Snapshot snapshot, Instant now) {
    Map<PoolId, Waiting> waiting =
        snapshot.turnstile().stream()
            .flatMap(view -> view.waiting(now).stream())
            .collect(Collectors.toMap(Waiting::pool, Function.identity(), (one, other) -> other));
    return snapshot.all().stream()
        .map(pool -> of(pool, pool.waiting() ? waiting.get(pool.id()) : null))
        .toList();
  }

  static PoolJson of(Snapshot snapshot, PoolStatus pool, Instant now) {
    @Nullable Waiting waiting =
        snapshot.turnstile().stream()
            .flatMap(view -> view.waiting(now).stream())
            .filter(one -> pool.waiting() && one.pool().equals(pool.id()))
            .findFirst()
            .orElse(null);
    return of(pool, waiting);
  }

  private static PoolJson of(PoolStatus status, @Nullable Waiting waiting) {
    return new PoolJson(
        status.id().loadBalancer().name(),
        status.id().name(),
        status.id().loadBalancer().resourceGroup(),
        status.id().loadBalancer().subscription(),
        status.services().keySet().stream().sorted().map(Object::toString).toList(),
        status.state(),
        waiting == null ? status.why() : waiting.text(),
        Times.iso(waiting == null ? status.until() : waiting.until()),
        status.queued(),
        status.retries(),
        addresses(status.desired()),
        addresses(status.inPool()),
        addresses(status.down()),
        Times.iso(status.lastWrite()),
        status.lastError().map(ArmFailure::inFull).orElse(null),
        status.writes(),
        status.failures(),
        WouldWrite.of(status.wouldWrite().edit()));
  }

  private static List<String> addresses(Set<Address> addresses) {
    return addresses.stream().sorted().map(Address::text).toList();
  }
}
