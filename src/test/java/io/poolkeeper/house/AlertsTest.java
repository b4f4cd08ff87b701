package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.poolkeeper.status.Cause;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Alerts, their runbooks, their tests and the causes of the page name each other. */
class AlertsTest {
  private static final Path FOLDER = Path.of("deploy", "observability");
  private static final Path RUNBOOKS = Path.of("docs", "runbook");
  private static final Pattern EXCLUDED = Pattern.compile("cause!~\"([^\"]*)\"");

  @Test
  void everyAlertHasARunbookThatItLinks_andThereAreNoOthers() throws IOException {
    assertThat(rules()).hasSizeBetween(9, 13).doesNotHaveDuplicates();
    for (JsonNode rule : rules()) {
      assertThat(rule.at("/annotations/runbook_url").asText())
          .isEqualTo("RUNBOOKS/" + name(rule) + ".md");
      assertThat(Files.readAllLines(RUNBOOKS.resolve(name(rule) + ".md")))
          .hasSizeBetween(20, 40)
          .startsWith("# " + name(rule))
          .contains("## Look at", "## Do", "## It ends by itself");
    }
    try (Stream<Path> pages = Files.list(RUNBOOKS)) {
      assertThat(pages.map(page -> page.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              rules().stream().map(rule -> name(rule) + ".md").toList());
    }
  }

  @Test
  void everyAlertIsTestedToFire() throws IOException {
    Set<String> fires = new TreeSet<>();
    for (JsonNode test : yaml("prometheus-rules-test.yaml").path("tests")) {
      for (JsonNode check : test.path("alert_rule_test")) {
        if (!check.path("exp_alerts").isEmpty()) {
          fires.add(check.path("alertname").asText());
        }
      }
    }

    assertThat(fires).containsExactlyInAnyOrderElementsOf(names());
  }

  @Test
  void everyAlertThatACauseNamesExists() throws IOException {
    Properties words = words();

    assertThat(alerts(words)).isNotEmpty().isSubsetOf(names());
  }

  @Test
  void aDivergenceIsAWrongPoolUnlessItsCauseHasAnotherAlert() throws IOException {
    String expression =
        rules().stream()
            .filter(rule -> name(rule).equals("PoolkeeperPoolWrong"))
            .map(rule -> rule.path("expr").asText())
            .findFirst()
            .orElseThrow();
    Properties words = words();

    List<String> others =
        Cause.keys(cause -> !Cause.ON_PURPOSE.contains(cause)).stream()
            .filter(key -> !"PoolkeeperPoolWrong".equals(words.getProperty(key + ".alert")))
            .toList();

    assertThat(EXCLUDED.matcher(expression).results().map(found -> found.group(1)))
        .containsExactly(String.join("|", others));
  }

  private static Set<String> alerts(Properties words) {
    return words.stringPropertyNames().stream()
        .filter(word -> word.endsWith(".alert"))
        .map(words::getProperty)
        .collect(Collectors.toSet());
  }

  private static Properties words() throws IOException {
    Properties words = new Properties();
    try (Reader in =
        Files.newBufferedReader(
            Path.of(
                "src", "main", "resources", "io", "poolkeeper", "status", "causes.properties"))) {
      words.load(in);
    }
    return words;
  }

  private static Collection<String> names() throws IOException {
    return rules().stream().map(AlertsTest::name).toList();
  }

  private static String name(JsonNode rule) {
    return rule.path("alert").asText();
  }

  private static List<JsonNode> rules() throws IOException {
    return yaml("prometheus-rules.yaml").at("/groups/0/rules").valueStream().toList();
  }

  private static JsonNode yaml(String file) throws IOException {
    return new ObjectMapper(new YAMLFactory()).readTree(FOLDER.resolve(file).toFile());
  }
}
