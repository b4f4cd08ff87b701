package io.poolkeeper.ops;

import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.RequestIds;
import io.poolkeeper.pool.PoolPicture.Change;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.CauseLine;
import io.poolkeeper.status.NextSteps;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.PoolLog;
import io.poolkeeper.status.Snapshot;
import io.poolkeeper.status.Stages;
import io.poolkeeper.status.Surroundings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One pool in full: the item of {@code /api/v1/pools}, and its explanation. */
final class PoolDetailJson {
  /** What is retried is no failure yet, though its errors are among the events. */
  private static final String AFTER_RETRIES = ", without what is retried";

  private record Fact(String name, String value) {}

  private PoolDetailJson() {}

  /** A pool, its cause and the stages of a change. */
  static JsonObject of(PoolStatus pool, Moment moment) {
    Snapshot snapshot = moment.snapshot();
    Surroundings around = moment.around();
    PoolLine line = PoolLine.of(pool, around);
    PoolLog log = snapshot.recent().log(pool.id());
    return PoolJson.item(pool, around)
        .and("row", PoolJson.row(line, snapshot, moment.now()))
        .and("nodes", line.nodes())
        .and(
            "cause",
            line.cause().map(cause -> CauseJson.of(CauseLine.of(cause, List.of(line)), moment)))
        .and("steps", Stages.of(line))
        .and("entries", pool.picture().entries())
        .and("write", write(pool))
        .and("events", log.entries(), PoolDetailJson::event)
        .and("next", NextSteps.of(line, around))
        .and("error", error(pool, log))
        .and("facts", facts(pool, snapshot.bindings()));
  }

  /** The edit of an attempt at this moment, without holds; empty if there is none. */
  private static Optional<JsonObject> write(PoolStatus pool) {
    PoolEdit edit = pool.picture().written();
    if (edit.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        JsonObject.of("etag", pool.picture().etag())
            .and("add", edit.add().size())
            .and("remove", edit.remove().size())
            .and("set", edit.adminStates().size())
            .and("url", pool.id().path()));
  }

  private static JsonObject event(PoolLog.Entry entry) {
    String level =
        switch (entry.kind()) {
          case CHANGE -> "cluster";
          case WAIT -> "waits";
          case READ, WRITE -> "azure";
        };
    return JsonObject.of("at", entry.at())
        .and("until", entry.until())
        .and("lane", level)
        .and("kind", entry.failure().isPresent() ? "failure" : entry.kind())
        .and("text", entry.text())
        .and("note", entry.failure().map(ArmFailure::toString).orElse(""))
        .and("ids", entry.failure().flatMap(PoolDetailJson::ids))
        .andIf(entry.trace().isPresent(), "trace", entry.trace());
  }

  private static Optional<RequestIds> ids(ArmFailure failure) {
    return Optional.of(failure.ids()).filter(ids -> !ids.equals(RequestIds.NONE));
  }

  /** The last error; empty if the last attempt did not fail. */
  private static Optional<JsonObject> error(PoolStatus pool, PoolLog log) {
    Optional<Instant> at =
        log.entries().stream()
            .filter(entry -> entry.failure().isPresent())
            .findFirst()
            .flatMap(PoolLog.Entry::until);
    return pool.lastError()
        .or(() -> pool.difference().failure())
        .map(
            failure ->
                JsonObject.of("at", at)
                    .and("status", failure.status())
                    .and("code", failure.code())
                    .and("message", failure.message())
                    .and("ids", ids(failure)));
  }

  private static List<Fact> facts(PoolStatus pool, BindingsView bindings) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("Azure id", pool.id().path()));
    facts.add(new Fact("State in the API", pool.state().toString()));
    facts.add(new Fact("Rules", String.join(", ", pool.picture().rules())));
    facts.add(new Fact("Changes queued", Integer.toString(pool.activity().queued())));
    facts.add(new Fact("Retries used", pool.activity().retries().toString()));
    facts.add(new Fact("Failures in a row", pool.picture().failures() + AFTER_RETRIES));
    facts.add(
        new Fact(
            "Writes and failures",
            pool.attempts().writes() + " and " + pool.attempts().failures() + AFTER_RETRIES));
    for (BindingView binding : bindings.of(pool.id())) {
      facts.add(new Fact("Binding", binding.key().toString()));
      binding.admission().reported().forEach(check -> facts.add(fact(check)));
    }
    return facts;
  }

  private static Fact fact(Check check) {
    return new Fact(
        "Check " + check.name(),
        check.state()
            + check.lastTransitionTime().map(at -> " since " + ApiJson.iso(at)).orElse("")
            + (check.message().isEmpty() ? "" : ": " + check.message()));
  }

  /** {@code /api/v1/plan}: the edits of attempts at this moment, without holds. */
  static JsonObject plan(Moment moment) {
    Snapshot snapshot = moment.snapshot();
    Surroundings around = moment.around();
    return JsonObject.of("now", moment.now())
        .and("mode", moment.mode())
        .and("leads", snapshot.knowledge().leads())
        .and("pools", snapshot.pools().size())
        .and(
            "differ",
            snapshot.pools().stream()
                .filter(pool -> !pool.picture().written().isEmpty())
                .map(pool -> differs(PoolLine.of(pool, around)))
                .toList());
  }

  /** A pool, its cause, and the entries that change. */
  private static JsonObject differs(PoolLine line) {
    PoolStatus pool = line.status();
    return JsonObject.of("id", pool.id())
        .and("services", pool.services().keySet())
        .and("etag", pool.picture().etag())
        .and("label", line.label())
        .and("why", line.why())
        .and(
            "entries",
            pool.picture().entries().stream()
                .filter(entry -> entry.change() != Change.KEEP)
                .toList());
  }
}
