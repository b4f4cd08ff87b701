package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/values.md has each value of the chart, with the comment above it or above its section. */
class ValuesPageTest {
  private static final Path VALUES = Path.of("deploy", "chart", "values.yaml");
  private static final Pattern ROWS = Pattern.compile("(?<=\n\\|---\\|---\\|---\\|\n)(\\|.*\n)*");
  private static final Pattern LINE =
      Pattern.compile("(?<indent> *)(?:# (?<comment>.*)|(?<key>\\w+):(?: (?<value>.+))?)");

  private final Map<String, String> rows = rows();

  /** By path. A line beneath another one is indented by two. */
  private static Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    List<String> path = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    String comment = "";
    for (String line : Manifests.text(VALUES).lines().toList()) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        comment = "";
      } else if (parts.group("comment") != null) {
        comment = (comment + " " + parts.group("comment")).strip();
      } else {
        int depth = parts.group("indent").length() / 2;
        path.subList(depth, path.size()).clear();
        texts.subList(depth, texts.size()).clear();
        path.add(parts.group("key"));
        texts.add(comment.isEmpty() && depth > 0 ? texts.getLast() : comment);
        comment = "";
        if (parts.group("value") != null) {
          String name = String.join(".", path);
          rows.put(
              name, "| `%s` | `%s` | %s |".formatted(name, parts.group("value"), texts.getLast()));
        }
      }
    }
    return rows;
  }

  @Test
  void thePage_isRenderedFromTheFile() throws IOException {
    Path page = Path.of("docs", "values.md");
    Path rendered = Path.of("target", "values.md");
    String table = String.join("\n", rows.values()) + "\n";
    Files.writeString(
        rendered, ROWS.matcher(Manifests.text(page)).replaceFirst(Matcher.quoteReplacement(table)));

    assertThat(page)
        .as("if values.yaml is right: cp %s %s", rendered, page)
        .hasSameTextualContentAs(rendered);
  }

  @Test
  void everyValue_hasARowThatExplainsIt() throws IOException {
    JsonNode values = new ObjectMapper(new YAMLFactory()).readTree(VALUES.toFile());

    assertThat(rows.keySet()).containsExactlyElementsOf(paths("", values).toList());
    assertThat(rows.values()).noneMatch(row -> row.endsWith("|  |"));
  }

  private static Stream<String> paths(String path, JsonNode node) {
    return node.isObject() && !node.isEmpty()
        ? node.properties().stream()
            .flatMap(one -> paths(path + "." + one.getKey(), one.getValue()))
        : Stream.of(path.substring(1));
  }
}
