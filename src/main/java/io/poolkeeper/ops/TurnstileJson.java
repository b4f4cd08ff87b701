package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.turnstile.Bucket;
import io.poolkeeper.turnstile.Priority;
import io.poolkeeper.turnstile.TokenBucket.Rate;
import io.poolkeeper.turnstile.TurnstileLimits;
import io.poolkeeper.turnstile.TurnstileView;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/turnstile}; the names of its members are a contract. Fractions are
 * truncated to thousandths.
 *
 * @param now the time of this state; the clock of all its times
 * @param turns turns in flight, the oldest first
 * @param waiting requests for a turn, in order of arrival
 * @param settling load balancers at which the end of a write is waited for, and of which pool
 * @param lease how it stands with the Lease that is shared with other writers; null if turns need
 *     none
 * @param listingWaits whether a listing of load balancers waits to begin
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record TurnstileJson(
    String now,
    Gates gates,
    List<Tokens> buckets,
    List<Queue> lanes,
    Budget retryBudget,
    int maxInFlight,
    List<Turn> turns,
    List<Waiter> waiting,
    List<Settling> settling,
    @Nullable Lease lease,
    boolean listingWaits) {

  /** The time until which calls are held; null if the gate is open. */
  record Gates(
      @Nullable String readsUntil, @Nullable String writesUntil, List<Closed> loadBalancers) {}

  record Closed(String loadBalancer, String resourceGroup, String until) {}

  record Tokens(String bucket, double tokens, int burst, double perSecond) {}

  record Queue(String lane, int waiting, int passedOver) {}

  record Budget(double balance, int cap) {}

  record Turn(
      long turn,
      String loadBalancer,
      String pool,
      String resourceGroup,
      String lane,
      String since,
      String deadline) {}

  /**
   * Who waits.
   *
   * @param share of a drain: the entries that are to become Down, of those that are not; else null
   */
  record Waiter(
      String loadBalancer,
      String pool,
      String resourceGroup,
      String lane,
      @Nullable Double share,
      String since,
      String why,
      @Nullable String until) {}

  record Settling(
      String loadBalancer, String pool, String resourceGroup, String next, String until) {}

  /**
   * The shared Lease.
   *
   * @param state held (by us), free, busy (held by somebody else) or unreachable
   * @param holder who else holds it
   * @param since when that one took it
   * @param until held: members are granted no turn from then on; busy: then it expires
   */
  record Lease(
      String state,
      @Nullable String holder,
      @Nullable String since,
      @Nullable String until,
      @Nullable String error) {
    static Lease of(LeaseStanding standing) {
      return switch (standing) {
        case LeaseStanding.Held held ->
            new Lease("held", null, null, Times.iso(held.until()), null);
        case LeaseStanding.Free free -> new Lease("free", null, null, null, null);
        case LeaseStanding.Busy busy ->
            new Lease(
                "busy", busy.holder(), Times.iso(busy.since()), Times.iso(busy.expires()), null);
        case LeaseStanding.Unreachable away ->
            new Lease("unreachable", null, null, null, away.error());
      };
    }
  }

  static TurnstileJson of(TurnstileView view, Instant now) {
    return new TurnstileJson(
        Times.iso(now),
        gates(view, now),
        Arrays.stream(Bucket.values()).map(bucket -> tokens(view, bucket, now)).toList(),
        view.lanes().stream()
            .map(lane -> new Queue(Labels.of(lane.lane()), lane.depth(), lane.passes()))
            .toList(),
        new Budget(thousandths(view.retryBudget(now)), view.limits().budget().cap()),
        view.limits().maxInFlight(),
        view.turns().stream().map(TurnstileJson::turn).toList(),
        view.waiting(now).stream().map(TurnstileJson::waiter).toList(),
        view.settling().stream().map(TurnstileJson::settling).toList(),
        view.lease().map(Lease::of).orElse(null),
        view.listingWaits());
  }

  private static Gates gates(TurnstileView view, Instant now) {
    return new Gates(
        Times.iso(view.gate(false, now)),
        Times.iso(view.gate(true, now)),
        view.throttled(now).stream().map(TurnstileJson::closed).toList());
  }

  private static Closed closed(TurnstileView.Closed closed) {
    LoadBalancerId id = closed.loadBalancer();
    return new Closed(id.name(), id.resourceGroup(), Times.iso(closed.until()));
  }

  private static Tokens tokens(TurnstileView view, Bucket bucket, Instant now) {
    TurnstileView.Tokens found = view.tokens(bucket, now);
    TurnstileLimits limits = view.limits();
    // The reserve has no rate of its own: it gets a share of the writes' rate.
    Rate rate =
        switch (bucket) {
          case WRITES, DRAIN_RESERVE -> limits.writes();
          case EARLY -> limits.early().tokens();
          case READS -> limits.reads();
        };
    return new Tokens(
        Labels.of(bucket),
        thousandths(found.tokens()),
        found.burst(),
        rate.milliPerSecond() / 1_000.0);
  }

  private static Turn turn(TurnstileView.Holder holder) {
    PoolId pool = holder.pool();
    return new Turn(
        holder.turn(),
        pool.loadBalancer().name(),
        pool.name(),
        pool.loadBalancer().resourceGroup(),
        Labels.of(holder.lane()),
        Times.iso(holder.since()),
        Times.iso(holder.deadline()));
  }

  private static Waiter waiter(TurnstileView.Waiting waiting) {
    PoolId pool = waiting.pool();
    return new Waiter(
        pool.loadBalancer().name(),
        pool.name(),
        pool.loadBalancer().resourceGroup(),
        Labels.of(waiting.priority().lane()),
        share(waiting.priority()),
        Times.iso(waiting.since()),
        waiting.text(),
        Times.iso(waiting.until()));
  }

  private static @Nullable Double share(Priority priority) {
    return priority.lane().drains() ? thousandths(priority.share().fraction()) : null;
  }

  private static Settling settling(TurnstileView.Settling settling) {
    LoadBalancerId id = settling.loadBalancer();
    return new Settling(
        id.name(),
        settling.pool().name(),
        id.resourceGroup(),
        Times.iso(settling.next()),
        Times.iso(settling.until()));
  }

  private static double thousandths(double number) {
    return Math.floor(number * 1_000) / 1_000;
  }
}
