package io.poolkeeper.console;

import static io.poolkeeper.console.StatusText.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** {@code poolkeeper plan}: what would be written now, as a diff per pool. */
public record PlanText(Ink ink) {
  private static final String NONE = "None";

  /** The lines; {@code plan} is the answer of {@code /api/v1/plan}. */
  public List<String> lines(JsonNode plan) {
    TextLines page = new TextLines(TextLines.WIDTH);
    int all = plan.path("pools").asInt();
    int differ = plan.path("differ").size();
    if (differ == 0) {
      return page.line("Nothing would be written: all %,d pools are in sync.".formatted(all))
          .lines();
    }
    page.line(
        "%,d of %,d pools would be written%s."
            .formatted(differ, all, text(plan, "mode").equals("shadow") ? ", in write mode" : ""));
    for (JsonNode pool : plan.path("differ")) {
      page.gap().line(ink.bold(text(pool, "id")));
      page.wrapped(2, StatusText.words(pool.path("services")));
      String why = text(pool, "why");
      page.wrapped(2, text(pool, "label") + (why.isEmpty() ? "" : ": " + why));
      page.all(entries(pool.path("entries"), ink));
    }
    return page.lines();
  }

  /** An admin state is said if it changes, or is not the usual one. */
  private static String states(JsonNode entry, String change) {
    String is = state(entry.path("state").asText(""));
    String wanted = state(entry.path("wanted").asText(""));
    return switch (change) {
      case "set" -> is + " to " + wanted;
      case "add" -> wanted.equals(NONE) ? "" : wanted;
      case "keep" -> is.equals(NONE) ? "" : is;
      default -> "";
    };
  }

  /** As Azure writes it: {@code None}, {@code Down}. */
  static String state(String name) {
    return name.replace("NONE", NONE).replace("DOWN", "Down").replace("UP", "Up");
  }

  /** A line per entry that changes. */
  static List<String> entries(JsonNode entries, Ink ink) {
    Table table = new Table("", "", "", "", "");
    for (JsonNode entry : entries) {
      String change = text(entry, "change");
      String sign =
          switch (change) {
            case "add" -> "+";
            case "remove" -> "-";
            case "set" -> "~";
            default -> " ";
          };
      table.row(
          switch (change) {
            case "add" -> "move";
            case "remove" -> "need";
            case "set" -> "wait";
            default -> "ok";
          },
          "  " + sign,
          entry.path("address").asText(""),
          text(entry, "node"),
          states(entry, change),
          text(entry, "why"));
    }
    return table.lines(TextLines.WIDTH, ink);
  }
}
