package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import io.poolkeeper.config.LoadedSettings.Effective;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The shipped configuration files agree with the code and with each other. */
class ShippedFilesTest {
  private static final Path EXAMPLE = Path.of("conf/poolkeeper.conf");

  private static final Map<String, String> OWN = Map.of("POOLKEEPER_SUBSCRIPTION_ID", "sub-1");

  private static List<String> leaves(ConfigObject object, String prefix) {
    var paths = new ArrayList<String>();
    object.forEach(
        (key, value) -> {
          if (value instanceof ConfigObject section && !section.isEmpty()) {
            paths.addAll(leaves(section, prefix + key + "."));
          } else {
            paths.add(prefix + key);
          }
        });
    return paths;
  }

  private static Config resource(String name) {
    return ConfigFactory.parseResources(name, ConfigParseOptions.defaults().setAllowMissing(false));
  }

  @Test
  void reference_everyKey_isReadAndNoOther() {
    var reference = SettingsLoader.reference().resolve();

    var read = SettingsLoader.load(EXAMPLE, Optional.empty(), OWN).effective();

    assertThat(read)
        .extracting(Effective::path)
        .containsExactlyInAnyOrderElementsOf(leaves(reference.root(), ""));
  }

  @Test
  void reference_everyKey_isExplainedAboveIt() {
    var reference = SettingsLoader.reference().resolve();

    assertThat(leaves(reference.root(), ""))
        .allSatisfy(path -> assertThat(explanation(path)).as(path).isNotEmpty());
  }

  /** A key with an environment variable has its comment above its first line only. */
  private static List<String> explanation(String path) {
    try {
      var lines = Files.readAllLines(Path.of("src/main/resources/reference.conf"));
      var key = path.substring(path.lastIndexOf('.') + 1);
      var first = Pattern.compile("\\s*" + Pattern.quote(key) + " = .*").asMatchPredicate();
      for (int i = 1; i < lines.size(); i++) {
        if (first.test(lines.get(i))) {
          return lines.get(i - 1).strip().startsWith("#") ? List.of(lines.get(i - 1)) : List.of();
        }
      }
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void example_loads() {
    var settings = SettingsLoader.load(EXAMPLE, Optional.empty(), OWN).settings();

    assertThat(settings.azure().resourceGroup()).isEqualTo("my-cluster");
    assertThat(settings.azure().loadBalancers()).containsExactly("kubernetes");
  }

  @Test
  void example_untouched_isRefused() {
    assertThatThrownBy(() -> SettingsLoader.load(EXAMPLE, Optional.empty(), Map.of()))
        .hasMessageMatching(
            ".*poolkeeper.conf:\\d+: poolkeeper.azure.subscription-id: found \"0[0-]*\"; allowed:"
                + " your own value instead of the example's");
  }

  @Test
  void example_everyCommentedKey_isKnownAndEveryKnownKeyIsThere() throws Exception {
    var all =
        Files.readString(EXAMPLE)
            .replaceAll("(?m)^(\\s*)# ([a-z-]+ = )", "$1$2")
            .replaceAll("\\$\\{POOLKEEPER_CLIENT_SECRET}", "hush");

    var keys = leaves(ConfigFactory.parseString(all).resolve().root(), "");

    assertThat(keys)
        .containsExactlyInAnyOrderElementsOf(
            leaves(SettingsLoader.reference().resolve().root(), ""));
  }

  @Test
  void application_everyKey_isOneOfPekko() {
    var pekko = resource("reference.conf");

    assertThat(leaves(resource("application.conf").root(), ""))
        .isNotEmpty()
        .allSatisfy(path -> assertThat(pekko.hasPathOrNull(path)).as(path).isTrue());
  }
}
