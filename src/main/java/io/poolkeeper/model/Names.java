package io.poolkeeper.model;

import java.util.Locale;

/** Names of Azure resources, which keep their case and compare ignoring it. */
public final class Names {
  private Names() {}

  /** The normal form of a name, shared by equal names. */
  public static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static boolean same(String first, String second) {
    return first.equals(second) || fold(first).equals(fold(second));
  }

  /** The order of their normal forms. */
  static int compare(String first, String second) {
    return first.equals(second) ? 0 : fold(first).compareTo(fold(second));
  }

  /** The name itself, refused if blank; {@code what} names it in the message. */
  static String required(String what, String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(what + " must not be blank");
    }
    return name;
  }
}
