package io.poolkeeper.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * {@code poolkeeper explain}: why a pool, or a node in its pools, is as it is, and what is next.
 */
public final class ExplainText {
  /** So many entries, and so much of what happened, are shown. */
  private static final int MOST = 15;

  private final Ink ink;

  public ExplainText(Ink ink) {
    this.ink = ink;
  }

  /** Of one pool: {@code /api/v1/pools/LOAD_BALANCER/POOL}. */
  public List<String> pool(JsonNode pool, JsonNode status) {
    Moments at = Moments.of(status);
    JsonNode row = pool.path("row");
    TextLines page = new TextLines(TextLines.WIDTH);
    page.line(ink.bold(row.path("id").asText()));
    page.wrapped(2, StatusText.words(row.path("services"))).gap();
    page.wrapped(0, sentence(pool, at));
    page.gap();
    for (JsonNode stage : pool.path("steps")) {
      boolean stuck = stage.path("state").asText().equals("stuck");
      String line = (stuck ? "> " : "  ") + "%-16s".formatted(stage.path("step").asText());
      page.wrapped(
          18,
          line,
          stage.path("state").asText().equals("after") ? "-" : stage.path("text").asText());
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
    page.line(ink.bold(pool.path("row").path("id").asText()));
    page.wrapped(2, StatusText.words(pool.path("row").path("services")));
    page.wrapped(2, sentence(pool, at));
    next(page, pool, at);
    error(page, pool, at);
    return page.lines();
  }

  private static String sentence(JsonNode pool, Moments at) {
    JsonNode row = pool.path("row");
    String nodes = pool.path("nodes").asText();
    if (!row.path("cause").isTextual()) {
      int wanted = row.path("wanted").asInt();
      int entries = pool.path("entries").size();
      if (row.path("right").asInt() != wanted) {
        return "In sync as far as is known: it %s.".formatted(nodes);
      } else if (wanted > 0) {
        return "In sync: %s.".formatted(wanted == 1 ? "its node is right" : all(wanted));
      }
      String none =
          row.path("services").isEmpty()
              ? "no Service wants nodes here"
              : "it is to have no nodes, and has none";
      return "In sync: %s%s."
          .formatted(none, entries == 0 ? "" : " but %,d entries that stay".formatted(entries));
    }
    String why = row.path("why").asText();
    String since = at.age(row.path("since"));
    return "%s%s%s.%s"
        .formatted(
            row.path("label").asText(),
            since.isEmpty() ? "" : " for " + since,
            why.isEmpty() ? "" : ": " + why,
            row.path("state").asText().equals("OptedOut") ? "" : " It %s.".formatted(nodes));
  }

  private static String all(int wanted) {
    return "all %,d nodes are right".formatted(wanted);
  }

  private void next(TextLines page, JsonNode pool, Moments at) {
    page.gap().line(ink.dim("NEXT"));
    for (JsonNode step : pool.path("next")) {
      String note = step.path("note").asText();
      page.wrapped(
          18,
          "  " + when(step, at),
          step.path("text").asText() + (note.isEmpty() ? "" : ": " + note));
    }
  }

  private static String when(JsonNode step, Moments at) {
    return step.path("at").isTextual()
        ? at.clock(step.path("at")) + (step.path("when").asText().equals("about") ? " about" : "")
        : step.path("when").asText();
  }

  private void difference(TextLines page, JsonNode pool, JsonNode status) {
    int all = pool.path("entries").size();
    if (all > 0) {
      page.gap().line(ink.dim("ENTRIES"));
      List<String> lines = PlanText.entries(pool.path("entries"), ink);
      page.all(lines.subList(0, Math.min(lines.size(), MOST)));
      more(page, all);
    }
    JsonNode write = pool.path("write");
    if (write.isObject()) {
      page.wrapped(
          2,
          "%s: PUT with etag %s, %d added, %d removed, %d set."
              .formatted(
                  status.path("mode").asText().equals("shadow")
                      ? "The write in write mode"
                      : "Next write",
                  write.path("etag").asText().isEmpty()
                      ? "(read first)"
                      : write.path("etag").asText(),
                  write.path("add").asInt(),
                  write.path("remove").asInt(),
                  write.path("set").asInt()));
    }
  }

  private static void more(TextLines page, int all) {
    if (all > MOST) {
      page.line("  and %,d more (-o json shows all)".formatted(all - MOST));
    }
  }

  private void cause(TextLines page, JsonNode pool) {
    JsonNode cause = pool.path("cause");
    if (cause.isObject()) {
      page.gap().line(ink.dim("CAUSE"));
      page.wrapped(2, cause.path("title").asText() + ".");
      page.wrapped(2, StatusText.watchError(cause));
      page.wrapped(2, cause.path("todo").asText() + " " + cause.path("more").asText());
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
    String status = error.path("status").asInt() == 0 ? "" : error.path("status").asText() + " ";
    page.wrapped(
        2,
        (when.isEmpty() ? "" : when + "  ")
            + status
            + error.path("code").asText()
            + ": "
            + error.path("message").asText());
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
            event.path("kind").asText().equals("failure") ? "need" : "ok",
            "  " + at.clock(event.path("at")),
            event.path("lane").asText(),
            event.path("text").asText(),
            event.path("note").asText());
      }
    }
    if (!table.isEmpty()) {
      page.gap().line(ink.dim("LATELY, THE NEWEST FIRST")).all(table.lines(TextLines.WIDTH, ink));
      more(page, pool.path("events").size());
    }
  }

  private List<String> facts(JsonNode pool) {
    TextLines page = new TextLines(Integer.MAX_VALUE).line(ink.dim("FACTS"));
    pool.path("facts")
        .forEach(
            fact ->
                page.wrapped(22, "  " + fact.path("name").asText(), fact.path("value").asText()));
    return page.lines();
  }

  /** Of a node: {@code /api/v1/nodes/NODE}. */
  public List<String> node(JsonNode node, JsonNode status) {
    Moments at = Moments.of(status);
    TextLines page =
        new TextLines(TextLines.WIDTH).line(ink.bold(node.path("node").asText())).gap();
    String reasons = StatusText.words(node.path("reasons"));
    String since = at.age(node.path("since"));
    page.wrapped(
        0,
        node.path("state").asText()
            + (reasons.isEmpty() ? "" : " (" + reasons + ")")
            + (since.isEmpty() ? "" : ", for " + since)
            + ": "
            + verdict(node));
    Table table = new Table("POOL", "ENTRIES", "STATE", "WHY", "GOES ON");
    for (JsonNode pool : node.path("pools")) {
      boolean pending = pool.path("pending").asBoolean();
      String why = pool.path("held").asBoolean() ? "kept by min-active" : pool.path("why").asText();
      table.row(
          pending ? "move" : "ok",
          pool.path("id").asText(),
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
    if (node.path("state").asText().equals("Waiting")) {
      return "events announce its eviction, no condition confirms it, and as many nodes are tainted"
          + " for events as spot.max-tainted allows.";
    }
    int all = node.path("pools").size();
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
    String pools = all == 1 ? "its one pool shows" : "all its %,d pools show".formatted(all);
    return pending == 0
        ? "%s it as it should.%s".formatted(pools, kept)
        : "%,d of its %,d pools still %s to be written.%s"
            .formatted(pending, all, pending == 1 ? "has" : "have", kept);
  }
}
