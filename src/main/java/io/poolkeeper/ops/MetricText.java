package io.poolkeeper.ops;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

/** What each metric says, as {@code metrics.properties} has it. */
final class MetricText {
  private static final Properties TEXTS = texts();

  private MetricText() {}

  static String of(String metric) {
    return Objects.requireNonNull(TEXTS.getProperty(metric), () -> "no text of " + metric);
  }

  /** The names of all metrics that have a text. */
  static Set<String> names() {
    return TEXTS.stringPropertyNames();
  }

  private static Properties texts() {
    Properties texts = new Properties();
    try (var in =
        new InputStreamReader(
            Objects.requireNonNull(MetricText.class.getResourceAsStream("metrics.properties")),
            StandardCharsets.UTF_8)) {
      texts.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }
}
