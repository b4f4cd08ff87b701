package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Code and documents use the glossary's terms, and the glossary names existing types. */
class WordsTest {
  /** Words that were used before the field's standard terms, as whole words in any case. */
  private static final Pattern PRIVATE =
      Pattern.compile(
          "\\b(told|untold|tells|repetitions?|nobody s|onlookers?|(comes?|came) right|in tree"
              + "|heralds?|visitors?|wish(es|ed)?|strangers?|weather|neighbours?|swarms?|troubles?"
              + "|hastened|rearms?|dirty|whoever|to be had|of no use|worth telling)\\b");

  /** The name of a check in the lab's reports, which programs read. */
  private static final String CONTRACT = "every pool equals its wish";

  private static final Pattern QUOTED = Pattern.compile("`([\\w/]+)`");

  @Test
  void programAndDocumentsUseNoPrivateWord() throws IOException {
    List<String> found = new ArrayList<>();
    for (String place :
        List.of(
            "src/main", "src/rehearsal", "docs", "deploy", "conf", "README.md", "CHANGELOG.md")) {
      for (Path file : files(Path.of(place))) {
        int number = 0;
        for (String line : Files.readAllLines(file)) {
          number++;
          for (String word : privateWords(line)) {
            found.add("%s:%d says \"%s\"".formatted(file, number, word));
          }
        }
      }
    }
    assertThat(found).as("docs/glossary.md has the term to use").isEmpty();
  }

  @Test
  void privateWords_inTextAndIdentifiers_areFound() {
    assertThat(privateWords("It was told by nobody's in-tree Herald.")).hasSize(4);
    assertThat(privateWords("boolean strangersStay = TOLD_ONCE;"))
        .containsExactly("strangers", "told");
    assertThat(privateWords("wishful StrangerThings \"" + CONTRACT + "\""))
        .containsExactly("stranger");
    assertThat(privateWords("actor.tell(message); // an untroubled retry")).isEmpty();
  }

  @Test
  void everyTypeOfTheGlossaryExists() throws IOException {
    Set<String> types =
        Sources.below(Sources.PROGRAM).stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    List<String> named =
        Manifests.text(Path.of("docs", "glossary.md"))
            .lines()
            .filter(line -> line.startsWith("| "))
            .map(line -> line.split("\\|", -1))
            .flatMap(cells -> quoted(cells[3]))
            .toList();
    assertThat(named).hasSizeGreaterThan(30).isSubsetOf(types);
  }

  @Test
  void everyPlaceToStartExists() {
    List<String> places =
        Manifests.text(Path.of("docs", "architecture.md"))
            .lines()
            .dropWhile(line -> !line.equals("## Where to start"))
            .skip(1)
            .takeWhile(line -> !line.startsWith("## "))
            .flatMap(WordsTest::quoted)
            .toList();
    assertThat(places).hasSizeGreaterThan(5).allMatch(Sources::hasType);
  }

  private static Stream<String> quoted(String text) {
    return QUOTED.matcher(text).results().map(match -> match.group(1));
  }

  /** Identifiers count word by word. */
  private static List<String> privateWords(String line) {
    String words =
        line.replace(CONTRACT, "").replaceAll("(?<=[a-z])(?=[A-Z])", " ").replaceAll("\\W|_", " ");
    return PRIVATE
        .matcher(words.toLowerCase(Locale.ROOT))
        .results()
        .map(MatchResult::group)
        .toList();
  }

  private static List<Path> files(Path place) throws IOException {
    try (Stream<Path> all = Files.walk(place)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.toString().endsWith(".png"))
          .sorted()
          .toList();
    }
  }
}
