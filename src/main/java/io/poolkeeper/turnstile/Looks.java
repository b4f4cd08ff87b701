package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.Lanes.Wake;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The turnstile's own looks at load balancers that settle: those that come, by when, and those in
 * flight, by number. The result of a look counts only for the settling that it was made for.
 *
 * <p>Invariant: a load balancer that settles is in exactly one of both; in none, if somebody may
 * have a turn all the same.
 */
record Looks(TreePSet<Wake> coming, TreePMap<Long, LoadBalancerId> inFlight, long nextNumber) {
  static final Looks NONE = new Looks(TreePSet.empty(), TreePMap.empty(), 1);

  /** A load balancer has changed, and its next look may have. */
  Looks placed(LoadBalancerQueue before, LoadBalancerQueue after, Instant now) {
    Optional<Wake> old = wake(before);
    Optional<Wake> next = wake(after).filter(any -> !after.limitIsOver(now));
    TreePSet<Wake> left = old.map(coming::minus).orElse(coming);
    return new Looks(next.map(left::plus).orElse(left), inFlight, nextNumber);
  }

  private static Optional<Wake> wake(LoadBalancerQueue queue) {
    return queue.lookFrom().map(at -> new Wake(at, queue.id()));
  }

  /** When the first one comes; {@link Instant#MAX} if none does. */
  Instant first() {
    return coming.isEmpty() ? Instant.MAX : coming.first().at();
  }

  Optional<LoadBalancerId> due(Instant now) {
    return first().isAfter(now) ? Optional.empty() : Optional.of(coming.first().id());
  }

  Looks begun(LoadBalancerId id) {
    return new Looks(coming, inFlight.plus(nextNumber, id), nextNumber + 1);
  }

  Looks ended(long number) {
    return new Looks(coming, inFlight.minus(number), nextNumber);
  }
}
