package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * docs/settings.md, docs/tuning.md and reference.conf say the same: of a comment the pages have
 * what stands before its first empty line.
 */
class SettingsPageTest {
  /** On the first page, in this order. */
  private static final List<String> MAIN =
      List.of(
          "mode",
          "cluster-name",
          "opt-in",
          "azure.subscription-id",
          "azure.resource-group",
          "azure.load-balancers",
          "azure.vnet-id",
          "azure.credential",
          "updater.interval",
          "admin-state.min-active",
          "brake.delay",
          "spot.enabled",
          "admission.allowed-pools",
          "http.authorization");

  private static final Pattern ROWS = Pattern.compile("(?<=\n\\|---\\|---\\|---\\|\n)(\\|.*\n)*");

  private static final Pattern LINE =
      Pattern.compile(
          "\\s*(?:(?<comment>#.*)|(?<section>[a-z-]+) \\{|(?<key>[a-z-]+) ="
              + " (?<value>.*)|(?<end>}))");

  private final Map<String, String> rows = rows();

  /** By path, in the order of the file. */
  private static Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    Deque<String> sections = new ArrayDeque<>();
    List<String> comments = new ArrayList<>();
    for (String line : reference()) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        comments.clear();
      } else if (parts.group("comment") != null) {
        comments.add(parts.group("comment").replaceFirst("# ?", ""));
      } else if (parts.group("section") != null) {
        sections.addLast(parts.group("section"));
        comments.clear();
      } else if (parts.group("end") != null) {
        sections.removeLast();
      } else {
        String text =
            comments.stream().takeWhile(said -> !said.isEmpty()).collect(Collectors.joining(" "));
        add(rows, String.join(".", sections), parts, text);
        comments.clear();
      }
    }
    return rows;
  }

  private static List<String> reference() {
    try {
      return Files.readAllLines(Path.of("src/main/resources/reference.conf"));
    } catch (IOException unreadable) {
      throw new java.io.UncheckedIOException(unreadable);
    }
  }

  /** A second line of a key names the environment variable that sets it, too. */
  private static void add(Map<String, String> rows, String section, Matcher line, String text) {
    String path = (section + "." + line.group("key")).replaceFirst("^poolkeeper\\.", "");
    String value = line.group("value");
    if (value.startsWith("${?")) {
      rows.computeIfPresent(
          path,
          (any, row) ->
              row.replaceFirst(" \\|$", " Or `" + value.replaceAll("[${?}]", "") + "`. |"));
    } else {
      rows.put(
          path,
          "| `%s` | `%s` | %s |"
              .formatted(path, value.replace("|", "\\|"), text.replace("|", "\\|")));
    }
  }

  @Test
  void theFirstPage_hasWhatPeopleSet() throws IOException {
    assertThat(rows.keySet()).containsAll(MAIN);
    rendered("settings.md", MAIN);
  }

  @Test
  void theSecondPage_hasTheRest() throws IOException {
    rendered("tuning.md", rows.keySet().stream().filter(path -> !MAIN.contains(path)).toList());
  }

  @Test
  void everySetting_isExplained() {
    assertThat(rows.values()).noneMatch(row -> row.endsWith("|  |"));
  }

  private void rendered(String name, List<String> paths) throws IOException {
    Path page = Path.of("docs", name);
    Path rendered = Path.of("target", name);
    String table = paths.stream().map(path -> rows.get(path) + "\n").collect(Collectors.joining());
    Files.writeString(
        rendered,
        ROWS.matcher(Files.readString(page)).replaceFirst(Matcher.quoteReplacement(table)));

    assertThat(page)
        .as("if reference.conf is right: cp %s %s", rendered, page)
        .hasSameTextualContentAs(rendered);
  }
}
