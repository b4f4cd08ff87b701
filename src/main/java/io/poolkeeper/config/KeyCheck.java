package io.poolkeeper.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Checks the keys against {@code reference.conf}, which is the schema. Problems are an unknown key,
 * a plain value in the place of a section, and a key of ours outside of {@code poolkeeper}. Below a
 * section that is empty in the schema, keys are free.
 */
final class KeyCheck {
  private final ConfigObject schema;
  private final List<Problem> problems;
  private final List<String> paths = new ArrayList<>();

  KeyCheck(Config reference, List<Problem> problems) {
    this.schema = reference.root();
    this.problems = problems;
    collectPaths("", schema);
  }

  /** Returns the configuration, broken or missing values replaced by the reference's. */
  Config check(Config config) {
    var root = config.root();
    byLine(root).forEach(key -> checkTopLevel(key, value(root, key)));
    return repaired(config, "", schema, root);
  }

  /**
   * Other top-level keys may serve the user's substitutions. A likely misspelling of the root is a
   * problem, and so is a name of ours, as what is meant to be set would stay at its default.
   */
  private void checkTopLevel(String key, ConfigValue value) {
    var name = Suggestion.kebab(key);
    if (!key.equals(Values.ROOT) && Suggestion.nearest(key, List.of(Values.ROOT)).isPresent()) {
      reportUnknown(key, key, value, schema);
    } else if (value(schema, Values.ROOT) instanceof ConfigObject ours && ours.containsKey(name)) {
      var shown = Values.render(value);
      var set = value instanceof ConfigObject ? " { ... }" : " = " + shown;
      problems.add(
          new Problem(
              Origins.describe(value.origin()),
              key,
              shown + " outside of " + Values.ROOT + ", where it has no effect",
              "%s.%s%s, or another name for what only substitutions use"
                  .formatted(Values.ROOT, name, set)));
    }
  }

  private Config repaired(Config config, String prefix, ConfigObject wanted, ConfigObject found) {
    var repaired = config;
    for (var key : wanted.keySet()) {
      // A section that replaces a plain value has no defaults below it.
      if (!found.containsKey(key)) {
        repaired = repaired.withValue(prefix + key, value(wanted, key));
      }
    }
    for (var key : byLine(found)) {
      var path = prefix + key;
      var schemaValue = wanted.get(key);
      if (schemaValue == null) {
        if (!prefix.isEmpty()) {
          reportUnknown(path, key, value(found, key), wanted);
        }
      } else if (schemaValue instanceof ConfigObject section) {
        if (value(found, key) instanceof ConfigObject inner) {
          repaired = section.isEmpty() ? repaired : repaired(repaired, path + ".", section, inner);
        } else {
          reportNoSection(path, value(found, key), section);
          repaired = repaired.withValue(path, section);
        }
      }
    }
    return repaired;
  }

  private void reportUnknown(String path, String key, ConfigValue value, ConfigObject wanted) {
    var siblings = new TreeSet<>(wanted.keySet());
    var suggestion =
        Suggestion.nearest(key, siblings)
            .or(() -> pathInOtherSection(key))
            .map(near -> ", did you mean " + near + "?")
            .orElse("");
    problems.add(
        new Problem(
            Origins.describe(value.origin()),
            path,
            "an unknown key" + suggestion,
            String.join(", ", siblings)));
  }

  private Optional<String> pathInOtherSection(String key) {
    return paths.stream().filter(path -> path.endsWith("." + key)).findFirst();
  }

  private void reportNoSection(String path, ConfigValue value, ConfigObject section) {
    problems.add(
        new Problem(
            Origins.describe(value.origin()),
            path,
            Values.render(value),
            section.isEmpty()
                ? "a section { name = value }"
                : "a section { " + String.join(", ", new TreeSet<>(section.keySet())) + " }"));
  }

  private void collectPaths(String prefix, ConfigObject section) {
    for (var key : new TreeSet<>(section.keySet())) {
      paths.add(prefix + key);
      if (section.get(key) instanceof ConfigObject inner) {
        collectPaths(prefix + key + ".", inner);
      }
    }
  }

  /** The keys in the order of the file. */
  static List<String> byLine(ConfigObject object) {
    return object.keySet().stream()
        .sorted(
            Comparator.<String>comparingInt(key -> value(object, key).origin().lineNumber())
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  static ConfigValue value(ConfigObject object, String key) {
    return Objects.requireNonNull(object.get(key));
  }
}
