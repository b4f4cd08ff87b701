package io.poolkeeper.ops;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Snapshot;
import io.poolkeeper.turnstile.TurnstileView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The answer of {@code /readyz}. */
final class Readiness {
  private Readiness() {}

  /** Whether pools can be written; stays true once it is. */
  static boolean ready(Knowledge knowledge) {
    return knowledge.listed() && knowledge.synced().size() == CacheKind.values().length;
  }

  /**
   * The answer, with what is missing or fails. A leader that is paused, or that cannot reach Azure
   * or the shared Lease, says so and stays ready, as no other replica would be better.
   */
  static JsonObject of(Moment moment) {
    Snapshot snapshot = moment.snapshot();
    Knowledge knowledge = snapshot.knowledge();
    List<String> why = new ArrayList<>(moment.watchProblems().values());
    for (CacheKind kind : CacheKind.values()) {
      if (!knowledge.synced().contains(kind)) {
        why.add("cache of " + kind + " is not synced yet");
      }
    }
    if (!knowledge.listed()) {
      why.add("load balancers were not listed yet");
    }
    knowledge
        .listingFailure()
        .ifPresentOrElse(
            failure -> why.add("listing load balancers: " + failure),
            () ->
                knowledge
                    .unread()
                    .forEach(
                        (group, of) -> why.add("listing load balancers of " + group + ": " + of)));
    knowledge.unreadable().entrySet().stream()
        .findFirst()
        .map(
            of ->
                "load balancers that cannot be read: %d, one of them %s: %s"
                    .formatted(
                        knowledge.unreadable().size(), of.getKey().path(), of.getValue().why()))
        .ifPresent(why::add);
    snapshot.pause().pause().map(Pause::text).ifPresent(why::add);
    snapshot.pause().ignored().ifPresent(why::add);
    snapshot.turnstile().flatMap(TurnstileView::leaseProblem).ifPresent(why::add);
    snapshot
        .turnstile()
        .flatMap(view -> view.gate(true, moment.now()))
        .ifPresent(until -> why.add("ARM takes no writes until " + until));
    List<ArmFailure> failures =
        snapshot.pools().stream().flatMap(pool -> pool.lastError().stream()).toList();
    if (!failures.isEmpty()) {
      why.add(
          "%d of %d pools fail, one of them: %s"
              .formatted(failures.size(), snapshot.pools().size(), failures.getFirst()));
    }
    Optional<Pause> pause = snapshot.pause().pause();
    return JsonObject.of("ready", ready(knowledge))
        .and("why", why)
        .andIf(pause.isPresent(), "paused", pause.map(Readiness::paused))
        .and("role", knowledge.leads() ? "leader" : "warm standby");
  }

  /** The end of the pause, in the time of day. */
  private static JsonObject paused(Pause pause) {
    return StatusJson.pause(pause).and("until", pause.until().toString());
  }
}
