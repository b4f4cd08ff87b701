package io.poolkeeper.ops;

import io.poolkeeper.model.Texts;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

/** What each metric says, as {@code metrics.properties} has it. */
final class MetricText {
  private static final Properties TEXTS = Texts.of(MetricText.class, "metrics.properties");

  private MetricText() {}

  static String of(String metric) {
    return Objects.requireNonNull(TEXTS.getProperty(metric), () -> "no text of " + metric);
  }

  /** The names of all metrics that have a text. */
  static Set<String> names() {
    return TEXTS.stringPropertyNames();
  }
}
