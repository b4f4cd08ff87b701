package io.poolkeeper.config;

import static java.util.stream.Collectors.joining;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import io.poolkeeper.config.LoadedSettings.Effective;
import io.poolkeeper.model.Range;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads the keys below {@code poolkeeper} as typed values. A value that is not allowed is recorded
 * as a problem, and some legal value is returned instead, so that one reading finds all problems.
 * Each key that was read is recorded with its value and origin.
 */
final class Values {
  static final String ROOT = "poolkeeper";
  private static final Pattern SECRET_KEY = Pattern.compile(".*secret", Pattern.DOTALL);
  private static final Pattern NEGATIVE = Pattern.compile("-\\d+");

  /**
   * The variable that Kubernetes sets in a pod for a Service, with a name made of the Service's.
   */
  private static final Pattern SERVICE_LINK = Pattern.compile("(tcp|udp|sctp)://.*");

  private static final String NO_LINKS =
      ". Kubernetes sets this for a Service whose name begins with poolkeeper: set"
          + " enableServiceLinks: false in the pod";

  private static final Pattern BARE_NUMBER = Pattern.compile("\\s*[-+]?[0-9.]+\\s*");
  private static final ConfigRenderOptions HOCON =
      ConfigRenderOptions.concise().setJson(false).setFormatted(false);

  private final Config config;
  private final Path file;
  private final List<Problem> problems;
  private final Set<String> rejected = new HashSet<>();
  private final Map<String, Effective> effective = new LinkedHashMap<>();

  /**
   * Reads from a resolved configuration that has every key of the schema.
   *
   * @param file the file to name in problems with missing values
   */
  Values(Config config, Path file, List<Problem> problems) {
    this.config = config;
    this.file = file;
    this.problems = problems;
  }

  List<Effective> effective() {
    return List.copyOf(effective.values());
  }

  boolean rejected(String key) {
    return rejected.contains(key);
  }

  /** Reports the value of a key that is valid alone, but not with another key. */
  void reject(String key, String allowed) {
    var value = value(key);
    reject(key, SECRET_KEY.matcher(key).matches() ? Secrets.MASK : render(value), allowed);
  }

  void reject(String key, String found, String allowed) {
    if (rejected.add(key)) {
      problem(value(key), key, found, allowed);
    }
  }

  /** Reports a value below a key. */
  void problem(ConfigValue value, String key, String found, String allowed) {
    problems.add(new Problem(where(value), ROOT + "." + key, found, allowed));
  }

  /** Whether the value of a key has a form. */
  boolean matches(String key, Pattern form) {
    var value = value(key);
    return isScalar(value) && form.matcher(scalar(value)).matches();
  }

  /** The azure.json in which this member has the value; empty if the value is from elsewhere. */
  Optional<Path> azureJson(String key, String member) {
    var origin = Origins.describe(value(key).origin());
    var suffix = ": " + member;
    return origin.endsWith(suffix)
        ? Optional.of(Path.of(origin.substring(0, origin.length() - suffix.length())))
        : Optional.empty();
  }

  /** A section whose keys are free. */
  ConfigObject section(String key) {
    return (ConfigObject) read(key);
  }

  /** An optional text, not blank. */
  Optional<String> text(String key) {
    return matching(key, Pattern.compile(".*\\S.*", Pattern.DOTALL), "a text that is not blank");
  }

  /** An optional file, from the directory of the configuration. */
  Optional<Path> pemFile(String key) {
    try {
      return text(key).map(file.toAbsolutePath()::resolveSibling);
    } catch (InvalidPathException e) {
      reject(key, "the path of a PEM file");
      return Optional.empty();
    }
  }

  /** An optional text of a form. */
  Optional<String> matching(String key, Pattern form, String allowed) {
    var value = read(key);
    if (value.valueType() == ConfigValueType.NULL) {
      return Optional.empty();
    }
    if (!matches(key, form)) {
      reject(key, allowed);
      return Optional.empty();
    }
    return Optional.of(scalar(value));
  }

  /** A required text of a form. */
  String required(String key, Pattern form, String allowed) {
    var text = matching(key, form, allowed);
    if (text.isEmpty()) {
      reject(key, allowed);
    }
    return text.orElse("");
  }

  /** The texts of a list; an element that is not a text of the form is a problem. */
  List<String> texts(String key, Pattern form, String allowed) {
    var value = read(key);
    try {
      var texts = config.getStringList(ROOT + "." + key);
      for (var text : texts) {
        if (!form.matcher(text).matches()) {
          reject(key, '"' + text + '"', allowed);
        }
      }
      return texts;
    } catch (ConfigException e) {
      reject(key, render(value), "a list of texts such as [a, b]; each " + allowed);
      return List.of();
    }
  }

  boolean flag(String key) {
    read(key);
    try {
      return config.getBoolean(ROOT + "." + key);
    } catch (ConfigException e) {
      reject(key, "true or false");
      return false;
    }
  }

  int integer(String key, Range<Integer> range) {
    return integer(key, range, Integer.toString(range.max()));
  }

