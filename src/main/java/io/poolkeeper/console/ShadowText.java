package io.poolkeeper.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code poolkeeper shadow}: whether to go live, what decides it, and which decisions are open. */
public final class ShadowText {
  private static final int MOST = 20;

  /** What the cloud provider never writes; members and drift are in the table. */
  private static final Map<String, String> APART = new LinkedHashMap<>();

  static {
    APART.put("admin-state", "entries set Down");
    APART.put("node", "nodes tainted");
    APART.put("binding", "bindings");
    APART.put("event", "Events");
  }

  private final Ink ink;
  private final int width;
  private final boolean wide;

  /** In 80 columns, or as wide as it is. */
  public ShadowText(Ink ink, boolean wide) {
    this.ink = ink;
    this.wide = wide;
    width = wide ? Integer.MAX_VALUE : TextLines.WIDTH;
  }

  /** The lines; {@code status} is the answer of {@code /api/v1/status} in shadow mode. */
  public List<String> lines(JsonNode status) {
    Moments at = Moments.of(status);
    JsonNode shadow = status.path("shadow");
    JsonNode verdict = shadow.path("verdict");
    TextLines page = new TextLines(width);
    String tone = verdict.path("ready").asBoolean() ? "ok" : "wait";
    page.line(ink.dim(StatusText.where(status, at))).gap();
    page.line(ink.bold(ink.tone(tone, verdict.path("text").asText())));
    page.wrapped(2, verdict.path("todo").asText());
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
        .lines(width, ink);
  }

  private static String count(JsonNode members, String name) {
    return number(members.path(name).asLong());
  }

  private static String number(long count) {
    return "%,d".formatted(count);
  }

  private static String counted(JsonNode wouldWrite, String time) {
    List<String> counts = new ArrayList<>();
    APART.forEach(
        (kind, name) -> {
          long count = wouldWrite.path(kind).asLong();
          if (count > 0) {
            counts.add("%,d %s".formatted(count, name));
          }
        });
    return "Watched for %s. Not compared, as the cloud provider never writes it: %s."
        .formatted(time, counts.isEmpty() ? "nothing so far" : String.join(", ", counts));
  }

  private void differ(TextLines page, JsonNode differ, Moments at) {
    Table table = new Table("OPEN IN POOL", "SERVICES", "CHANGE", "FOR", "");
    int shown = 0;
    for (JsonNode one : differ) {
      if (shown++ < MOST) {
        boolean missed = one.path("notMet").asBoolean();
        table.row(
            missed ? "need" : "wait",
            StatusText.shortName(one),
            StatusText.words(one.path("services")),
            change(one),
            at.age(one.path("since")),
            missed ? "not met" : "");
      }
    }
    if (shown > 0) {
      page.gap().all(table.lines(width, ink));
    }
    if (shown > MOST) {
      page.line("and %,d more: -o json has all".formatted(shown - MOST));
    }
  }

  private String change(JsonNode one) {
    JsonNode add = one.path("add");
    JsonNode remove = one.path("remove");
    String plus = wide ? StatusText.words(add) : Integer.toString(add.size());
    String minus = wide ? StatusText.words(remove) : Integer.toString(remove.size());
    return ((add.isEmpty() ? "" : "+" + plus) + (remove.isEmpty() ? "" : " -" + minus)).strip();
  }
}
