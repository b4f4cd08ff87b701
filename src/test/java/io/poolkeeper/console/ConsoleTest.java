package io.poolkeeper.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the commands print, compared with files that people have read. {@code -Dgolden.write=true}
 * writes them anew.
 */
class ConsoleTest {
  private static final Path FILES = Path.of("src", "test", "resources", "console");
  private static final Ink PLAIN = Ink.PLAIN;

  private static JsonNode answers(String state) throws IOException {
    return new ObjectMapper().readTree(FILES.resolve(state + ".json").toFile());
  }

  private static List<JsonNode> rows(JsonNode answers) {
    List<JsonNode> rows = new ArrayList<>();
    answers.path("pools").forEach(rows::add);
    return rows;
  }

  private static void assertReads(String file, List<String> lines) throws IOException {
    Path golden = FILES.resolve(file + ".txt");
    String text = String.join("\n", lines) + "\n";
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(golden, text);
    }
    assertThat(text).isEqualTo(Files.readString(golden));
  }

  @ParameterizedTest
  @ValueSource(strings = {"calm", "refused", "draining"})
  void status_inEachState_readsWell(String state) throws IOException {
    JsonNode answers = answers(state);

    List<String> lines = new StatusText(PLAIN, false).lines(answers.path("status"), rows(answers));

    assertReads("status-" + state, lines);
    assertThat(lines)
        .filteredOn(line -> !line.startsWith("      "))
        .filteredOn(line -> line.strip().contains(" "))
        .as("all but commands and ids to copy")
        .allMatch(line -> line.length() <= TextLines.WIDTH);
  }

  @Test
  void status_wide_hasTheReasons() throws IOException {
    JsonNode answers = answers("refused");

    assertReads(
        "status-wide", new StatusText(PLAIN, true).lines(answers.path("status"), rows(answers)));
  }

  @Test
  void status_wideWithAllInSync_listsThePools() throws IOException {
    JsonNode answers = answers("calm");

    assertReads(
        "status-calm-wide",
        new StatusText(PLAIN, true).lines(answers.path("status"), rows(answers)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"calm", "refused", "draining"})
  void plan_inEachState_readsWell(String state) throws IOException {
    assertReads("plan-" + state, new PlanText(PLAIN).lines(answers(state).path("plan")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shadow-ready", "shadow-not-met"})
  void shadow_inEachState_readsWell(String state) throws IOException {
    List<String> lines = new ShadowText(PLAIN, false).lines(answers(state));

    assertReads(state, lines);
    assertThat(lines).allMatch(line -> line.length() <= TextLines.WIDTH);
  }

  @Test
  void aLostWatch_isShownWithTheErrorOfTheApiServer() throws IOException {
    JsonNode answers = answers("refused");
    ObjectNode pool = (ObjectNode) answers.path("pool");
    ObjectNode lost = pool.putObject("cause");
    lost.put("key", "watch-lost").put("title", "The watch of nodes is lost");
    lost.put("evidence", "watch of nodes is lost: Forbidden");
    ObjectNode status = (ObjectNode) answers.path("status");
    status.putArray("causes").add(lost);
    String shown = "API server: watch of nodes is lost: Forbidden";

    assertThat(new ExplainText(PLAIN).pool(pool, status)).contains("  " + shown);
    assertThat(new StatusText(PLAIN, false).lines(status, List.of())).contains("    " + shown);
  }

  @Test
  void runbook_whoseUrlIsKnown_isThatUrl() throws IOException {
    JsonNode answers = answers("refused");
    ObjectNode cause = (ObjectNode) answers.at("/pool/cause");
    cause.put("runbookUrl", "https://git.a/runbook/PoolkeeperDenied.md");

    assertThat(new ExplainText(PLAIN).pool(answers.path("pool"), answers.path("status")))
        .contains("  Runbook: https://git.a/runbook/PoolkeeperDenied.md");
  }

  @ParameterizedTest
  @ValueSource(strings = {"refused", "draining"})
  void explain_ofAPool_readsWell(String state) throws IOException {
    JsonNode answers = answers(state);
    ExplainText text = new ExplainText(PLAIN);

    assertReads("explain-" + state, text.pool(answers.path("pool"), answers.path("status")));
    assertReads("status-pool-" + state, text.brief(answers.path("pool"), answers.path("status")));
  }

  @Test
  void explain_ofAPoolThatIsEmptyOnPurpose_saysSo() throws IOException {
    JsonNode answers = answers("draining");
    ((ObjectNode) answers.at("/pool/row")).put("wanted", 0).put("right", 0);
    String none = "  In sync: it is to have no nodes, and has none";
    ExplainText text = new ExplainText(PLAIN);

    assertThat(text.brief(answers.path("pool"), answers.path("status")))
        .contains(none + " but 4 entries that stay.");
    ((ObjectNode) answers.path("pool")).putArray("entries");
    assertThat(text.brief(answers.path("pool"), answers.path("status"))).contains(none + ".");
    ((ObjectNode) answers.at("/pool/row")).putArray("services");
    assertThat(text.brief(answers.path("pool"), answers.path("status")))
        .contains("  In sync: no Service wants nodes here.");
  }

  @Test
  void explain_ofANode_readsWell() throws IOException {
    JsonNode answers = answers("draining");

    assertReads(
        "explain-node", new ExplainText(PLAIN).node(answers.path("node"), answers.path("status")));
  }

  @Test
  void explain_ofANodeThatWaits_saysForWhat() throws IOException {
    JsonNode answers = answers("draining");
    ((ObjectNode) answers.path("node")).put("state", "Waiting").putArray("pools");

    String text =
        String.join(" ", new ExplainText(PLAIN).node(answers.path("node"), answers.path("status")));

    assertThat(text).contains("no condition confirms it").doesNotContain("as it should");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fine", "ill"})
  void doctor_readsWell(String state) throws IOException {
    List<String> lines = new DoctorText(PLAIN).lines(answers("doctor-" + state));

    assertReads("doctor-" + state, lines);
  }

  @Test
  void ink_colours_whatIsSaidBySignsToo() throws IOException {
    JsonNode answers = answers("refused");

    List<String> colour =
        new StatusText(Ink.COLOUR, false).lines(answers.path("status"), rows(answers));

    assertThat(colour).anyMatch(line -> line.contains("\u001b[1;31m"));
    assertThat(colour.stream().map(line -> line.replaceAll("\u001b\\[[0-9;]*m", "")))
        .filteredOn(line -> line.startsWith("POOL"))
        .hasSize(1);
  }

  @Test
  void colour_changesNothingElse() throws IOException {
    JsonNode answers = answers("refused");

    List<String> colour =
        new StatusText(Ink.COLOUR, false).lines(answers.path("status"), rows(answers));

    assertThat(colour.stream().map(line -> line.replaceAll("\u001b\\[[0-9;]*m", "")))
        .isEqualTo(new StatusText(PLAIN, false).lines(answers.path("status"), rows(answers)));
  }

  @Test
  void aTable_inAnyScript_isAligned() {
    Table table =
        new Table("POOL", "WHY", "FOR")
            .row("ok", "web", "Änderung von A\u0308 bis Ω", "1 s")
            .row("ok", "配置", "配置変更は三十分後に終わりますのでしばらくお待ちください", "2 s")
            .row("ok", "👩‍👩‍👧‍👦", "🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀", "3 s")
            .row("ok", "שלום", "two\nlines", "4 s");

    List<String> lines = table.lines(40, PLAIN);

    assertThat(lines).hasSize(5).allMatch(line -> DisplayWidth.of(line) <= 40);
    assertThat(lines.subList(1, 5))
        .extracting(line -> DisplayWidth.of(line.replaceFirst("[1-4] s$", "")))
        .as("where the last column begins")
        .containsOnly(37);
    assertThat(lines.toString()).doesNotContain("?");
  }
}
