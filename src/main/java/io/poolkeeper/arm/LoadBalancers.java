package io.poolkeeper.arm;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Lists load balancers. Futures fail with {@link ArmException} only; none stays open for ever. */
public interface LoadBalancers {
  /**
   * All load balancers of the configured resource group, page by page, and those of other groups. A
   * group that cannot be listed does not affect the others; the call fails if none can be.
   *
   * @param groups the others, names folded
   * @param deadline monotonic; later no group is listed
   */
  CompletionStage<Listing> list(Set<String> groups, Instant deadline);
}
