package io.poolkeeper.turnstile;

import io.poolkeeper.turnstile.Lanes.Wake;
import java.time.Instant;
import org.pcollections.TreePSet;

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
    TreePSet<Wake> balancers,
    boolean budgetEmpty,
    boolean heldBack) {
  static final ReportedState NOTHING =
      new ReportedState(false, false, TreePSet.empty(), false, false);

  /** When the next gate opens that was reported as closed; {@link Instant#MAX} if none. */
  Instant nextOpening(Gates gates) {
    Instant next = balancers.isEmpty() ? Instant.MAX : balancers.first().at();
    next = reads && gates.readsFrom().isBefore(next) ? gates.readsFrom() : next;
    return writes && gates.writesFrom().isBefore(next) ? gates.writesFrom() : next;
  }
}
