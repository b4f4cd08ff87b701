package io.poolkeeper.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * {@code poolkeeper status}: the sentence, the causes, and the pools that are behind. If none is
 * behind, the wide form has all pools.
 *
 * @param wide whether lines may be longer than 80 columns
 */
public record StatusText(Ink ink, boolean wide) {
  private static final List<String> ORDER = List.of("need", "move", "wait", "ok");

  private int width() {
    return wide ? Integer.MAX_VALUE : TextLines.WIDTH;
  }

  /** The answers of {@code /api/v1/status}, and the rows of {@code /api/v1/events}. */
  public List<String> lines(JsonNode status, Collection<JsonNode> pools) {
    Moments at = Moments.of(status);
    TextLines page = new TextLines(width());
    head(page, status, at);
    causes(page, status, at);
    pools(page, pools, at);
    nodes(page, status, at);
    return page.lines();
  }

  private void head(TextLines page, JsonNode status, Moments at) {
    JsonNode headline = status.path("headline");
    boolean hurts = status.at("/impact/without").asInt() > 0;
    String tone = hurts ? "need" : text(headline, "tone");
    page.line(ink.dim(where(status, at))).gap();
    TextLines sentence = new TextLines(width());
    sentence.wrapped(0, text(headline, "text") + text(headline, "rest"));
    sentence.lines().forEach(line -> page.line(ink.bold(ink.tone(tone, line))));
    page.wrapped(2, text(headline, "todo") + " " + text(headline, "more"));
    JsonNode until = headline.path("until");
    if (until.isTextual()) {
      String what = text(headline, "untilWhat");
      String left = at.left(until, headline.path("exactness"));
      page.wrapped(2, "%s: %s, %s UTC.".formatted(capital(what), left, at.clock(until)));
    }
    JsonNode pause = status.path("pause");
    if (pause.isObject()) {
      page.wrapped(
          2,
          "Paused until %s UTC%s: %s"
              .formatted(
                  at.clock(pause.path("until")),
                  pause.path("drains").asBoolean() ? ", leaving nodes, too" : "",
                  text(pause, "reason")));
    }
  }

  static String where(JsonNode status, Moments at) {
    boolean leads = status.path("leads").asBoolean();
    return "%s, %s mode, %s %s, %s UTC"
        .formatted(
            text(status, "cluster"),
            text(status, "mode"),
            text(status, "pod"),
            leads ? "leads" : "is on standby",
            at.clock(status.path("now")));
  }

  private void causes(TextLines page, JsonNode status, Moments at) {
    if (status.path("causes").isEmpty()) {
      return;
    }
    page.gap().line(ink.dim("CAUSES"));
    Set<String> shown = new HashSet<>();
    for (JsonNode cause : status.path("causes")) {
      String tone = text(cause, "tone");
      int pools = cause.path("pools").asInt();
      String count = pools == 0 ? "" : pools == 1 ? ", 1 pool" : ", %,d pools".formatted(pools);
      String since = at.age(cause.path("since"));
      String left = at.left(cause.path("until"), cause.path("exactness"));
      String next = tone.equals("need") ? ", next try " : ", goes on ";
      page.wrapped(
          2,
          ink.tone(tone, Ink.sign(tone)),
          ink.tone(tone, text(cause, "title"))
              + count
              + (since.isEmpty() ? "" : ", for " + since)
              + (left.isEmpty() ? "" : next + left));
      page.wrapped(4, evidence(cause));
      if (shown.add(text(cause, "key"))) {
        page.wrapped(4, text(cause, "todo") + " " + text(cause, "more"));
        fixes(page, cause, 4);
      } else {
        page.line("    As above; `poolkeeper explain POOL` has its commands.");
      }
    }
  }

  /** The error behind a cause, and who gave it: Azure, or for a lost watch the API server. */
  private static String evidence(JsonNode cause) {
    String error = text(cause, "evidence");
    return error.isEmpty() ? "" : (isWatch(cause) ? "API server: " : "Azure: ") + error;
  }

  /** The API server's error; what Azure said is a pool's last error. */
  static String watchError(JsonNode cause) {
    return isWatch(cause) ? evidence(cause) : "";
  }

  private static boolean isWatch(JsonNode cause) {
    return text(cause, "key").equals("watch-lost");
  }

