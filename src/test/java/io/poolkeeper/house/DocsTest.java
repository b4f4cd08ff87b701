package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Azure;
import io.poolkeeper.cli.Cli;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents name existing things, and name all of them. */
class DocsTest {
  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(#[^)\\s]*)?\\)");
  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  private static final Pattern CITED = Pattern.compile("architecture, ([A-Z][A-Za-z ]*)");
  private static final Pattern COMMAND = Pattern.compile("(?m)^ *\\./poolkeeper ([^#\\n|>]*)");
  private static final Pattern NAMED_TYPE = Pattern.compile("`([a-z]+(?:/[a-z]+)*/[A-Z]\\w+)`");
  private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Test|IT))`");
  private static final Pattern ADDED = Pattern.compile("(?m)^echo '(.*)' >> my\\.conf");
  private static final int README_WORDS = 900;
  private static final int CHANGE = 160; // characters
  private static final Path DECISIONS = Path.of("docs", "decisions");

  @Test
  void everyLinkLeadsToAFile_andToAHeadingOfIt() throws IOException {
    for (Path page : pages()) {
      assertThat(brokenLinks(page, Manifests.text(page))).as("links of %s", page).isEmpty();
    }
  }

  @Test
  void aBrokenLinkIsFound() {
    String text =
        """
        [a](README.md) [b](no-such-page.md#part) [c](https://example.com/x) [d](docs)
        [e](README.md#how-it-works) [f](README.md#no-such-part) [g](#no-such-part)
        ```sh
        x[1](not-a-link)
        ```
        """;
    assertThat(brokenLinks(Path.of("README.md"), text))
        .containsExactly("no-such-page.md#part", "README.md#no-such-part", "#no-such-part");
  }

  /** With --help a command only reads its options. */
  @Test
  void everyCommandOfTheProgram_isUnderstood() throws IOException {
    for (Path page : pages()) {
      for (MatchResult command : COMMAND.matcher(Manifests.text(page)).results().toList()) {
        List<String> words = new ArrayList<>(List.of(command.group(1).strip().split("\\s+", -1)));
        words.add("--help");
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said);
        assertThat(Cli.run(words, to, to, Map.of())).as("%s: %s%n%s", page, words, said).isZero();
      }
    }
  }

  /** The chart's settings with {@code http.tlsSecretName}, read where that Secret is no file. */
  @ParameterizedTest
  @ValueSource(strings = {"workload-identity", "managed-identity"})
  void uninstall_takesThePodsSettings_elsewhere(String credential, @TempDir Path directory)
      throws IOException {
    String page = Manifests.text(Path.of("docs", "topics", "uninstall.md"));
    MatchResult added = ADDED.matcher(page).results().findFirst().orElseThrow();
    Path config = directory.resolve("my.conf");
    Files.writeString(
        config,
        """
        poolkeeper {
          mode = write
          azure { subscription-id = s, resource-group = r, credential = %s }
          azure { client-id = c, tenant-id = t }
          http { port = 8558, probe-port = 8559, trust-loopback = true, authorization = auto }
          http.tls { certificate-file = /etc/no-such/tls.crt, key-file = /etc/no-such/tls.key }
        }
        """
                .formatted(credential)
            + added.group(1));

    Settings settings = SettingsLoader.load(config, Optional.empty(), Map.of()).settings();

    assertThat(settings.http().tls()).isEqualTo(new Settings.Tls.None());
    assertThat(settings.azure().credential()).isEqualTo(new Azure.Credential.Default());
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Set<String> tests =
        Sources.below(Sources.TESTS).stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    for (Path page : pages()) {
      assertThat(NAMED_TEST.matcher(Manifests.text(page)).results())
          .extracting(named -> named.group(1))
          .as("tests that %s names", page)
          .isSubsetOf(tests);
    }
  }

  @Test
  void everyTypeThatIsNamedWithItsRoomExists() throws IOException {
    List<String> named = new ArrayList<>();
    for (Path page : pages()) {
      NAMED_TYPE.matcher(Manifests.text(page)).results().forEach(type -> named.add(type.group(1)));
    }
    assertThat(named).hasSizeGreaterThan(60).allMatch(Sources::hasType);
  }

  @Test
  void theReadmeIsShort_andAChangeIsALine() {
    String readme = Manifests.text(Path.of("README.md"));
    assertThat(readme.strip().split("\\s+", -1)).hasSizeLessThanOrEqualTo(README_WORDS);
    assertThat(
            Manifests.text(Path.of("CHANGELOG.md"))
                .lines()
                .dropWhile(line -> !line.startsWith("- ")))
        .allMatch(line -> line.isEmpty() || line.startsWith("#") || line.startsWith("- "))
        .allMatch(line -> line.length() <= CHANGE);
  }

  @Test
  void theReadmeBeginsWithTheTwoCommands() {
    assertThat(Manifests.text(Path.of("README.md")).lines().limit(24))
        .contains("./poolkeeper lab", "mvn verify");
  }

  @Test
  void everyDecisionHasAllItsPartsAndIsListed() throws IOException {
    String index = Manifests.text(Path.of("docs", "README.md"));
    String departures = Manifests.text(DECISIONS.resolve("README.md"));
    for (Path page : decisions()) {
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
      assertThat(departures)
          .as("a departure from a document, or none")
          .contains("(" + page.getFileName() + ")");
    }
  }

  @Test
  void everyRoomIsOnTheMap() throws IOException {
    String map = Manifests.text(Path.of("docs", "architecture.md"));
    for (Path root : Sources.PROGRAM) {
      assertThat(Sources.rooms(root))
          .as("add the room to the table in docs/architecture.md")
          .isNotEmpty()
          .allSatisfy(room -> assertThat(map).contains("| `" + room + "` |"));
    }
  }

  @Test
  void everyHeadingThatACommentCites_isInTheArchitecture() throws IOException {
    Set<String> headings =
        HEADING
            .matcher(Manifests.text(Path.of("docs", "architecture.md")))
            .results()
            .map(heading -> heading.group(1))
            .collect(Collectors.toSet());
    List<String> cited =
        Sources.below(Sources.PROGRAM).stream()
            .map(source -> Manifests.text(source).replaceAll("\\n *\\* ", " "))
            .flatMap(text -> CITED.matcher(text).results().map(found -> found.group(1)))
            .toList();

    assertThat(cited).hasSizeGreaterThan(10).allSatisfy(one -> assertThat(headings).contains(one));
  }

  private static List<String> brokenLinks(Path page, String text) {
    return LINK.matcher(FENCE.matcher(text).replaceAll(""))
        .results()
        .filter(link -> !link.group(1).contains("://"))
        .filter(link -> !leads(page, text, link))
        .map(link -> link.group(1) + Objects.requireNonNullElse(link.group(2), ""))
        .toList();
  }

  private static boolean leads(Path page, String text, MatchResult link) {
    Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
    boolean anchored = link.group(2) != null && target.toString().endsWith(".md");
    return Files.exists(target)
        && (!anchored
            || anchors(link.group(1).isEmpty() ? text : Manifests.text(target))
                .contains(link.group(2).substring(1)));
  }

  /** As GitHub makes them of headings. */
  private static Set<String> anchors(String text) {
    return HEADING
        .matcher(FENCE.matcher(text).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").strip())
        .map(heading -> heading.replace(' ', '-'))
        .collect(Collectors.toSet());
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

  private static List<Path> decisions() throws IOException {
    try (Stream<Path> files = Files.list(DECISIONS)) {
      return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
    }
  }
}
