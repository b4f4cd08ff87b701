package io.poolkeeper.ops;

import java.util.Locale;

/** How a constant is written in metrics and in JSON: {@code drain-retry}. A contract. */
final class Labels {
  private Labels() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
