package io.poolkeeper.console;

import static io.poolkeeper.console.StatusText.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * {@code poolkeeper explain}: why a pool, or a node in its pools, is as it is, and what is next.
 */
public record ExplainText(Ink ink) {
  /** The maximum of entries that are shown, and of events. */
  private static final int MOST = 15;

  /** Of one pool: {@code /api/v1/pools/LOAD_BALANCER/POOL}. */
  public List<String> pool(JsonNode pool, JsonNode status) {
    Moments at = Moments.of(status);
    JsonNode row = pool.path("row");
    TextLines page = new TextLines(TextLines.WIDTH);
    page.line(ink.bold(text(row, "id")));
    page.wrapped(2, StatusText.words(row.path("services"))).gap();
    page.wrapped(0, sentence(pool, at));
    page.gap();
    for (JsonNode stage : pool.path("steps")) {
      boolean stuck = text(stage, "state").equals("stuck");
      String line = (stuck ? "> " : "  ") + "%-16s".formatted(text(stage, "step"));
      boolean after = text(stage, "state").equals("after");
      page.wrapped(18, line, after ? "-" : text(stage, "text"));
    }
    next(page, pool, at);
    difference(page, pool, status);
    cause(page, pool);
    error(page, pool, at);
    lately(page, pool, at);
    return page.gap().all(facts(pool)).lines();
  }

  /** The same in short. */
  public List<String> brief(JsonNode pool, JsonNode status) {
    Moments at = Moments.of(status);
    TextLines page = new TextLines(TextLines.WIDTH);
    page.line(ink.bold(text(pool.path("row"), "id")));
    page.wrapped(2, StatusText.words(pool.path("row").path("services")));
    page.wrapped(2, sentence(pool, at));
    next(page, pool, at);
    error(page, pool, at);
    return page.lines();
  }

  private static String sentence(JsonNode pool, Moments at) {
    JsonNode row = pool.path("row");
    String nodes = text(pool, "nodes");
    if (!row.path("cause").isTextual()) {
      int wanted = row.path("wanted").asInt();
      int entries = pool.path("entries").size();
      if (row.path("right").asInt() != wanted) {
        return "In sync as far as is known: it %s.".formatted(nodes);
      } else if (wanted > 0) {
        return "In sync: %s."
            .formatted(
                wanted == 1 ? "its node is right" : "all %,d nodes are right".formatted(wanted));
      }
      String none =
          row.path("services").isEmpty()
              ? "no Service wants nodes here"
              : "it is to have no nodes, and has none";
      return "In sync: %s%s."
          .formatted(none, entries == 0 ? "" : " but %,d entries that stay".formatted(entries));
    }
    String why = text(row, "why");
    String since = at.age(row.path("since"));
    return "%s%s%s.%s"
        .formatted(
            text(row, "label"),
            since.isEmpty() ? "" : " for " + since,
            why.isEmpty() ? "" : ": " + why,
            text(row, "state").equals("OptedOut") ? "" : " It %s.".formatted(nodes));
  }

  private void next(TextLines page, JsonNode pool, Moments at) {
    page.gap().line(ink.dim("NEXT"));
    for (JsonNode step : pool.path("next")) {
      String note = text(step, "note");
      page.wrapped(
          18, "  " + when(step, at), text(step, "text") + (note.isEmpty() ? "" : ": " + note));
    }
  }

  private static String when(JsonNode step, Moments at) {
    return step.path("at").isTextual()
        ? at.clock(step.path("at")) + (text(step, "when").equals("about") ? " about" : "")
        : text(step, "when");
  }

  private void difference(TextLines page, JsonNode pool, JsonNode status) {
    int entries = pool.path("entries").size();
    if (entries > 0) {
      page.gap().line(ink.dim("ENTRIES"));
      List<String> lines = PlanText.entries(pool.path("entries"), ink);
      page.all(lines.subList(0, Math.min(lines.size(), MOST)));
      more(page, entries);
    }
    JsonNode write = pool.path("write");
    if (write.isObject()) {
      boolean shadow = text(status, "mode").equals("shadow");
      String etag = text(write, "etag");
      page.wrapped(
          2,
          "%s: PUT with etag %s, %d added, %d removed, %d set."
              .formatted(
                  shadow ? "The write in write mode" : "Next write",
                  etag.isEmpty() ? "(read first)" : etag,
                  write.path("add").asInt(),
                  write.path("remove").asInt(),
                  write.path("set").asInt()));
    }
  }

  private static void more(TextLines page, int total) {
    if (total > MOST) {
      page.line("  and %,d more (-o json shows all)".formatted(total - MOST));
    }
  }

