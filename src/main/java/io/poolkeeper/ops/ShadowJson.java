package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.shadow.Open;
import io.poolkeeper.shadow.Outcomes;
import io.poolkeeper.shadow.Proof;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/shadow}; the names of its members are a contract.
 *
 * @param wouldWrite how often each kind would have been written
 * @param differ the decisions on members that have not ended, oldest first
 * @param waitForFinalizer the bindings that are being deleted and wait for a live installation
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ShadowJson(
    String since,
    Map<String, Long> wouldWrite,
    Members members,
    List<Differs> differ,
    List<String> waitForFinalizer) {

  /**
   * How decisions on members have ended.
   *
   * @param met by somebody else's hand, in general the cloud provider's
   * @param medianSeconds how much later, in the median; null if none was met
   * @param within how many of them were met within so many seconds, and not within fewer
   * @param notMet within 10 minutes
   * @param due not ended, and younger than that
   */
  record Members(
      long decided,
      long met,
      @Nullable Long medianSeconds,
      Map<String, Long> within,
      long superseded,
      long notMet,
      long due) {}

  /** A decision that has not ended; {@code notMet} if it is older than 10 minutes. */
  record Differs(
      String loadBalancer,
      String pool,
      List<String> services,
      List<String> add,
      List<String> remove,
      String since,
      long seconds,
      boolean notMet) {}

  private static final List<Long> WITHIN = List.of(5L, 15L, 30L, 60L, 600L);

  static ShadowJson of(Proof proof, Snapshot snapshot, Instant now) {
    Map<String, Long> wouldWrite = new LinkedHashMap<>();
    for (Proof.Kind kind : Proof.Kind.values()) {
      wouldWrite.put(kind.toString(), proof.count(kind));
    }
    Map<PoolId, PoolStatus> pools =
        snapshot.pools().stream().collect(Collectors.toMap(PoolStatus::id, Function.identity()));
    List<Differs> differ =
        proof.pools().entrySet().stream()
            .flatMap(
                of ->
                    of.getValue().open().stream()
                        .map(one -> differs(of.getKey(), pools.get(of.getKey()), one, now)))
            .sorted(Comparator.comparing(Differs::since).thenComparing(Differs::pool))
            .toList();
    return new ShadowJson(
        Times.iso(proof.since()),
        wouldWrite,
        members(proof, now),
        differ,
        snapshot.bindings().waitForFinalizer());
  }

  private static Members members(Proof proof, Instant now) {
    Outcomes outcomes = proof.outcomes();
    Map<String, Long> within = new LinkedHashMap<>();
    long from = 0;
    for (long to : WITHIN) {
      within.put(Long.toString(to), outcomes.within(from, to));
      from = to;
    }
    return new Members(
        proof.count(Proof.Kind.MEMBERS) + proof.count(Proof.Kind.DRIFT),
        outcomes.count(),
        outcomes.median().orElse(null),
        within,
        outcomes.superseded(),
        proof.notMet(now),
        proof.due(now));
  }

  private static Differs differs(PoolId pool, @Nullable PoolStatus status, Open one, Instant now) {
    return new Differs(
        pool.loadBalancer().name(),
        pool.name(),
        status == null
            ? List.of()
            : status.services().keySet().stream().sorted().map(Object::toString).toList(),
        addresses(one.left(), true),
        addresses(one.left(), false),
        Times.iso(one.at()),
        Duration.between(one.at(), now).toSeconds(),
        one.late(now));
  }

  private static List<String> addresses(Set<Open.Entry> entries, boolean add) {
    return entries.stream()
        .filter(entry -> entry.add() == add)
        .map(Open.Entry::address)
        .sorted()
        .map(address -> address.text())
        .toList();
  }
}
