package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.turnstile.TurnstileView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /readyz}.
 *
 * @param ready whether pools can be written; stays true
 * @param why what is missing, or what currently fails
 * @param paused what is paused; left out if nothing is
 * @param role whether this replica writes
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Readiness(boolean ready, List<String> why, @Nullable Paused paused, String role) {
  /** The annotations that pause: until when, why, and whether drains wait, too. */
  record Paused(String until, String reason, boolean drains) {
    static Paused of(Pause pause) {
      return new Paused(pause.until().toString(), pause.reason(), pause.drains());
    }
  }

  Readiness {
    why = List.copyOf(why);
  }

  /**
   * Derives the answer. All may be paused, Azure or the shared Lease may be away: then a leader
   * says so, and stays ready, as no other replica would be better.
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
    snapshot.pause().pause().map(Pause::text).ifPresent(why::add);
    snapshot.pause().ignored().ifPresent(why::add);
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
    @Nullable Paused paused = snapshot.pause().pause().map(Paused::of).orElse(null);
    return new Readiness(ready, why, paused, knowledge.leads() ? "leader" : "warm standby");
  }
}