  private void cause(TextLines page, JsonNode pool) {
    JsonNode cause = pool.path("cause");
    if (cause.isObject()) {
      page.gap().line(ink.dim("CAUSE"));
      page.wrapped(2, text(cause, "title") + ".");
      page.wrapped(2, StatusText.watchError(cause));
      page.wrapped(2, text(cause, "todo") + " " + text(cause, "more"));
      StatusText.fixes(page, cause, 2);
    }
  }

  private void error(TextLines page, JsonNode pool, Moments at) {
    JsonNode error = pool.path("error");
    if (!error.isObject()) {
      return;
    }
    page.gap().line(ink.dim("LAST ERROR"));
    String when = at.clock(error.path("at"));
    String status = error.path("status").asInt() == 0 ? "" : text(error, "status") + " ";
    page.wrapped(
        2,
        (when.isEmpty() ? "" : when + "  ")
            + status
            + text(error, "code")
            + ": "
            + text(error, "message"));
    error
        .path("ids")
        .properties()
        .forEach(
            id -> {
              if (!id.getValue().asText().isEmpty()) {
                page.line("  %-12s %s".formatted(id.getKey(), id.getValue().asText()));
              }
            });
  }

  private void lately(TextLines page, JsonNode pool, Moments at) {
    Table table = new Table("", "", "", "");
    int shown = 0;
    for (JsonNode event : pool.path("events")) {
      if (shown++ < MOST) {
        table.row(
            text(event, "kind").equals("failure") ? "need" : "ok",
            "  " + at.clock(event.path("at")),
            text(event, "lane"),
            text(event, "text"),
            text(event, "note"));
      }
    }
    if (!table.isEmpty()) {
      page.gap().line(ink.dim("LATELY, THE NEWEST FIRST")).all(table.lines(TextLines.WIDTH, ink));
      more(page, pool.path("events").size());
    }
  }

  private List<String> facts(JsonNode pool) {
    TextLines page = new TextLines(Integer.MAX_VALUE).line(ink.dim("FACTS"));
    for (JsonNode fact : pool.path("facts")) {
      page.wrapped(22, "  " + text(fact, "name"), text(fact, "value"));
    }
    return page.lines();
  }

  /** Of a node: {@code /api/v1/nodes/NODE}. */
  public List<String> node(JsonNode node, JsonNode status) {
    Moments at = Moments.of(status);
    TextLines page = new TextLines(TextLines.WIDTH).line(ink.bold(text(node, "node"))).gap();
    String reasons = StatusText.words(node.path("reasons"));
    String since = at.age(node.path("since"));
    page.wrapped(
        0,
        text(node, "state")
            + (reasons.isEmpty() ? "" : " (" + reasons + ")")
            + (since.isEmpty() ? "" : ", for " + since)
            + ": "
            + verdict(node));
    Table table = new Table("POOL", "ENTRIES", "STATE", "WHY", "GOES ON");
    for (JsonNode pool : node.path("pools")) {
      boolean pending = pool.path("pending").asBoolean();
      String why = pool.path("held").asBoolean() ? "kept by min-active" : text(pool, "why");
      table.row(
          pending ? "move" : "ok",
          text(pool, "id"),
          PlanText.state(StatusText.words(pool.path("states"))),
          pending ? "to be written" : "as it should be",
          pending || pool.path("held").asBoolean() ? why : "",
          pending ? at.left(pool.path("until"), status.path("none")) : "");
    }
    page.gap().all(table.lines(TextLines.WIDTH, ink));
    String error = node.path("lastError").asText("");
    return page.gap().wrapped(0, error.isEmpty() ? "" : "Last error: " + error).lines();
  }

  private static String verdict(JsonNode node) {
    if (text(node, "state").equals("Waiting")) {
      return "events announce its eviction, no condition confirms it, and as many nodes are tainted"
          + " for events as spot.max-tainted allows.";
    }
    int pools = node.path("pools").size();
    int pending = 0;
    int held = 0;
    for (JsonNode pool : node.path("pools")) {
      pending += pool.path("pending").asBoolean() ? 1 : 0;
      held += pool.path("held").asBoolean() ? 1 : 0;
    }
    String kept =
        held == 0
            ? ""
            : " %,d %s it in service (min-active)."
                .formatted(held, held == 1 ? "pool keeps" : "pools keep");
    String show = pools == 1 ? "its one pool shows" : "all its %,d pools show".formatted(pools);
    return pending == 0
        ? "%s it as it should.%s".formatted(show, kept)
        : "%,d of its %,d pools still %s to be written.%s"
            .formatted(pending, pools, pending == 1 ? "has" : "have", kept);
  }
}
