package io.poolkeeper.ops;

import java.util.Locale;

/** The form of constants in metrics and in JSON: {@code drain-retry}. A contract. */
final class Labels {
  private Labels() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
