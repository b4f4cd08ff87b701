package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.Line.Waiter;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * Everything the turnstile knows. Immutable; its maps share what does not change, so that a step
 * costs the logarithm of who waits.
 *
 * <p>Invariants: a load balancer has at most one turn out; a visitor waits at most once; a load
 * balancer is in {@code ready} or {@code asleep} exactly if it has waiters and no turn out.
 *
 * @param ready per lane, the load balancers whose turn may be had, by the ticket of their first
 *     waiter in it
 * @param asleep those that have to wait first, by when
 * @param out the turns that are out; their numbers and their deadlines grow together
 * @param passes per lane, how many turns in a row its head was passed over by
 * @param told what people were told and have not been told the end of
 */
public record TurnstileState(
    HashPMap<LoadBalancerId, Line> lines,
    HashPMap<Visitor, Waiter> waiters,
    List<TreePMap<Long, LoadBalancerId>> ready,
    TreePMap<Wake, LoadBalancerId> asleep,
    TreePMap<Long, LoadBalancerId> out,
    boolean listing,
    WriteTokens writes,
    TokenBucket reads,
    Gates gates,
    RetryBudget budget,
    List<Integer> passes,
    long nextTurn,
    long nextTicket,
    Told told) {

  /** When a load balancer may be had, and which, so that two may wake at once. */
  record Wake(Instant at, String id) implements Comparable<Wake> {
    private static final Comparator<Wake> ORDER =
        Comparator.comparing(Wake::at).thenComparing(Wake::id);

    @Override
    public int compareTo(Wake other) {
      return ORDER.compare(this, other);
    }
  }

  static TurnstileState initial(TurnstileLimits limits, Instant now) {
    int lanes = Lane.values().length;
    return new TurnstileState(
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        Collections.nCopies(lanes, TreePMap.empty()),
        TreePMap.empty(),
        TreePMap.empty(),
        false,
        new WriteTokens(
            TokenBucket.holding(limits.writes(), limits.initialWrites(), now),
            TokenBucket.holding(limits.reserve(), limits.initialReserve(), now)),
        TokenBucket.holding(limits.reads(), limits.reads().burst(), now),
        Gates.OPEN,
        RetryBudget.of(limits.budget(), now),
        Collections.nCopies(lanes, 0),
        1,
        1,
        Told.NOTHING);
  }
}