  /** Commands are not broken, so that they can be copied. */
  static void fixes(TextLines page, JsonNode cause, int indent) {
    for (JsonNode fix : cause.path("fix")) {
      page.wrapped(indent, text(fix, "text"));
      String command = text(fix, "command");
      command.lines().forEach(line -> page.line(" ".repeat(indent + 2) + line));
    }
    JsonNode alert = cause.path("alert");
    if (alert.isTextual()) {
      String file = "docs/runbook/%s.md".formatted(alert.asText());
      page.line(" ".repeat(indent) + "Runbook: " + cause.path("runbookUrl").asText(file));
    }
  }

  private void pools(TextLines page, Collection<JsonNode> pools, Moments at) {
    List<JsonNode> behind =
        pools.stream()
            .filter(row -> row.path("cause").isTextual())
            .filter(row -> wide || !notManaged(row))
            .sorted(
                Comparator.comparing((JsonNode row) -> row.path("withoutBackend").isEmpty())
                    .thenComparingInt(row -> ORDER.indexOf(text(row, "tone")))
                    .thenComparing(row -> row.path("since").asText("9"))
                    .thenComparing(row -> text(row, "id")))
            .toList();
    boolean noneBehind = behind.stream().allMatch(StatusText::notManaged);
    List<JsonNode> shown = wide && noneBehind ? List.copyOf(pools) : behind;
    if (shown.isEmpty()) {
      return;
    }
    Table table =
        wide
            ? new Table("POOL", "STATE", "NODES", "FOR", "GOES ON", "SERVICES", "WHY", "LAST WRITE")
            : new Table("POOL", "STATE", "NODES", "FOR", "GOES ON");
    Map<String, Long> named =
        shown.stream().collect(Collectors.groupingBy(StatusText::shortName, Collectors.counting()));
    for (JsonNode row : shown) {
      boolean unique = Objects.requireNonNull(named.get(shortName(row))) == 1;
      List<String> cells =
          List.of(
              unique ? shortName(row) : text(row, "id"),
              text(row, "label"),
              nodes(row),
              at.age(row.path("since")),
              at.left(row.path("until"), row.path("exactness")),
              words(row.path("services")),
              text(row, "why"),
              at.clock(row.path("lastWrite")));
      table.row(
          row.path("withoutBackend").isEmpty() ? text(row, "tone") : "need",
          cells.subList(0, wide ? cells.size() : 5).toArray(String[]::new));
    }
    page.gap().all(table.lines(width(), ink));
  }

  private static boolean notManaged(JsonNode row) {
    return text(row, "cause").equals("not-managed");
  }

  /** {@code loadBalancer/pool}: pools of several resource groups may have it. */
  public static String shortName(JsonNode row) {
    return text(row, "loadBalancer") + "/" + text(row, "pool");
  }

  /** {@code 12/14 +2 -1}: 12 of the 14 right nodes are in the pool, 2 are missing, 1 too many. */
  static String nodes(JsonNode row) {
    int add = row.path("add").asInt();
    int remove = row.path("remove").asInt();
    int down = row.path("down").asInt();
    int up = row.path("up").asInt();
    return "%d/%d".formatted(row.path("right").asInt(), row.path("wanted").asInt())
        + (add == 0 ? "" : " +" + add)
        + (remove == 0 ? "" : " -" + remove)
        + (down == 0 ? "" : ", " + down + " to set Down")
        + (up == 0 ? "" : ", " + up + " to set None");
  }

  private void nodes(TextLines page, JsonNode status, Moments at) {
    Table table = new Table("NODE", "STATE", "SIGNAL", "FOR", "POOLS DONE", "GOES ON");
    for (JsonNode node : status.path("nodes")) {
      table.row(
          node.path("pending").isEmpty() ? "ok" : "move",
          text(node, "node"),
          text(node, "state"),
          words(node.path("reasons")),
          at.age(node.path("since")),
          node.path("done").asInt() + "/" + node.path("pools").asInt(),
          at.left(node.path("until"), status.path("none")));
    }
    if (!table.isEmpty()) {
      page.gap().all(table.lines(width(), ink));
    }
    if (status.has("nodesMore")) {
      page.wrapped(0, "and %d more".formatted(status.path("nodesMore").asLong()));
    }
  }

  static String text(JsonNode node, String member) {
    return node.path(member).asText();
  }

  static String words(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(JsonNode::asText)
        .collect(Collectors.joining(", "));
  }

  private static String capital(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
