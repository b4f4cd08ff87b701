package io.poolkeeper.console;

import static io.poolkeeper.console.StatusText.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code poolkeeper shadow}: whether to go live, what decides it, and which decisions are open.
 *
 * @param wide whether lines may be longer than 80 columns
 */
public record ShadowText(Ink ink, boolean wide) {
  private static final int MOST = 20;

  /** The names of what the cloud provider never writes; members and drift are in the table. */
  private static final List<Map.Entry<String, String>> NOT_COMPARED =
      List.of(
          Map.entry("admin-state", "entries set Down"),
          Map.entry("node", "nodes tainted"),
          Map.entry("binding", "bindings"),
          Map.entry("event", "Events"));

  private int width() {
    return wide ? Integer.MAX_VALUE : TextLines.WIDTH;
  }

  /** The lines; {@code status} is the answer of {@code /api/v1/status} in shadow mode. */
  public List<String> lines(JsonNode status) {
    Moments at = Moments.of(status);
    JsonNode shadow = status.path("shadow");
    JsonNode verdict = shadow.path("verdict");
    TextLines page = new TextLines(width());
    String tone = verdict.path("ready").asBoolean() ? "ok" : "wait";
    page.line(ink.dim(StatusText.where(status, at))).gap();
    page.line(ink.bold(ink.tone(tone, text(verdict, "text"))));
    page.wrapped(2, text(verdict, "todo"));
    page.gap().all(members(shadow.path("members")));
    page.gap().wrapped(0, counted(shadow.path("wouldWrite"), at.age(shadow.path("since"))));
    differ(page, shadow.path("differ"), at);
    String bindings = StatusText.words(shadow.path("waitForFinalizer"));
    if (!bindings.isEmpty()) {
      page.gap().wrapped(0, "Bindings that wait for an installation in write mode: " + bindings);
    }
    return page.lines();
  }

  private List<String> members(JsonNode members) {
    JsonNode median = members.path("medianSeconds");
    String half = median.isNumber() ? ", half in %d s".formatted(median.asLong()) : "";
    long met = members.path("met").asLong();
    long slow = members.path("slow").asLong();
    long missed = members.path("notMet").asLong();
    String longer = slow == 0 ? "" : ", %,d for longer".formatted(slow);
    return new Table("MEMBERS", "COUNT", "TO GO LIVE", "MEANS")
        .row(
            met > 0 ? "ok" : "wait", "met", number(met), "1 or more", "the same was written" + half)
        .row("ok", "superseded", count(members, "superseded"), "any", "not wanted any more")
        .row(
            slow == 0 ? "ok" : "wait",
            "open",
            count(members, "due"),
            "none for over 1 min",
            "neither so far" + longer)
        .row(missed == 0 ? "ok" : "need", "not met", number(missed), "none", "neither in 10 min")
        .lines(width(), ink);
  }

  private static String count(JsonNode members, String name) {
    return number(members.path(name).asLong());
  }

  private static String number(long count) {
    return "%,d".formatted(count);
  }

  private static String counted(JsonNode wouldWrite, String time) {
    List<String> counts = new ArrayList<>();
    for (Map.Entry<String, String> kind : NOT_COMPARED) {
      long count = wouldWrite.path(kind.getKey()).asLong();
      if (count > 0) {
        counts.add("%,d %s".formatted(count, kind.getValue()));
      }
    }
    return "Watched for %s. Not compared, as the cloud provider never writes it: %s."
        .formatted(time, counts.isEmpty() ? "nothing so far" : String.join(", ", counts));
  }

  private void differ(TextLines page, JsonNode differ, Moments at) {
    Table table = new Table("OPEN IN POOL", "SERVICES", "CHANGE", "FOR", "");
    int shown = 0;
    for (JsonNode open : differ) {
      if (shown++ < MOST) {
        boolean missed = open.path("notMet").asBoolean();
        table.row(
            missed ? "need" : "wait",
            StatusText.shortName(open),
            StatusText.words(open.path("services")),
            change(open),
            at.age(open.path("since")),
            missed ? "not met" : "");
      }
    }
    if (shown > 0) {
      page.gap().all(table.lines(width(), ink));
    }
    if (shown > MOST) {
      page.line("and %,d more: -o json has all".formatted(shown - MOST));
    }
  }

  private String change(JsonNode open) {
    JsonNode add = open.path("add");
    JsonNode remove = open.path("remove");
    String plus = wide ? StatusText.words(add) : Integer.toString(add.size());
    String minus = wide ? StatusText.words(remove) : Integer.toString(remove.size());
    return ((add.isEmpty() ? "" : "+" + plus) + (remove.isEmpty() ? "" : " -" + minus)).strip();
  }
}
