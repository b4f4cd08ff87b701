package io.poolkeeper.ops;

import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Snapshot;
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
   * What is missing or fails.
   *
   * @param name without any text that comes from elsewhere, such as an error, a name or a reason
   */
  private record Reason(String name, String text) {
    private static Reason of(String name, String error) {
      return new Reason(name, "%s: %s".formatted(name, error));
    }
  }

  /**
   * The answer. A leader that is paused, or that cannot reach Azure or the shared Lease, says so
   * and stays ready, as no other replica would be better.
   *
   * @param whole whether it has texts of Azure, of the API server and of people
   */
  static JsonObject of(Moment moment, boolean whole) {
    Snapshot snapshot = moment.snapshot();
    Optional<Pause> pause = snapshot.pause().pause().filter(any -> whole);
    return JsonObject.of("ready", ready(snapshot.knowledge()))
        .and("why", reasons(moment).stream().map(whole ? Reason::text : Reason::name).toList())
        .andIf(pause.isPresent(), "paused", pause.map(Readiness::paused))
        .and("role", snapshot.knowledge().leads() ? "leader" : "warm standby");
  }

  private static List<Reason> reasons(Moment moment) {
    Snapshot snapshot = moment.snapshot();
    List<Reason> why = new ArrayList<>();
    moment
        .watchProblems()
        .forEach((kind, text) -> why.add(new Reason("watch of %s".formatted(kind), text)));
    knowledge(snapshot.knowledge(), why);
    PauseView pause = snapshot.pause();
    pause.pause().ifPresent(of -> why.add(new Reason("paused", of.text())));
    pause.ignored().ifPresent(of -> why.add(new Reason("a pause is ignored", of)));
    Optional<RateLimiterView> rateLimiter = snapshot.rateLimiter();
    rateLimiter
        .flatMap(RateLimiterView::leaseProblem)
        .ifPresent(of -> why.add(new Reason("the shared Lease", of)));
    rateLimiter
        .flatMap(view -> view.gate(true, moment.now()))
        .ifPresent(
            until -> {
              String throttled = "ARM takes no writes";
              why.add(new Reason(throttled, throttled + " until " + until));
            });
    List<ArmFailure> failures =
        snapshot.pools().stream().flatMap(pool -> pool.lastError().stream()).toList();
    if (!failures.isEmpty()) {
      String failing = "%d of %d pools fail".formatted(failures.size(), snapshot.pools().size());
      why.add(new Reason(failing, failing + ", one of them: " + failures.getFirst()));
    }
    return why;
  }

  private static void knowledge(Knowledge knowledge, List<Reason> why) {
    for (CacheKind kind : CacheKind.values()) {
      if (!knowledge.synced().contains(kind)) {
        String missing = "cache of " + kind + " is not synced yet";
        why.add(new Reason(missing, missing));
      }
    }
    if (!knowledge.listed()) {
      String missing = "load balancers were not listed yet";
      why.add(new Reason(missing, missing));
    }
    String listing = "listing load balancers";
    knowledge
        .listingFailure()
        .ifPresentOrElse(
            failure -> why.add(Reason.of(listing, failure.toString())),
            () ->
                knowledge
                    .unread()
                    .forEach(
                        (group, of) ->
                            why.add(
                                new Reason(
                                    listing, "%s of %s: %s".formatted(listing, group, of)))));
    knowledge.unreadable().entrySet().stream()
        .findFirst()
        .ifPresent(
            of -> {
              String count =
                  "load balancers that cannot be read: %d".formatted(knowledge.unreadable().size());
              why.add(
                  new Reason(
                      count,
                      "%s, one of them %s: %s"
                          .formatted(count, of.getKey().path(), of.getValue().why())));
            });
  }

  /** The end of the pause, in the time of day. */
  private static JsonObject paused(Pause pause) {
    return StatusJson.pause(pause).and("until", pause.until().toString());
  }
}
