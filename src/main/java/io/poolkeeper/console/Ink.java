package io.poolkeeper.console;

/** Whether text has colours. A tone says who acts next, and has a sign that needs no colour. */
public enum Ink {
  /** For pipes, files, and with {@code NO_COLOR}. */
  PLAIN,
  COLOUR;

  private static final String RESET = "\u001b[0m";

  String bold(String text) {
    return in("\u001b[1m", text);
  }

  String dim(String text) {
    return in("\u001b[2m", text);
  }

  /** Text in the colour of who acts next: {@code need}, {@code wait}, {@code move}, {@code ok}. */
  String tone(String tone, String text) {
    return switch (tone) {
      case "need" -> in("\u001b[1;31m", text);
      case "wait" -> in("\u001b[33m", text);
      case "move" -> in("\u001b[34m", text);
      default -> text;
    };
  }

  private String in(String code, String text) {
    return this == PLAIN || text.isEmpty() ? text : code + text + RESET;
  }

  /** The same tone as a sign. */
  static String sign(String tone) {
    return switch (tone) {
      case "need" -> "!";
      case "wait" -> "~";
      case "move" -> ">";
      default -> " ";
    };
  }
}