  /** A whole number; a problem calls the greatest one {@code maxInWords}. */
  int integer(String key, Range<Integer> range, String maxInWords) {
    return number(key, 0, range, "a whole number from %d to %s".formatted(range.min(), maxInWords));
  }

  /** A whole number from 0, cut to the value of another key. */
  int atMost(String key, int max, int limit, String limitKey) {
    int number = integer(key, new Range<>(0, max));
    if (number > limit) {
      derived(key, limit, limitKey);
    }
    return Math.min(number, limit);
  }

  /** Reads a value that need not be set by one of the other methods. */
  <T> Optional<T> optional(String key, Function<String, T> reader) {
    if (value(key).valueType() != ConfigValueType.NULL) {
      return Optional.of(reader.apply(key));
    }
    read(key);
    return Optional.empty();
  }

  /** A count; a negative number means 0. */
  int count(String key, int whenUnset, Range<Integer> range) {
    var value = read(key);
    int count = whenUnset;
    if (value.valueType() != ConfigValueType.NULL) {
      count = matches(key, NEGATIVE) ? 0 : integer(key, range);
    }
    recordEffective(key, Integer.toString(count), Origins.describe(value.origin()));
    return count;
  }

  /** A number with at most three decimals, in thousandths; more than 0. */
  int thousandths(String key, Range<Integer> range) {
    var allowed = "a number from 0.001 to %d, to a thousandth".formatted(range.max() / 1_000);
    return number(key, 3, new Range<>(1, range.max()), allowed);
  }

  /** A number with at most this number of decimals, in units of the last one. */
  private int number(String key, int decimals, Range<Integer> range, String allowed) {
    var value = read(key);
    try {
      int number =
          new BigDecimal(isScalar(value) ? scalar(value) : "")
              .movePointRight(decimals)
              .intValueExact();
      if (range.has(number)) {
        return number;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      // Falls through to the same problem as a number out of range.
    }
    reject(key, matches(key, SERVICE_LINK) ? allowed + NO_LINKS : allowed);
    return range.max();
  }

  Duration duration(String key, Range<Duration> range) {
    return duration(key, range, text(range.max()));
  }

  /** A duration; a problem calls the longest one {@code maxInWords}. */
  Duration duration(String key, Range<Duration> range, String maxInWords) {
    var value = read(key);
    var allowed = "a duration with a unit, %s to %s".formatted(text(range.min()), maxInWords);
    try {
      // A unit is required: a bare number means milliseconds in HOCON and seconds in azure.json.
      if (isScalar(value) && !BARE_NUMBER.matcher(scalar(value)).matches()) {
        var duration = config.getDuration(ROOT + "." + key);
        if (range.has(duration)) {
          return duration;
        }
      }
    } catch (ConfigException | ArithmeticException e) {
      // Falls through to the same problem as a duration out of range.
    }
    reject(key, allowed);
    return range.max();
  }

  /** One of several words, ignoring case. */
  <T> T oneOf(String key, List<Map.Entry<String, T>> words, T fallback) {
    var value = read(key);
    for (var word : words) {
      if (isScalar(value) && word.getKey().equalsIgnoreCase(scalar(value))) {
        return word.getValue();
      }
    }
    reject(key, words.stream().map(Map.Entry::getKey).collect(joining(", ", "one of ", "")));
    return fallback;
  }

  /** Records a value as derived from another key's. */
  void derived(String key, Object value, String fromKey) {
    var rendered = ConfigValueFactory.fromAnyRef(value).render(HOCON);
    recordEffective(key, rendered, ROOT + "." + fromKey);
  }

  /** A readable value. */
  static String render(ConfigValue value) {
    if (value.valueType() == ConfigValueType.NULL) {
      return "null";
    }
    if (value instanceof ConfigObject) {
      return "a section"; // Not shown: the text could contain secrets.
    }
    return value.render(HOCON);
  }

  private ConfigValue read(String key) {
    var value = value(key);
    var secret = SECRET_KEY.matcher(key).matches() && value.valueType() != ConfigValueType.NULL;
    var shown = secret ? '"' + Secrets.MASK + '"' : value.render(HOCON);
    recordEffective(key, shown, Origins.describe(value.origin()));
    return value;
  }

  private void recordEffective(String key, String value, String origin) {
    effective.put(key, new Effective(ROOT + "." + key, value, origin));
  }

  private ConfigValue value(String key) {
    ConfigValue value = config.root();
    for (var name : (ROOT + "." + key).split("\\.", -1)) {
      value = Objects.requireNonNull(((ConfigObject) value).get(name), key);
    }
    return value;
  }

  private String where(ConfigValue value) {
    var where = Origins.describe(value.origin());
    return where.equals(Origins.DEFAULT) ? file.toString() : where;
  }

  private static boolean isScalar(ConfigValue value) {
    return switch (value.valueType()) {
      case STRING, NUMBER, BOOLEAN -> true;
      case OBJECT, LIST, NULL -> false;
    };
  }

  private static String scalar(ConfigValue value) {
    return String.valueOf(value.unwrapped());
  }

  private static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 3_600_000 == 0 && millis > 0) {
      return millis / 3_600_000 + "h";
    }
    if (millis % 60_000 == 0 && millis > 0) {
      return millis / 60_000 + "m";
    }
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
