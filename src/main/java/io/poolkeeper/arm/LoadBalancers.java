package io.poolkeeper.arm;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Lists load balancers. Futures fail with {@link ArmException} only; none stays open for ever. */
public interface LoadBalancers {
  /**
   * All load balancers of the configured resource group, every page of them, and those of other
   * groups. A group that cannot be listed does the others no harm; it fails if none can.
   *
   * @param groups the others, names folded
   * @param deadline monotonic; a group that is not listed by then cannot be
   */
  CompletionStage<Listing> list(Set<String> groups, Instant deadline);
}
