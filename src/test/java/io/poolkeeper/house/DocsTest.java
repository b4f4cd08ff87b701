package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents name existing things, and name all of them. */
class DocsTest {
  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
  private static final Path DECISIONS = Path.of("docs", "decisions");
  private static final Path ROOMS = Source.MAIN.resolve(Path.of("io", "poolkeeper"));

  @Test
  void everyLinkLeadsToAFile() throws IOException {
    for (Path page : pages()) {
      assertThat(brokenLinks(page, Manifests.text(page))).as("links of %s", page).isEmpty();
    }
  }

  @Test
  void aBrokenLinkIsFound() {
    String text = "[a](README.md) [b](no-such-page.md#part) [c](https://example.com/x) [d](docs)";
    assertThat(brokenLinks(Path.of("README.md"), text)).containsExactly("no-such-page.md");
  }

  @Test
  void theReadmeBeginsWithTheTwoCommands() {
    assertThat(Manifests.text(Path.of("README.md")).lines().limit(24))
        .contains("./poolkeeper lab", "mvn verify");
  }

  @Test
  void everyDecisionHasAllItsPartsAndIsListed() throws IOException {
    String index = Manifests.text(Path.of("docs", "README.md"));
    for (Path page : list(DECISIONS)) {
      assertThat(Manifests.text(page))
          .as("parts of %s", page)
          .contains(
              "**Objective.**",
              "**Context.**",
              "**Options.**",
              "**Decision.**",
              "**Consequences.**",
              "**Testing.**",
              "**As built.**");
      assertThat(index).contains("(decisions/" + page.getFileName() + ")");
    }
  }

  @Test
  void everyRoomIsOnTheMap() throws IOException {
    String map = Manifests.text(Path.of("docs", "architecture.md"));
    assertThat(list(ROOMS).stream().filter(Files::isDirectory).map(Path::getFileName))
        .as("add the room to the table in docs/architecture.md")
        .isNotEmpty()
        .allSatisfy(room -> assertThat(map).contains("| `" + room + "` |"));
  }

  private static List<String> brokenLinks(Path page, String text) {
    return LINK.matcher(text)
        .results()
        .map(MatchResult::group)
        .map(link -> LINK.matcher(link).replaceFirst("$1"))
        .filter(target -> !target.contains("://"))
        .filter(target -> !Files.exists(page.resolveSibling(target)))
        .toList();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(Path.of(""));
        Stream<Path> docs = Files.walk(Path.of("docs"));
        Stream<Path> deploy = Files.walk(Path.of("deploy"))) {
      return Stream.of(top, docs, deploy)
          .flatMap(files -> files)
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }
}
