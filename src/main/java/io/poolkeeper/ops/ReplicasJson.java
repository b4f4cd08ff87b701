package io.poolkeeper.ops;

import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.turnstile.TurnstileView;
import java.util.Arrays;
import java.util.Optional;

/** Who leads, and what this process hears from. */
final class ReplicasJson {
  private ReplicasJson() {}

  static Members of(Moment moment) {
    Snapshot snapshot = moment.snapshot();
    Knowledge knowledge = snapshot.knowledge();
    Optional<String> leader = moment.leader().map(LeaderView::pod);
    Optional<String> here = Optional.of(moment.self().pod()).filter(any -> knowledge.leads());
    return Members.of("leader", leader.or(() -> here))
        .and("renewed", moment.leader().map(LeaderView::renewed))
        .and("leadsSince", snapshot.leadsSince())
        .and("pod", moment.self().pod())
        .and(
            "lease",
            snapshot
                .turnstile()
                .flatMap(TurnstileView::lease)
                .map(TurnstileJson::holder)
                .orElseGet(() -> TurnstileJson.state("off")))
        .and(
            "watches",
            Arrays.stream(CacheKind.values()).map(kind -> watch(kind, knowledge)).toList())
        .and("watchProblems", moment.watchProblems())
        .and("lastListing", snapshot.lastListing())
        .and("listingError", knowledge.listingFailure());
  }

  /** Whether what it brought may be relied on. */
  private static Members watch(CacheKind kind, Knowledge knowledge) {
    boolean live = knowledge.synced().contains(kind) && !knowledge.lost().contains(kind);
    return Members.of("kind", kind).and("live", live);
  }
}
