package io.poolkeeper.ops;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.shadow.GoLive;
import io.poolkeeper.shadow.Open;
import io.poolkeeper.shadow.Outcomes;
import io.poolkeeper.shadow.ShadowComparison;
import io.poolkeeper.shadow.ShadowComparison.OfPool;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The answer of {@code /api/v1/shadow}. */
final class ShadowJson {
  /** Upper ends in seconds; decisions count from the end before, so that no one counts twice. */
  private static final List<Long> SECONDS = List.of(5L, 15L, 30L, 60L, 600L);

  /** A decision on members of a pool that has not ended. */
  private record OpenDecision(PoolId pool, Open open) {}

  private ShadowJson() {}

  static JsonObject of(ShadowComparison comparison, Moment moment) {
    Snapshot snapshot = moment.snapshot();
    Instant now = moment.now();
    Map<String, Long> wouldWrite = new LinkedHashMap<>();
    for (ShadowComparison.Kind kind : ShadowComparison.Kind.values()) {
      wouldWrite.put(kind.toString(), comparison.count(kind));
    }
    Map<PoolId, Set<?>> services =
        snapshot.pools().stream()
            .collect(Collectors.toMap(PoolStatus::id, pool -> pool.services().keySet()));
    List<OpenDecision> differ = new ArrayList<>();
    for (Map.Entry<PoolId, OfPool> pool : comparison.pools().entrySet()) {
      pool.getValue().open().forEach(open -> differ.add(new OpenDecision(pool.getKey(), open)));
    }
    differ.sort(
        Comparator.comparing((OpenDecision decision) -> ApiJson.iso(decision.open().at()))
            .thenComparing(decision -> decision.pool().name()));
    return JsonObject.of("since", comparison.since())
        .and("verdict", GoLive.of(comparison, moment.report().incomparable(), now))
        .and("wouldWrite", wouldWrite)
        .and("members", members(comparison, now))
        .and(
            "differ",
            differ,
            decision -> differs(decision, services.getOrDefault(decision.pool(), Set.of()), now))
        .and("waitForFinalizer", snapshot.bindings().waitForFinalizer());
  }

  /** The ends of decisions on members, and how many were met within some seconds. */
  private static JsonObject members(ShadowComparison comparison, Instant now) {
    Outcomes outcomes = comparison.outcomes();
    Map<String, Long> within = new LinkedHashMap<>();
    long from = 0;
    for (long to : SECONDS) {
      within.put(Long.toString(to), outcomes.within(from, to));
      from = to;
    }
    return JsonObject.of(
            "decided",
            comparison.count(ShadowComparison.Kind.MEMBERS)
                + comparison.count(ShadowComparison.Kind.DRIFT))
        .and("met", outcomes.count())
        .and("medianSeconds", outcomes.median())
        .and("within", within)
        .and("superseded", outcomes.superseded())
        .and("notMet", comparison.notMet(now))
        .and("due", comparison.due(now))
        .and("slow", comparison.slow(now));
  }

  private static JsonObject differs(OpenDecision decision, Set<?> services, Instant now) {
    Open open = decision.open();
    return JsonObject.of(decision.pool())
        .and("services", services)
        .and("add", addresses(open, Open.Entry::add))
        .and("remove", addresses(open, entry -> !entry.add()))
        .and("since", open.at())
        .and("seconds", Duration.between(open.at(), now).toSeconds())
        .and("notMet", open.late(now));
  }

  private static Set<Address> addresses(Open open, Predicate<Open.Entry> kind) {
    return open.left().stream().filter(kind).map(Open.Entry::address).collect(Collectors.toSet());
  }
}
