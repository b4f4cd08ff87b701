package io.poolkeeper.arm;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Lists load balancers. No future fails, and none stays open for ever. */
public interface LoadBalancers {
  /**
   * All load balancers of the configured resource group and of other groups, page by page, several
   * groups at once. For each there are its load balancers, or a failure that affects no other.
   *
   * @param groups the others, names folded
   * @param deadline monotonic; later no group is listed
   */
  CompletionStage<Listing> list(Set<String> groups, Instant deadline);
}
