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
 */
public final class StatusText {
  private static final List<String> ORDER = List.of("need", "move", "wait", "ok");

  private final Ink ink;
  private final int width;
  private final boolean wide;

  /** In 80 columns, or as wide as it is. */
  public StatusText(Ink ink, boolean wide) {
    this.ink = ink;
    this.wide = wide;
    width = wide ? Integer.MAX_VALUE : TextLines.WIDTH;
  }

  /** The answers of {@code /api/v1/status}, and the rows of {@code /api/v1/events}. */
  public List<String> lines(JsonNode status, Collection<JsonNode> pools) {
    Moments at = Moments.of(status);
    TextLines page = new TextLines(width);
    head(page, status, at);
    causes(page, status, at);
    pools(page, pools, at);
    nodes(page, status, at);
    return page.lines();
  }

  private void head(TextLines page, JsonNode status, Moments at) {
    JsonNode headline = status.path("headline");
    boolean hurts = status.at("/impact/without").asInt() > 0;
    String tone = hurts ? "need" : headline.path("tone").asText();
    page.line(ink.dim(where(status, at))).gap();
    TextLines sentence = new TextLines(width);
    sentence.wrapped(0, headline.path("text").asText() + headline.path("rest").asText());
    sentence.lines().forEach(line -> page.line(ink.bold(ink.tone(tone, line))));
    page.wrapped(2, headline.path("todo").asText() + " " + headline.path("more").asText());
    JsonNode until = headline.path("until");
    if (until.isTextual()) {
      String what = headline.path("untilWhat").asText();
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
                  pause.path("reason").asText()));
    }
  }

  static String where(JsonNode status, Moments at) {
    boolean leads = status.path("leads").asBoolean();
    return "%s, %s mode, %s %s, %s UTC"
        .formatted(
            status.path("cluster").asText(),
            status.path("mode").asText(),
            status.path("pod").asText(),
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
      String tone = cause.path("tone").asText();
      int pools = cause.path("pools").asInt();
      String count = pools == 0 ? "" : pools == 1 ? ", 1 pool" : ", %,d pools".formatted(pools);
      String since = at.age(cause.path("since"));
      String left = at.left(cause.path("until"), cause.path("exactness"));
      page.wrapped(
          2,
          ink.tone(tone, Ink.sign(tone)),
          ink.tone(tone, cause.path("title").asText())
              + count
              + (since.isEmpty() ? "" : ", for " + since)
              + (left.isEmpty()
                  ? ""
                  : (tone.equals("need") ? ", next try " : ", goes on ") + left));
      page.wrapped(4, evidence(cause));
      if (shown.add(cause.path("key").asText())) {
        page.wrapped(4, cause.path("todo").asText() + " " + cause.path("more").asText());
        fixes(page, cause, 4);
      } else {
        page.line("    As above; `poolkeeper explain POOL` has its commands.");
      }
    }
  }

  /** Who said what; all but a lost watch is said by Azure. */
  private static String evidence(JsonNode cause) {
    String said = cause.path("evidence").asText();
    return said.isEmpty() ? "" : (isWatch(cause) ? "API server: " : "Azure: ") + said;
  }

  /** The API server's error; what Azure said is a pool's last error. */
  static String watchError(JsonNode cause) {
    return isWatch(cause) ? evidence(cause) : "";
  }

  private static boolean isWatch(JsonNode cause) {
    return cause.path("key").asText().equals("watch-lost");
  }

  /** Commands are not broken, so that they can be copied. */
  static void fixes(TextLines page, JsonNode cause, int indent) {
    for (JsonNode fix : cause.path("fix")) {
      page.wrapped(indent, fix.path("text").asText());
      fix.path("command")
          .asText()
          .lines()
          .forEach(line -> page.line(" ".repeat(indent + 2) + line));
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
                    .thenComparingInt(row -> ORDER.indexOf(row.path("tone").asText()))
                    .thenComparing(row -> row.path("since").asText("9"))
                    .thenComparing(row -> row.path("id").asText()))
            .toList();
    boolean all = wide && behind.stream().allMatch(StatusText::notManaged);
    List<JsonNode> shown = all ? List.copyOf(pools) : behind;
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
              unique ? shortName(row) : row.path("id").asText(),
              row.path("label").asText(),
              nodes(row),
              at.age(row.path("since")),
              at.left(row.path("until"), row.path("exactness")),
              words(row.path("services")),
              row.path("why").asText(),
              at.clock(row.path("lastWrite")));
      table.row(
          row.path("withoutBackend").isEmpty() ? row.path("tone").asText() : "need",
          cells.subList(0, wide ? cells.size() : 5).toArray(String[]::new));
    }
    page.gap().all(table.lines(width, ink));
  }

  private static boolean notManaged(JsonNode row) {
    return row.path("cause").asText().equals("not-managed");
  }

  /** {@code loadBalancer/pool}: pools of several resource groups may have it. */
  public static String shortName(JsonNode row) {
    return row.path("loadBalancer").asText() + "/" + row.path("pool").asText();
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
          node.path("node").asText(),
          node.path("state").asText(),
          words(node.path("reasons")),
          at.age(node.path("since")),
          node.path("done").asInt() + "/" + node.path("pools").asInt(),
          at.left(node.path("until"), status.path("none")));
    }
    if (!table.isEmpty()) {
      page.gap().all(table.lines(width, ink));
    }
    if (status.has("nodesMore")) {
      page.wrapped(0, "and %d more".formatted(status.path("nodesMore").asLong()));
    }
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
