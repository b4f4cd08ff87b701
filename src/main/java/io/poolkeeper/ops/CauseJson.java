package io.poolkeeper.ops;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.status.Cause;
import io.poolkeeper.status.CauseLine;
import io.poolkeeper.status.CauseText;
import io.poolkeeper.status.Fix;
import io.poolkeeper.status.MissingRight;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Causes as JSON. The keys of the causes and the names of the members are a contract. */
final class CauseJson {
  /** The pool with the smallest share of right nodes among the wanted ones. */
  private record Smallest(PoolId pool, int right, int wanted) {}

  private CauseJson() {}

  /** A cause. The evidence of a lost watch is this process's own, else the last answer. */
  static JsonObject of(CauseLine line, Moment moment) {
    CauseText text = line.text();
    String evidence =
        line.cause() instanceof Cause.WatchLost lost ? watchProblem(lost, moment) : line.evidence();
    Optional<JsonObject> missing =
        line.cause() instanceof Cause.Refused refused
            ? Optional.of(missing(refused.right()))
            : Optional.empty();
    return JsonObject.of("key", line.cause().key())
        .and("parameters", new TreeMap<>(CauseText.parameters(line.cause())))
        .and("tone", line.cause().tone())
        .and("pools", line.pools())
        .and("since", line.since())
        .and("until", line.until())
        .and("exactness", line.until().map(until -> line.exactness()))
        .and("title", text.title())
        .and("evidence", evidence)
        .and("todo", text.todo())
        .and("more", text.more())
        .and("alert", known(text.alert()))
        .and("runbookUrl", moment.self().runbook(text.alert()))
        .and(
            "fewest",
            line.fewest().map(pool -> new Smallest(pool.pool(), pool.right(), pool.wanted())))
        .and("missing", missing)
        .and("fix", Fix.of(line.cause(), moment.self()));
  }

  /** The first problem of this process with a watch that is lost; empty if it has none. */
  private static String watchProblem(Cause.WatchLost lost, Moment moment) {
    return moment.watchProblems().entrySet().stream()
        .filter(problem -> lost.kinds().contains(problem.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /** The right that Azure says is missing. */
  private static JsonObject missing(MissingRight right) {
    return JsonObject.of("action", right.action())
        .and("scope", right.scope())
        .and("identity", known(right.identity()))
        .and("objectId", known(right.objectId()));
  }

  private static Optional<String> known(String text) {
    return Optional.of(text).filter(known -> !known.isEmpty());
  }
}
