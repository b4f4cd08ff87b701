package io.poolkeeper.armsim.throttle;

import java.util.Locale;

/** The kinds of requests with separate counts. */
public enum Kind {
  READ,
  WRITE,
  DELETE;

  /** The kind of an HTTP method; polls of operations are reads like any GET. */
  public static Kind of(String method) {
    return switch (method.toUpperCase(Locale.ROOT)) {
      case "GET", "HEAD", "OPTIONS" -> READ;
      case "DELETE" -> DELETE;
      default -> WRITE;
    };
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String plural() {
    return word() + "s";
  }
}
