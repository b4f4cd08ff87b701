package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.TurnstileState.Wake;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.TreePMap;

/**
 * The transitions that were reported as begun and have not ended, so that each begin and end is
 * reported once.
 *
 * @param reads the subscription's gate for reads was closed
 * @param writes and the one for writes
 * @param balancers gates of load balancers that were closed, by when they open
 * @param budgetEmpty a request had to wait for the retry budget, which is still empty
 * @param heldBack a request had to wait for it since the last retry it allowed
 */
record ReportedState(
    boolean reads,
    boolean writes,
    TreePMap<Wake, LoadBalancerId> balancers,
    boolean budgetEmpty,
    boolean heldBack) {
  static final ReportedState NOTHING =
      new ReportedState(false, false, TreePMap.empty(), false, false);

  /** When the next gate opens that was reported as closed. */
  Optional<Instant> nextOpening(Gates gates) {
    return Stream.of(
            reads ? Optional.of(gates.readsFrom()) : Optional.<Instant>empty(),
            writes ? Optional.of(gates.writesFrom()) : Optional.<Instant>empty(),
            balancers.isEmpty()
                ? Optional.<Instant>empty()
                : Optional.of(balancers.firstKey().at()))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }
}
