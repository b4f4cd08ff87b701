package io.poolkeeper.verify;

import java.util.Locale;

/** What a check says of its assumption. */
enum AssumptionVerdict {
  HOLDS,
  DIFFERS,
  /** It could not be seen: the calls failed, took too long, or showed neither. */
  UNKNOWN;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
