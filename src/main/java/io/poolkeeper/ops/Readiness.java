package io.poolkeeper.ops;

import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Snapshot;
import java.time.Instant;
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
    Reason(String name) {
      this(name, name);
    }
  }

  /** How much of the reasons an answer has: texts come from Azure, the API server and people. */
  enum Detail {
    NAMES,
    TEXTS
  }

  /**
   * The answer. A leader that is paused, or that cannot reach Azure or the shared Lease, says so
   * and stays ready, as no other replica would be better.
   */
  static JsonObject of(Moment moment, Detail detail) {
    Snapshot snapshot = moment.snapshot();
    boolean texts = detail == Detail.TEXTS;
    Optional<Pause> pause = texts ? snapshot.pause().pause() : Optional.empty();
    return JsonObject.of("ready", ready(snapshot.knowledge()))
        .and("why", reasons(moment).stream().map(texts ? Reason::text : Reason::name).toList())
        .andIf(pause.isPresent(), "paused", pause.map(Readiness::paused))
        .and("role", snapshot.knowledge().leads() ? "leader" : "warm standby");
  }

  private static List<Reason> reasons(Moment moment) {
    Snapshot snapshot = moment.snapshot();
    List<Reason> why = new ArrayList<>();
    moment.watchProblems().forEach((kind, text) -> why.add(new Reason("watch of " + kind, text)));
    knowledge(snapshot.knowledge(), why);
    PauseView pause = snapshot.pause();
    pause.pause().ifPresent(active -> why.add(new Reason("paused", active.text())));
    pause.ignored().ifPresent(reason -> why.add(new Reason("a pause is ignored", reason)));
    if (snapshot.rateLimiter().isPresent()) {
      RateLimiterView view = snapshot.rateLimiter().get();
      view.leaseProblem().ifPresent(problem -> why.add(new Reason("the shared Lease", problem)));
      Optional<Instant> gate = view.gate(true, moment.now());
      String throttled = "ARM takes no writes";
      gate.ifPresent(until -> why.add(new Reason(throttled, throttled + " until " + until)));
    }
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
        why.add(new Reason("cache of " + kind + " is not synced yet"));
      }
    }
    if (!knowledge.listed()) {
      why.add(new Reason("load balancers were not listed yet"));
    }
    String listing = "listing load balancers";
    if (knowledge.listingFailure().isPresent()) {
      why.add(new Reason(listing, listing + ": " + knowledge.listingFailure().get()));
    } else {
      String text = listing + " of %s: %s";
      knowledge
          .unread()
          .forEach((group, error) -> why.add(new Reason(listing, text.formatted(group, error))));
    }
    if (!knowledge.unreadable().isEmpty()) {
      var first = knowledge.unreadable().entrySet().iterator().next();
      String count =
          "load balancers that cannot be read: %d".formatted(knowledge.unreadable().size());
      String example =
          "one of them %s: %s".formatted(first.getKey().path(), first.getValue().why());
      why.add(new Reason(count, count + ", " + example));
    }
  }

  /** The end of the pause, in the time of day. */
  private static JsonObject paused(Pause pause) {
    return StatusJson.pause(pause).and("until", pause.until().toString());
  }
}
