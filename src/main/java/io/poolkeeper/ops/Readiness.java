package io.poolkeeper.ops;

import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answer of {@code /readyz}.
 *
 * @param ready whether pools can be written; stays true
 * @param why what is missing, or what currently fails
 * @param role whether this replica writes
 */
record Readiness(boolean ready, List<String> why, String role) {
  Readiness {
    why = List.copyOf(why);
  }

  /**
   * Derives the answer. What keeps turns from being granted for a while does not make it unready.
   *
   * @param watchProblems come from the caches' connections
   * @param leaseProblem what is wrong with the shared Lease
   */
  static Readiness of(
      Knowledge knowledge, List<String> watchProblems, Optional<String> leaseProblem) {
    List<String> why = new ArrayList<>(watchProblems);
    for (CacheKind kind : CacheKind.values()) {
      if (!knowledge.synced().contains(kind)) {
        why.add("cache of " + kind + " is not synced yet");
      }
    }
    if (!knowledge.listed()) {
      why.add("load balancers were not listed yet");
    }
    knowledge.listingFailure().ifPresent(failure -> why.add("listing load balancers: " + failure));
    leaseProblem.ifPresent(why::add);
    boolean ready = knowledge.listed() && knowledge.synced().size() == CacheKind.values().length;
    return new Readiness(ready, why, knowledge.leads() ? "leader" : "warm standby");
  }
}
