package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.console.DisplayWidth;
import io.poolkeeper.console.ExplainText;
import io.poolkeeper.console.Ink;
import io.poolkeeper.console.StatusText;
import io.poolkeeper.lab.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What commands print of texts in all languages, compared with files that people have read. {@code
 * -Dgolden.write=true} writes them anew.
 */
class WordsOfTheWorldTest {
  private static final Path FILES = Path.of("src", "test", "resources", "console");

  /** The answers of a leader, where every text that others fill in is one of all languages. */
  private static JsonNode answers() throws IOException {
    JsonNode answers = new ObjectMapper().readTree(FILES.resolve("refused.json").toFile());
    ObjectNode status = (ObjectNode) answers.path("status");
    status
        .putObject("pause")
        .put("until", "2026-11-26T11:00:00Z")
        .put("reason", String.join(" ", Words.SHORT));
    ((ObjectNode) status.path("causes").path(0)).put("evidence", Words.NEWLINE);
    ((ObjectNode) status.path("causes").path(1)).put("evidence", Words.LONG);
    ObjectNode pool = (ObjectNode) answers.path("pool");
    pool.put("lastError", String.join(" ", Words.ALL));
    ((ObjectNode) pool.path("cause")).put("evidence", String.join(" ", Words.SHORT));
    List<JsonNode> rows = new ArrayList<>();
    answers.path("pools").forEach(rows::add);
    for (int row = 0; row < rows.size(); row++) {
      ((ObjectNode) rows.get(row)).put("why", Words.SHORT.get(row));
    }
    return PrintableText.of(answers);
  }

  private static void assertReads(String file, List<String> lines) throws IOException {
    Path golden = FILES.resolve(file + ".txt");
    String text = String.join("\n", lines) + "\n";
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(golden, text);
    }
    assertThat(text).isEqualTo(Files.readString(golden)).doesNotContain("\u202e", "\r", "\t");
  }

  @Test
  void status_inAllLanguages_readsWell() throws IOException {
    JsonNode answers = answers();
    List<JsonNode> rows = new ArrayList<>();
    answers.path("pools").forEach(rows::add);

    List<String> lines = new StatusText(Ink.PLAIN, false).lines(answers.path("status"), rows);

    assertReads("status-words", lines);
    assertThat(lines)
        .filteredOn(line -> !line.startsWith("      ") && !line.contains("長"))
        .allMatch(line -> DisplayWidth.of(line) <= 80);
    assertReads(
        "status-words-wide", new StatusText(Ink.PLAIN, true).lines(answers.path("status"), rows));
  }

  @Test
  void explain_inAllLanguages_readsWell() throws IOException {
    JsonNode answers = answers();

    assertReads(
        "explain-words",
        new ExplainText(Ink.PLAIN).pool(answers.path("pool"), answers.path("status")));
  }
}
