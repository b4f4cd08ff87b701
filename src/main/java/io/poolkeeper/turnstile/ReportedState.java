package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.TurnstileState.Wake;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.TreePMap;

/**
 * What was reported as begun and is not over yet, so that each thing is reported once, and its end,
 * too.
 *
 * @param reads the subscription's gate for reads was closed
 * @param writes and the one for writes
 * @param balancers gates of load balancers that were closed, by when they open
 * @param budgetEmpty somebody has had to wait for the retry budget, and it still has nothing left
 * @param heldBack somebody has had to wait for it since it let the last retry pass
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
