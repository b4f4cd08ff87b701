package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.status.Cause;
import io.poolkeeper.status.CauseLine;
import io.poolkeeper.status.Fix;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.MissingRight;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cause; the names of its members are a contract, as are the keys.
 *
 * @param evidence what shows it: the last answer
 * @param alert the name of the alert that fires for it; null if none does
 * @param fewest the pool with the smallest part of its nodes; null if all have all
 * @param missing the right that Azure says is missing; null if it says nothing of the kind
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record CauseJson(
    String key,
    Map<String, String> parameters,
    String tone,
    int pools,
    @Nullable String since,
    @Nullable String until,
    @Nullable String exactness,
    String title,
    String evidence,
    String todo,
    String more,
    @Nullable String alert,
    @Nullable Fewest fewest,
    @Nullable Missing missing,
    List<Fix> fix) {
  /** How many of the wanted nodes a pool has. */
  record Fewest(String pool, int right, int wanted) {}

  /** The identity and the object id are null if Azure does not say them. */
  record Missing(
      String action, String scope, @Nullable String identity, @Nullable String objectId) {
    static Missing of(MissingRight right) {
      return new Missing(
          right.action(), right.scope(), orNull(right.identity()), orNull(right.objectId()));
    }
  }

  /**
   * A cause in JSON.
   *
   * @param watchProblems of this process's connections; the first is what shows a lost watch
   */
  static CauseJson of(CauseLine line, List<String> watchProblems, Installation self) {
    String evidence =
        line.cause() instanceof Cause.WatchLost
            ? watchProblems.stream().findFirst().orElse("")
            : line.evidence();
    return new CauseJson(
        line.cause().key(),
        line.parameters(),
        Labels.of(line.cause().tone()),
        line.pools(),
        Times.iso(line.since()),
        Times.iso(line.until()),
        line.until().map(any -> Labels.of(line.exactness())).orElse(null),
        line.text().title(),
        evidence,
        line.text().todo(),
        line.text().more(),
        orNull(line.text().alert()),
        line.fewest()
            .map(few -> new Fewest(RowJson.id(few.pool()), few.right(), few.wanted()))
            .orElse(null),
        line.cause() instanceof Cause.Refused refused ? Missing.of(refused.right()) : null,
        line.fix(self));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
