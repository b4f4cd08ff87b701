package io.poolkeeper.model;

import java.util.Locale;

/** Names of Azure resources, which keep their case and compare ignoring it. */
public final class Names {
  private Names() {}

  /** The normal form of a name, shared by equal names. */
  public static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static boolean same(String one, String other) {
    return one.equals(other) || fold(one).equals(fold(other));
  }

  /** The order of their normal forms. */
  static int compare(String one, String other) {
    return one.equals(other) ? 0 : fold(one).compareTo(fold(other));
  }

  /** The name itself, refused if blank; {@code what} names it in the message. */
  static String required(String what, String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(what + " must not be blank");
    }
    return name;
  }
}
