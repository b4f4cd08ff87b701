package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.TurnstileState.Wake;
import org.pcollections.TreePMap;

/**
 * What people were told that is not over yet, so that each thing is told once, and its end, too.
 *
 * @param reads the subscription's gate for reads was closed
 * @param writes and the one for writes
 * @param balancers gates of load balancers that were closed, by when they open
 * @param budgetEmpty somebody has had to wait for the retry budget, and it still has nothing left
 * @param heldBack somebody has had to wait for it since it let the last retry pass
 */
record Told(
    boolean reads,
    boolean writes,
    TreePMap<Wake, LoadBalancerId> balancers,
    boolean budgetEmpty,
    boolean heldBack) {
  static final Told NOTHING = new Told(false, false, TreePMap.empty(), false, false);
}
