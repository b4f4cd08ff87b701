package io.poolkeeper.config;

import com.typesafe.config.ConfigOrigin;

/**
 * Describes the origin of a value. If HOCON did not parse the value, its origin's own description
 * says it.
 */
final class Origins {
  static final String DEFAULT = "default";

  private Origins() {}

  static String describe(ConfigOrigin origin) {
    if (origin.resource() != null) {
      return DEFAULT;
    }
    if (origin.filename() == null) {
      return origin.description();
    }
    return origin.lineNumber() > 0
        ? origin.filename() + ":" + origin.lineNumber()
        : origin.filename();
  }
}
