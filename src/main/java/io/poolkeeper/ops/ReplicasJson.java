package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.status.Installation;
import io.poolkeeper.turnstile.TurnstileView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who leads, and what this process hears from; the names of its members are a contract.
 *
 * @param leader the leader's pod; null if it is not known
 * @param renewed when it renewed its Lease last
 * @param leadsSince when this one began to lead; null if it does not
 * @param pod this one
 * @param lease the one that is shared with the cloud provider
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ReplicasJson(
    @Nullable String leader,
    @Nullable String renewed,
    @Nullable String leadsSince,
    String pod,
    SharedLease lease,
    List<Watch> watches,
    List<String> watchProblems,
    @Nullable String lastListing,
    @Nullable String listingError) {
  /** Held, free, busy, unreachable, or off. */
  record SharedLease(String state, @Nullable String holder, @Nullable String since) {
    static SharedLease of(Optional<LeaseStanding> standing) {
      return standing
          .map(TurnstileJson.Lease::of)
          .map(of -> new SharedLease(of.state(), of.holder(), of.since()))
          .orElse(new SharedLease("off", null, null));
    }
  }

  /** Whether what it brought may be relied on. */
  record Watch(String kind, boolean live) {}

  static ReplicasJson of(
      Snapshot snapshot,
      Installation self,
      Optional<LeaderView> leader,
      List<String> watchProblems) {
    return new ReplicasJson(
        leader.map(LeaderView::pod).orElse(snapshot.knowledge().leads() ? self.pod() : null),
        leader.map(of -> Times.iso(of.renewed())).orElse(null),
        Times.iso(snapshot.leadsSince()),
        self.pod(),
        SharedLease.of(snapshot.turnstile().flatMap(TurnstileView::lease)),
        Arrays.stream(CacheKind.values())
            .map(
                kind ->
                    new Watch(
                        Labels.of(kind),
                        snapshot.knowledge().synced().contains(kind)
                            && !snapshot.knowledge().lost().contains(kind)))
            .toList(),
        watchProblems,
        Times.iso(snapshot.lastListing()),
        snapshot.knowledge().listingFailure().map(Object::toString).orElse(null));
  }
}
