package io.poolkeeper.ops;

import java.util.Locale;

/** Writes constants for metrics and JSON, such as {@code drain-retry}. The form is a contract. */
final class Labels {
  private Labels() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
