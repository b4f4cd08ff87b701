package io.poolkeeper.ops;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.turnstile.TurnstileView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

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
   * Derives the answer. Azure or the shared Lease may be away: then a leader says so, and stays
   * ready, as no other replica would be better.
   *
   * @param watchProblems of the caches' connections
   */
  static Readiness of(Snapshot snapshot, List<String> watchProblems, Instant now) {
    Knowledge knowledge = snapshot.knowledge();
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
    snapshot.turnstile().flatMap(TurnstileView::leaseProblem).ifPresent(why::add);
    snapshot
        .turnstile()
        .flatMap(view -> view.gate(true, now))
        .ifPresent(until -> why.add("ARM takes no writes until " + until));
    List<ArmFailure> failures =
        snapshot.pools().stream().flatMap(pool -> pool.lastError().stream()).toList();
    if (!failures.isEmpty()) {
      why.add(
          "%d of %d pools fail, one of them: %s"
              .formatted(failures.size(), snapshot.pools().size(), failures.getFirst()));
    }
    boolean ready = knowledge.listed() && knowledge.synced().size() == CacheKind.values().length;
    return new Readiness(ready, why, knowledge.leads() ? "leader" : "warm standby");
  }
}
